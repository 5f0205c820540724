"""The harness of the benchmarks, on tiny data and with made-up tools: it measures, compares values, and fails."""

import itertools
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import against_peers
import cases
import page
import values
from cases import Case, Entry, Pair, Single
from data import Data, make
from instructions import by_object, verdict
from peers import MissingError, Tool
from processes import FailedError, measure
from turns import take_turns

TINY = Data("M", queries=3, depth=5)
# A tool that reads the run and says one value for each query.
SAYS = """
import sys
queries = dict.fromkeys(line.split()[0] for line in open(sys.argv[2]))
print(*(f"map\\t{q}\\t{sys.argv[1]}" for q in [*queries, "all"]), sep="\\n")
"""


def tool(name: str, value: str = "0.25", **more: bool) -> Tool:
    """A made-up tool that says `value` of every query."""

    def command(_: Path, run: Path, __: Path) -> list[str]:
        return [sys.executable, "-c", SAYS, value, str(run)]

    return Tool(name, command, lambda: "1.0", **more)


def absent(*_: Path) -> list[str]:
    raise MissingError("no such tool")


def case(theirs: Tool, limit: float = 1e6) -> Case:
    """Our made-up tool against another."""
    return Case(
        "tiny",
        "Tiny",
        (Entry(tool("ours"), TINY), Entry(theirs, TINY)),
        (Pair("ours", theirs.name, limit),),
        (Single("peak", "MiB", lambda one: one["ours"].peak, ("ours",), limit),),
    )


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], of: Case, *arguments: str) -> tuple[int, str]:
    """The exit code and what is printed."""
    code = against_peers.main(["--runs", "2", "--cache", str(tmp_path), *arguments], [of])
    return code, capsys.readouterr().out


def test_tools_take_turns_and_the_ratio_stands_beside_its_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = take_turns(case(tool("theirs")), 3, tmp_path)
    assert [list(one) for one in outcome.rounds] == [
        ["ours", "theirs"],
        ["theirs", "ours"],
        ["ours", "theirs"],
    ]
    assert all(
        used.cpu > 0 and used.wall > 0 and used.peak > 1 for one in outcome.rounds for used in one.values()
    )
    code, shown = run(tmp_path, capsys, case(tool("theirs")))
    assert code == 0
    assert "| tiny | ours | theirs | " in shown
    assert " | 1e+06 |  | yes | " in shown
    assert "Above the limit: nothing." in shown
    assert "all tools that were compared say the same" in shown


def test_what_is_above_its_limit_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = run(tmp_path, capsys, case(tool("theirs"), limit=1e-9))
    assert code == 0
    assert "Above the limit: ours against theirs (tiny); peak." in shown
    assert "**no**" in shown
    code, shown = run(tmp_path, capsys, case(tool("theirs"), limit=1e-9), "--quick")
    assert code == 0
    assert "**no**" not in shown


def test_a_figure_of_the_least_is_one_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    least = Single("CPU", "s", lambda one: one["ours"].cpu, ("ours",), 1e6, least=True)
    outcome = take_turns(replace(case(tool("theirs")), singles=(least,)), 3, tmp_path)
    ((_, shown, *_),) = against_peers.single_rows(outcome, quick=False)
    assert shown == f"{page.number(min(one['ours'].cpu for one in outcome.rounds))} s"


def test_figures_of_a_quick_run_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        against_peers.main(["--quick", "--write"], [])
    assert "they are not written" in capsys.readouterr().err


def test_speed_of_wrong_numbers_does_not_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = run(tmp_path, capsys, case(tool("theirs", "0.2502")))
    assert code == 1
    assert "ours and theirs differ in 3 values: map of 10000301: 0.25 and 0.2502" in shown


def test_a_tool_that_fails_is_told_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Tool(
        "theirs", lambda *_: [sys.executable, "-c", "raise SystemExit('I am broken')"], lambda: "1.0"
    )
    code, shown = run(tmp_path, capsys, case(broken))
    assert code == 1
    assert "theirs failed: I am broken" in shown
    assert "not measured: theirs failed" in shown


def test_a_tool_that_is_not_here_is_left_out_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = run(tmp_path, capsys, case(Tool("theirs", absent, lambda: "1.0")))
    assert code == 0
    assert "not measured: no such tool" in shown
    assert "Not measured: theirs: no such tool." in shown


def test_the_peak_of_a_process_is_its_own(tmp_path: Path) -> None:
    held = bytearray(200 * 2**20)  # ours, which no child may be charged with
    small = measure([sys.executable, "-S", "-c", "pass"], tmp_path / "out")
    large = measure([sys.executable, "-S", "-c", "bytearray(100 * 2**20)"], tmp_path / "out")
    assert small.peak < 50
    assert 100 < large.peak < 150
    assert len(held) > small.peak
    with pytest.raises(FailedError, match="status 3"):
        measure([sys.executable, "-S", "-c", "raise SystemExit(3)"], tmp_path / "out")


