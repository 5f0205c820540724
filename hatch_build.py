"""The build of the compiled part: native/*.c becomes rankproof/_scan, where a C compiler is.

One library on Python's stable ABI serves every Python from 3.11 on. It is optional: without a compiler, or with a
Python that has no stable ABI, a package of plain Python is made, which gives the same numbers and takes longer.
RANKPROOF_BUILD=native stops instead of going without; RANKPROOF_BUILD=pure leaves the compiler alone.
"""

import os
import shutil
import sys
import sysconfig
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ABI = "cp311"  # the oldest Python that the library serves
GNU = ["-std=c11", "-O3", "-g0", "-fvisibility=hidden", "-Wall", "-Wextra"]
MICROSOFT = ["/std:c11", "/O2"]


class NativeHook(BuildHookInterface):
    """Compiles before a wheel is put together, also the wheel of an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the library into the wheel, or beside the sources where these are what is installed."""
        wish = os.environ.get("RANKPROOF_BUILD", "")
        if wish not in ("", "native", "pure"):
            raise ValueError(f'RANKPROOF_BUILD is "{wish}"; expected native or pure.')
        package = Path(self.root, "src", "rankproof")
        for stale in (
            (*package.glob("_scan*.so"), *package.glob("_scan*.pyd")) if version == "editable" else ()
        ):
            stale.unlink()
        if wish == "pure":
            return
        self._built = Path(tempfile.mkdtemp(prefix="rankproof-"))
        try:
            library = compiled(Path(self.root, "native"), self._built)
        except (Exception, SystemExit) as error:  # setuptools has many ways to say that there is no compiler
            if wish == "native":
                raise
            reason = textwrap.shorten(f"{type(error).__name__}: {error}", 160, placeholder=" ...")
            self.app.display_warning(
                f"rankproof is installed without its compiled part, and is slower: {reason}"
            )
            return
        if version == "editable":
            shutil.copy2(library, package)
            return
        build_data["force_include"][str(library)] = f"rankproof/{library.name}"
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"{ABI}-abi3-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Clear away what the compiler wrote."""
        if hasattr(self, "_built"):
            shutil.rmtree(self._built, ignore_errors=True)


def compiled(sources: Path, into: Path) -> Path:
    """The library made of the C files in `sources`; any error where it cannot be made."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("this Python has no stable ABI")
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    class Build(build_ext):
        def build_extension(self, ext: Extension) -> None:
            ext.extra_compile_args = MICROSOFT if self.compiler.compiler_type == "msvc" else GNU
            super().build_extension(ext)

    # Short names: where objects go is made of where sources are, and paths have a limit on Windows.
    names = [os.path.relpath(path) for path in sorted(sources.glob("*.c"))]
    headers = [str(path) for path in sorted(sources.glob("*.h"))]
    scan = Extension("rankproof._scan", names, depends=headers, py_limited_api=True)
    build = Build(Distribution({"name": "rankproof", "ext_modules": [scan]}))
    build.build_lib, build.build_temp = str(into / "lib"), str(into / "objects")
    build.ensure_finalized()
    build.run()
    return Path(build.get_outputs()[0])
