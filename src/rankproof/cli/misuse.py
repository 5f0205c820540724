"""Wrong use of the command line: what click reports, said in our own words."""

import re

import click

from rankproof.errors import UnknownName
from rankproof.wording import Words, say


def misuse(error: click.ClickException) -> Words:
    """What is wrong and what was expected; click's own words where we have none."""
    if isinstance(error, click.NoSuchOption):
        unknown = UnknownName.of(say("option"), error.option_name, _options(error.ctx))
        return Words(unknown.template, unknown.facts)
    if isinstance(error, click.BadOptionUsage):
        named = {"name": error.option_name}
        if "not take a value" in error.message:
            return say("The option {name} takes no value.", **named)
        return say("The option {name} needs a value.", **named)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        if isinstance(error.param, click.Option):
            return say("The option {name} is missing.", name=_name(error.param))
        return say("The argument {name} is missing.", name=_name(error.param))
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error, error.param)
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", error.message)
    if extra is not None:
        return say("There are more arguments than expected: {seen}.", seen=extra[1])
    return say("{message}", message=error.format_message())


def _bad_value(error: click.BadParameter, param: click.Parameter) -> Words:
    """A value that its option does not take."""
    seen = re.match(r"'?(.*?)'? is not ", error.message, re.DOTALL)
    facts = {"name": _name(param), "seen": seen[1] if seen else ""}
    if seen and isinstance(param.type, click.Choice):
        known = ", ".join(map(str, param.type.choices))
        return say('{name} is "{seen}"; it is one of {known}.', known=known, **facts)
    if seen and isinstance(param.type, click.IntRange) and param.type.min is not None:
        lowest = param.type.min
        return say('{name} is "{seen}"; expected a whole number from {lowest}.', lowest=lowest, **facts)
    if seen and param.type is click.INT:
        return say('{name} is "{seen}"; expected a whole number.', **facts)
    return say("{message}", message=error.format_message())


def _options(ctx: click.Context | None) -> list[str]:
    """The long options of the command that was called."""
    params = ctx.command.get_params(ctx) if ctx is not None else []
    return [name for param in params for name in param.opts if name.startswith("--")]


def _name(param: click.Parameter) -> str:
    """An option as it is typed, an argument as the usage line names it."""
    return " / ".join(param.opts) if isinstance(param, click.Option) else param.human_readable_name
