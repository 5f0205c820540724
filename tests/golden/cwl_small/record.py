"""Record what cwl_eval says of the lists beside this file; README.md says with which version and how."""

import json
import logging
import sys
from pathlib import Path

HERE = Path(__file__).parent
TOP = 4  # the highest grade; it is worth 1


def models() -> dict[str, object]:
    """The models of a reader by our names of the measures."""
    from cwl.ruler import cwl_ruler as cwl  # not a dependency of the project
    from cwl.ruler.measures.cwl_npv import NPVCWLMetric

    return {
        "INST": cwl.INSTCWLMetric(1.0),
        "INST(T=3)": cwl.INSTCWLMetric(3.0),
        "INSQ(T=2)": cwl.INSQCWLMetric(2.0),
        "BPM(T=2)@5": cwl.BPMCWLMetric(2.0, 5),
        "SDCG@7": cwl.NDCGCWLMetric(7),
        "NERR8@20": cwl.NERReq8CWLMetric(20),
        "NERR9@20": cwl.NERReq9CWLMetric(20),
        "NERR10(p=0.9)": cwl.NERReq10CWLMetric(0.9),
        "NERR11(T=2)": cwl.NERReq11CWLMetric(2.0),
        "NPV(rate=0.1)": NPVCWLMetric(0.1),
        "TBG(halflife=10)": cwl.TBGCWLMetric(10),
        "TBG(halflife=224)": cwl.TBGCWLMetric(224),
        "UMeasure(L=10)": cwl.UMeasureCWLMetric(10),
        "UMeasure(L=50)": cwl.UMeasureCWLMetric(50),
        "IFTGoal(T=2, b1=0.9, R1=1)": cwl.IFTGoalCWLMetric(2.0, 0.9, 1),
        "IFTGoal(T=2, b1=0.9, R1=10)": cwl.IFTGoalCWLMetric(2.0, 0.9, 10),
        "IFTRate(A=0.2, b2=0.9, R2=1)": cwl.IFTRateCWLMetric(0.2, 0.9, 1),
        "IFTRate(A=0.2, b2=0.9, R2=10)": cwl.IFTRateCWLMetric(0.2, 0.9, 10),
        "IFTGoalRate(T=2, b1=0.9, R1=10, A=0.2, b2=0.9, R2=10)": cwl.IFTGoalRateCWLMetric(
            2.0, 0.9, 10, 0.2, 0.9, 10
        ),
    }


def main() -> None:
    """Write expected.json: by list and measure, the gain for each place looked at, and how many are looked at."""
    logging.disable(logging.CRITICAL)  # it writes a log file beside itself
    from cwl.ruler.ranking import Ranking

    lists = json.loads((HERE / "lists.json").read_text("utf-8"))
    found: dict[str, dict[str, list[str]]] = {}
    for name, one in lists.items():
        gains = [float("nan")] * one["shown"]
        for rank, grade in one["grades"].items():
            gains[int(rank) - 1] = grade / TOP
        ranking = Ranking(name, gains, [float("nan")] * len(gains))
        for measure, model in models().items():
            value = model.measure(ranking)
            found.setdefault(name, {})[measure] = [f"{value:.12g}", f"{model.expected_items:.12g}"]
    (HERE / "expected.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
