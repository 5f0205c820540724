"""Record what trec_eval prints for the files beside this one; README.md says with which version and how."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
CUTS = "1,3,5,10,30"
MEASURES = {
    "map", "ndcg", "recip_rank", "Rprec", "bpref", "num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall",
    "num_q", "num_nonrel_judged_ret", "gm_map", "gm_bpref", "infAP", "iprec_at_recall", "11pt_avg", "Rprec_mult",
    "set_map", "set_F", "set_relative_P", "utility", "binG", "G", "ndcg_rel", "Rndcg",
    *(f"{name}.{CUTS}" for name in ("P", "recall", "ndcg_cut", "map_cut", "success", "relative_P")),
}  # fmt: skip  # a table, read row by row


def rows(path: Path) -> list[list[str]]:
    """The fields of each line."""
    return [line.split() for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Write expected.RUN.LEVEL.tsv, and expected.RUN.judged.tsv for the option -J."""
    import pytrec_eval  # not a dependency of the project

    qrels: dict[str, dict[str, int]] = {}
    for query, _, doc, grade in rows(HERE / "qrels.txt"):
        qrels.setdefault(query, {})[doc] = int(grade)
    for path in sorted(HERE.glob("run.*.txt")):
        run: dict[str, dict[str, float]] = {}
        for query, _, doc, _, score, _ in rows(path):
            run.setdefault(query, {})[doc] = float(score)
        for config, settings in (("l1", (1, False)), ("l2", (2, False)), ("judged", (1, True))):
            values = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, *settings).evaluate(run)
            lines = [
                f"{measure}\t{query}\t{value:.12g}\n"
                for query in sorted(values)
                for measure, value in sorted(values[query].items())
            ]
            out = HERE / f"expected.{path.name.split('.')[1]}.{config}.tsv"
            out.write_text("".join(sorted(lines)), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