def test_data_are_the_same_for_the_same_settings_and_have_the_shape_that_was_asked_for(
    tmp_path: Path,
) -> None:
    qrels, run = make(Data("S", queries=2, depth=20), tmp_path / "a")
    assert [p.read_bytes() for p in make(Data("S", queries=2, depth=20), tmp_path / "b")] == [
        qrels.read_bytes(),
        run.read_bytes(),
    ]
    rows = [line.split() for line in run.read_text().splitlines()]
    assert len(rows) == 40
    scores = [float(row[4]) for row in rows[:20]]
    assert all(high - low > 7e-6 for high, low in itertools.pairwise(scores))
    assert len({(row[0], row[2]) for row in rows}) == 40
    assert {line.split()[3] for line in qrels.read_text().splitlines()} == {"0", "1", "2"}


@pytest.mark.parametrize(
    "more",
    [{"ties": 0.5}, {"shuffle": True}, {"separator": "spaces"}, {"absent": 0.5}, {"unjudged": 0.5}],
    ids=str,
)
def test_data_are_as_nasty_as_asked_for(tmp_path: Path, more: dict[str, object]) -> None:
    plain = Data("M", queries=40, depth=10)
    judged, shown = (p.read_text().splitlines() for p in make(plain, tmp_path))
    other = make(replace(plain, **more), tmp_path)  # type: ignore[arg-type]  # the settings stand above
    judged_too, shown_too = (p.read_text().splitlines() for p in other)
    (kind,) = more
    scores = [line.split()[4] for line in shown_too]
    asked = {
        "ties": sum(a == b for a, b in itertools.pairwise(scores)) > 100,
        "shuffle": shown_too != shown and sorted(shown_too) == sorted(shown),
        "separator": [line.replace("  ", " ") for line in shown_too] == shown,
        "absent": judged_too == judged and 100 < len(shown_too) < 300,
        "unjudged": shown_too == shown and len(judged) / 4 < len(judged_too) < 3 * len(judged) / 4,
    }
    assert asked[kind]


def test_every_ratio_and_figure_is_of_entries_that_are_there() -> None:
    assert len({one.name for one in cases.CASES}) == len(cases.CASES)
    for one in cases.CASES:
        names = [entry.name for entry in one.entries]
        assert len(set(names)) == len(names)
        asked = {name for pair in one.pairs for name in (pair.mine, pair.theirs)}
        assert asked | {name for single in one.singles for name in single.needs} <= set(names)


def test_four_decimals_are_compared_as_four_and_full_numbers_in_full(tmp_path: Path) -> None:
    said = []
    for place, text in enumerate(("0.3333", "0.33333333", "0.33333733", "0.3335")):
        (tmp_path / str(place)).write_text(f"# a comment\nmap\tq\t{text}\nmap\tall\t9\n")
        said.append(values.read(tmp_path / str(place)))
    rounded, full, near, far = said
    assert rounded.of == {("map", "q"): 0.3333}
    assert not values.differences(rounded, full)
    assert values.differences(full, near) == ["map of q: 0.33333333 and 0.33333733"]
    assert values.differences(rounded, far) == ["map of q: 0.3333 and 0.3335"]
    assert values.differences(full, values.Values({}, False)) == ["map of q: only one has it"]


def test_a_section_is_written_in_its_place_and_no_other_is_touched(tmp_path: Path) -> None:
    there = tmp_path / "page.md"
    there.write_text("# Head\n\n## A\n\nold\n\n## B\n\nkept\n")
    page.write_section("A", "new", there)
    page.write_section("C", "last", there)
    assert there.read_text() == "# Head\n\n## A\n\nnew\n\n## B\n\nkept\n\n## C\n\nlast\n"
    page.write_section("C", "again", there)
    assert there.read_text().endswith("## B\n\nkept\n\n## C\n\nagain\n")


def test_instructions_are_counted_where_they_ran() -> None:
    told = """
events: Ir
ob=(1) /lib/python.so
fn=(1) main
0 10
cob=(2) /lib/_scan.abi3.so
cfn=(2) tokenise
calls=1 0
+3 500
* 7
ob=(2)
fn=(2)
0 400
-2 60
cob=(3) /lib/libc.so
cfn=(3) memcmp
calls=4 0
0 40
ob=(3)
fn=(3)
0 40
""".splitlines()
    assert by_object(told) == {"/lib/python.so": 17, "/lib/_scan.abi3.so": 460, "/lib/libc.so": 40}


@pytest.mark.parametrize(("now", "wrong"), [(101.9, ""), (98.1, ""), (102.1, "more"), (97.9, "less")])
def test_two_of_a_hundred_instructions_are_let_pass(now: float, wrong: str) -> None:
    said = verdict(now, 100.0, 0.02)
    assert bool(said) == bool(wrong)
    assert wrong in said
