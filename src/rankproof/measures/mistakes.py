"""Names that cannot be read: what each is answered with."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rankproof.errors import UnknownName, UsageError
from rankproof.measures.measure import Measure
from rankproof.tables.conventions import CONVENTIONS
from rankproof.wording import Words, say

Reader = Callable[[str], list[Measure]]


@dataclass(frozen=True)
class Word:
    """A word of another tool that names something else than a measure, or more than one.

    `sentence` says what to write instead; {text} is the word, {plain} and {k} what `pattern` calls so.
    """

    pattern: str
    sentence: str


WORDS = (
    Word(
        r"(?P<plain>(?:ndcg|map|pre|auc)(?:@\d+)?)-",
        'The "-" at the end of "{text}" is a convention of XGBoost: a query without a relevant doc is worth 0. '
        "Write {plain}, and choose no_relevant=zero.",
    ),
    Word(
        r"Hole@(?P<k>\d+)",
        "{text} in BEIR and MTEB is the share of the first docs that are judged for no query at all. "
        "Write Judged@{k}: the share that is judged for the query itself.",
    ),
    Word(
        r"label_ranking_average_precision_score",
        "{text} of scikit-learn takes each sample as a query and each label as a doc, and precision after all "
        "docs of one score together. Write AP; where no two scores are equal it is the same.",
    ),
    Word(
        r"label_ranking_loss",
        "{text} of scikit-learn is the share of pairs of a relevant doc and one that is not that stand in the "
        "wrong order: the lower the better. Look among the measures of the family pairwise.",
    ),
    Word(
        r"coverage_error",
        "{text} of scikit-learn is how far down the last relevant doc stands: the lower the better. "
        "Write R@10, for example: which share of the relevant docs stands in the cutoff.",
    ),
)

# Settings of other tools that are conventions here, and what each of their values is called.
CHOICES = {
    "judged_only": {"true": "unjudged=condense", "false": "unjudged=zero"},
    "ignore_ties": {"true": "ties=file", "false": "ties=average"},
    "make_comparable": {"true": "missing=zero", "false": "missing=error"},
    "empty_target_action": {
        "skip": "no_relevant=null",
        "neg": "no_relevant=zero",
        "pos": "no_relevant=one",
        "error": "no_relevant=error",
    },
}
_SETTING = re.compile(r"(?P<name>\w+)\s*=\s*['\"]?(?P<value>[\w.-]+)['\"]?")
_MEAN = re.compile(r"(?:the\s+)?(?:mean|average|avg|macro)(?:\s+of)?[\s_-]+(?P<plain>\S+)", re.IGNORECASE)


def explained(text: str, read: Reader) -> UsageError | None:
    """What to write where a text names a measure and a convention together, or another tool's word."""
    for row in WORDS:
        if word := re.fullmatch(row.pattern, text.strip(), re.IGNORECASE):
            parts = {name: _plain(part, read) or part for name, part in word.groupdict().items()}
            return UsageError(row.sentence, text=text.strip(), **parts)
    said = [(found[0], _choice(found["name"], found["value"])) for found in _SETTING.finditer(text)]
    chosen = {setting: choice for setting, choice in said if choice}
    if chosen and (plain := _plain(rest := _without(text, chosen), read)) and not _own(rest, chosen, read):
        return UsageError(
            'In "{text}", {setting} is a convention, and no part of the measure: it holds for all of them. '
            "Write {plain}, and choose {choice}.",
            text=text,
            setting=", ".join(chosen),
            plain=plain,
            choice=", ".join(chosen.values()),
        )
    if plain := _plain(re.sub(r"\s+", "_", text.strip()), read):  # "average precision" is a name, not a mean
        return UsageError('"{text}" is written {plain}.', text=text, plain=plain)
    mean = _MEAN.fullmatch(text.strip())
    if mean and (plain := _plain(mean["plain"], read)):
        return UsageError(
            '"{text}" names a measure and a mean. What is shown of a run is the mean over its queries: write {plain}.',
            text=text,
            plain=plain,
        )
    return None


def _choice(name: str, value: str) -> str:
    """The convention that a setting is, with its value; nothing where it is none."""
    own = {row.name for row in CONVENTIONS} - {"gain", "rel"}  # those two are settings, too
    return f"{name}={value}" if name in own else CHOICES.get(name, {}).get(value.casefold(), "")


def _own(text: str, chosen: Iterable[str], read: Reader) -> bool:
    """True where a measure that `text` names has one of the settings itself; then its value is what is wrong."""
    names = {setting.partition("=")[0].strip() for setting in chosen}
    return any(s.in_name and s.name in names for measure in read(text) for s in measure.every_setting)


def _without(text: str, settings: Iterable[str]) -> str:
    """A name without some of its settings."""
    for setting in settings:
        text = text.replace(setting, "")
    return re.sub(r"(?<=\()[\s,]+|[\s,]+(?=\))|,(?=\s*,)", "", text).replace("()", "")


def _plain(text: str, read: Reader) -> str:
    """The canonical name of a text; nothing where it names no measure."""
    try:
        return ", ".join(measure.full_name for measure in read(text))
    except UsageError:
        return ""


def unknown(name: str, rows: Iterable[Measure]) -> UnknownName:
    """The error for a name that no measure has: the nearest ones, what each is, and what it needs."""
    homes = {text: row for row in rows for text in _texts(row)}
    near: dict[Measure, str] = {}
    for text in _close(name, list(homes)):
        near.setdefault(homes[text], text)
    if not near:
        return UnknownName(
            'There is no measure "{name}", and none that looks like it. "rankproof measures" lists all {n}.',
            name=name,
            n=len(set(homes.values())),
        )
    nearest = dict(list(near.items())[:3])
    return UnknownName(
        'There is no measure "{name}". Did you mean: {near}? {about}.',
        name=name,
        near=", ".join(nearest.values()),
        about=tuple(_about(row) for row in nearest),
    )


def _texts(row: Measure) -> Iterator[str]:
    """Everything by which a measure may be looked for."""
    yield from (row.name, *row.also, row.title, *(one.text for one in row.spelt))


def _close(name: str, known: list[str]) -> list[str]:
    """The known texts that look like `name`, the nearest first; letters of either case where there is none."""
    from difflib import get_close_matches  # not loaded where every name is known

    near = get_close_matches(name, known, n=12, cutoff=0.5)
    folded = {one.casefold(): one for one in known}
    return near or [folded[one] for one in get_close_matches(name.casefold(), folded, n=12, cutoff=0.5)]


def _about(row: Measure) -> Words:
    """What a measure is, and what it needs that its name alone does not say."""
    taken = ", ".join(s.name for s in row.settings if s.in_name and (s.always or s.default is None))
    needs = say("needs nothing more")
    if row.cutoff == "required":
        needs = say("needs a cutoff and takes {settings}", settings=taken) if taken else say("needs a cutoff")
    elif taken:
        needs = say("takes {settings}", settings=taken)
    return say("{name} is {title} and {needs}", name=row.name, title=say(row.title), needs=needs)
