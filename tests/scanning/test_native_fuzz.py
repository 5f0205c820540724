"""A short run of the driver that feeds the kernels what nobody should write; `just fuzz` is the long one."""

import re
import subprocess
from pathlib import Path

import pytest

from fuzz.fuzzing import BUILDS, NoSanitizers, built


@pytest.mark.parametrize("build", BUILDS)
def test_nothing_that_the_kernels_are_fed_harms_them(build: str, tmp_path: Path) -> None:
    try:
        driver = built(tmp_path, build)
    except NoSanitizers as error:
        pytest.skip(f"no compiler with sanitizers here: {error}")
    done = subprocess.run([driver, "7", "4000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [int(number) for number in re.findall(r"\d+", done.stdout)]
    assert told[0] == 4000
    assert all(told[1:]), "each way through the kernels was taken"
