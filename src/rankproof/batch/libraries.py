"""Which library an array belongs to, through the array API standard, and what it can hold where the array lies."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankproof.errors import MissingExtra, UsageError

Array = Any  # of any library that keeps the standard


@dataclass(frozen=True, eq=False)
class Library:
    """A library, and the device on which its arrays lie.

    xp      the functions of the array API standard
    name    how the library is called: numpy, torch, jax, cupy ...
    device  where new arrays go
    """

    xp: Any
    name: str
    device: Any

    @classmethod
    def of(cls, array: Array) -> "Library":
        """The library of an array; an error where the array belongs to none that keeps the standard."""
        name = type(array).__module__.split(".")[0].removesuffix("lib")
        own = getattr(array, "__array_namespace__", None)
        xp = own() if own else _through_compat(array)
        if not hasattr(xp, "cumulative_prod"):  # an old release, which keeps the standard in part
            xp = _through_compat(array)
        return cls(xp, name, array.device)

    @cached_property
    def real(self) -> Any:
        """The dtype of values: double precision, or the widest that the device has."""
        known = self.xp.__array_namespace_info__().dtypes(device=self.device, kind="real floating")
        return known.get("float64", self.xp.float32)

    @cached_property
    def near(self) -> bool:
        """True where the arrays are tensors that numpy can read as they lie; it sorts faster than torch."""
        return self.name == "torch" and self.device.type == "cpu"

    @cached_property
    def reads_bits(self) -> bool:
        """True where the bits of a number can be read as a whole number, and whole numbers have 64 of them."""
        known = self.xp.__array_namespace_info__().dtypes(kind="signed integer")
        return self.name in ("numpy", "torch", "cupy", "jax") and "int64" in known

    def array(self, values: Any, dtype: Any = None) -> Array:
        """`values` as an array of this library, on its device."""
        return self.xp.asarray(values, dtype=dtype, device=self.device)

    def read_by_numpy(self, array: Array) -> Array:
        """The array as numpy reads it where it lies; fractions of 16 bits, some of which it lacks, get 32."""
        short = self.xp.isdtype(array.dtype, "real floating") and self.xp.finfo(array.dtype).bits < 32
        return np.asarray(self.xp.astype(array, self.xp.float32) if short else array)

    def reals(self, array: Array) -> Array:
        """The same numbers as fractions."""
        return self.xp.astype(array, self.real)

    def count(self, hits: Array) -> Array:
        """(n,) how many of each row are True."""
        return self.reals(self.xp.count_nonzero(hits, axis=1))

    def total(self, terms: Array) -> Array:
        """(n,) the sum of each row."""
        return self.xp.sum(terms, axis=1)

    def ratio(self, above: Array, below: Array) -> Array:
        """above / below; 0 where below is 0."""
        nothing = below == 0
        return self.xp.where(nothing, self.xp.zeros_like(above), above / self.xp.where(nothing, 1.0, below))


def _through_compat(array: Array) -> Any:
    try:
        import array_api_compat
    except ImportError as error:
        raise MissingExtra(
            "Batches of {kind} need array-api-compat, which is not installed: pip install 'rankproof[array]'",
            kind=type(array).__module__,
        ) from error
    try:
        return array_api_compat.array_namespace(array)
    except TypeError as error:
        raise UsageError(
            "A batch is given as arrays of a library that keeps the array API standard (numpy, torch, jax, cupy); "
            "this one is a {kind}.",
            kind=type(array).__name__,
        ) from error


def without_gradient(array: Any) -> Any:
    """The array, cut off from what its numbers were computed from; lists become arrays of numpy."""
    if isinstance(array, (list, tuple)):
        return np.asarray(array)
    return array.detach() if hasattr(array, "detach") else array
