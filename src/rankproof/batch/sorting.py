"""The smallest numbers of each row, in order: by a selection where few are wanted, by the fastest sort there is."""

import numpy as np

from rankproof.batch.libraries import Array, Library

FEW = 16  # selecting pays where at most one number in so many is wanted


def smallest(library: Library, numbers: Array, k: int) -> Array:
    """(n, k) the smallest k whole numbers of each row, in rising order; `numbers` may be overwritten."""
    if library.name == "numpy":
        rows = np.partition(numbers, k - 1, axis=1)[:, :k] if k * FEW <= numbers.shape[1] else numbers
        rows.sort(axis=1)
        return rows[:, :k]
    if library.name == "torch" and k * FEW <= numbers.shape[1]:
        import torch

        return torch.topk(numbers, k, dim=1, largest=False, sorted=True).values
    return library.xp.sort(numbers, axis=1)[:, :k]


def order(library: Library, fall: Array, k: int, *, settled: bool = True) -> Array:
    """(n, k) the columns of the smallest k of each row, in rising order; of equal ones the earlier column first.

    Where `settled` is False, infinite numbers may stand in any order among themselves.
    """
    if library.name != "numpy":
        return library.xp.argsort(fall, axis=1, stable=True)[:, :k]
    columns, open_ = _few(fall, k) if k * FEW <= fall.shape[1] else _all(fall, k, settled)
    if open_.any():
        columns[open_] = np.argsort(fall[open_], axis=1, kind="stable")[:, :k]
    return columns


def _all(rows: np.ndarray, k: int, settled: bool) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) columns by a sort that keeps no order of equal numbers, and (n,) the rows where that matters."""
    columns = np.argsort(rows, axis=1)
    found = np.take_along_axis(rows, columns, axis=1)
    again = found[:, 1:] == found[:, :-1]
    if not settled:
        again &= found[:, 1:] < np.inf
    return columns[:, :k], again.any(axis=1)


def _few(rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) the columns of the smallest numbers, and (n,) the rows in which one of them was left out at the border."""
    columns = np.sort(np.argpartition(rows, k - 1, axis=1)[:, :k], axis=1)
    found = np.take_along_axis(rows, columns, axis=1)
    inside = np.argsort(found, axis=1, kind="stable")
    border = found.max(axis=1, keepdims=True)
    cut = np.count_nonzero(rows <= border, axis=1) > k
    return np.take_along_axis(columns, inside, axis=1), cut
