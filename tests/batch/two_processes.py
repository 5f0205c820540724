"""Two processes measure half of the queries each and write down what they find: run by test_torch, where torch is."""

import json
import sys
from pathlib import Path


def measure(process: int, place: str, rows: list[list[list[float]]]) -> None:
    """One of the two."""
    import torch
    import torch.distributed as group

    from rankproof.batch.torch import RetrievalMeasures

    group.init_process_group("gloo", init_method=f"file://{place}", rank=process, world_size=2)
    metric = RetrievalMeasures(["nDCG@3", "RR", "P@2"], counts=True)
    scores, grades = rows
    metric.update(torch.tensor(scores[process::2]), torch.tensor(grades[process::2]))
    found = {name: float(mean) for name, mean in metric.compute().items()}
    Path(f"{place}.{process}").write_text(json.dumps(found), "utf-8")
    group.destroy_process_group()


if __name__ == "__main__":
    from torch import multiprocessing

    multiprocessing.spawn(measure, args=(sys.argv[1], json.loads(sys.argv[2])), nprocs=2)
