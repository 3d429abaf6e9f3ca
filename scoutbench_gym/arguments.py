"""From the text of a tool call's arguments to checked values. Whatever is wrong becomes a message for the agent."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

ARGUMENTS_LIMIT = 100_000  # characters; a map of forty centres takes about 3,000

Schema = Mapping[str, Any]  # the part of JSON Schema that `check` knows


class ToolError(ValueError):
    """A call that is rejected: what is wrong, what is allowed."""


def parse(text: Any) -> dict[str, Any]:
    """The JSON object in a text.

    Raises:
        ToolError: if it is longer than 100,000 characters, no strict JSON, no object, or names a key twice.
    """
    if not isinstance(text, str):
        raise ToolError(f"arguments must be the text of a JSON object, not a {type(text).__name__}")
    if len(text) > ARGUMENTS_LIMIT:
        raise ToolError(
            f"the arguments have {len(text)} characters; the limit is {ARGUMENTS_LIMIT}; send less at a time"
        )
    try:
        value = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except ToolError:
        raise
    except RecursionError:
        raise ToolError("the arguments are nested too deeply") from None
    except ValueError as error:
        raise ToolError(f"the arguments are not valid JSON ({error}): {shown(text)}") from error
    if not isinstance(value, dict):
        raise ToolError(f"arguments must be a JSON object such as {{}}, not {shown(value)}")
    return value


def check(value: Any, schema: Schema, where: str = "") -> None:
    """Compare a parsed value with a schema: types, bounds, required and unknown keys, numbers of items.

    Args:
        where: the path to the value, for messages; "" for the arguments as a whole.

    Raises:
        ToolError: naming the value, where it stands and what is allowed.
    """
    {"number": _check_number, "integer": _check_number, "array": _check_array, "object": _check_object}[schema["type"]](
        value, schema, where
    )


def shown(value: Any) -> str:
    """A value as JSON, cut short."""
    try:
        text = value if isinstance(value, str) and len(value) > 60 else json.dumps(value, default=repr)
    except (TypeError, ValueError, RecursionError):  # odd keys, a circle, digits without end, nesting without end
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def listed(names: Iterable[str], most: int = 50) -> str:
    """Names in a row, cut short."""
    names = list(names)
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def _check_number(value: Any, schema: Schema, where: str) -> None:
    kinds, noun = ((int,), "an integer") if schema["type"] == "integer" else ((int, float), "a number")
    if isinstance(value, bool) or not isinstance(value, kinds):
        quoted = "; write numbers without quotes" if isinstance(value, str) else ""
        raise ToolError(f"{where} must be {noun}, not {shown(value)}{quoted}")
    if not _is_finite(value):
        raise ToolError(f"{where} must be a finite number, not {shown(value)}")
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if not low <= value <= high:
        raise ToolError(f"{where} must be between {low:g} and {high:g}, not {shown(value)}")


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def _check_array(value: Any, schema: Schema, where: str) -> None:
    if not isinstance(value, list):
        raise ToolError(f"{where} must be a list, not {shown(value)}")
    least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    if not least <= len(value) <= most:
        allowed = f"exactly {least}" if least == most else f"at least {least}"
        raise ToolError(f"{where} must hold {allowed} items, not {len(value)}")
    for index, item in enumerate(value):
        check(item, schema["items"], f"{where}[{index}]")


def _check_object(value: Any, schema: Schema, where: str) -> None:
    if not isinstance(value, dict):
        raise ToolError(f"{where} must be an object, not {shown(value)}")
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    of = f" of {where}" if where else ""
    for name in schema.get("required", ()):
        if name not in value:
            raise ToolError(f"argument {shown(name)}{of} is missing; needed are {listed(schema['required'])}")
    for name, item in value.items():
        if name in properties:
            check(item, properties[name], f"{where}.{name}" if where else name)
        elif others:
            check(item, others, f"{where}[{shown(name)}]")
        else:
            allowed = f"the arguments are {listed(properties)}" if properties else "it takes none"
            raise ToolError(f"unknown argument {shown(name)}{of}; {allowed}")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ToolError(f"the arguments name {shown(name)} twice; give it once")
        found[name] = value
    return found


def _refuse_constant(name: str) -> Any:
    raise ToolError(f"{name} is not a number that JSON allows; give finite numbers")
