"""Prints what goes over the wire as JSON schemas, one for each file of the client's types."""

import sys
from typing import Any

import msgspec

from tischlein.games import game_named, game_names
from tischlein.people.carried import Carried
from tischlein.primer import ToldPrimer
from tischlein.server import cup_wire, wire
from tischlein.server import me_wire as w
from tischlein.server.boards import Board, OwnRatings

FRAMES = [
    wire.OpenTable, wire.TakeSeat, wire.PlaceBot, wire.NameStarter, wire.AddWord, wire.PlayOn,
    wire.PlayAgain, wire.Held, wire.TableInfo, wire.Hello, wire.MoveFrame, wire.Ping,
    wire.Ask, wire.Hold, wire.React, wire.StateFrame, wire.ToldFrame, wire.RefusedFrame,
    wire.Seek, wire.Looked, wire.OpenTables,
    wire.Reaction, wire.Pong, wire.Advice, wire.ToldLesson, ToldPrimer,
    wire.WantNudges, wire.PushKey, wire.Nudging,
    cup_wire.OpenCup, cup_wire.CupHeld, cup_wire.CupSelf, cup_wire.CupInfo,
    w.Me, w.LetIn, w.Link, w.PaperCode, w.MySettings, w.MyCarried, w.Marked, Carried,
    Board, OwnRatings,
    wire.AboutHouse,
    wire.ToldMine, wire.ToldGames, wire.ToldFigures,
]  # fmt: skip


def main() -> None:
    """Print all schemas as one JSON object."""
    found = {"wire/frames": bundle(FRAMES)}
    for name in game_names():
        rules = game_named(name)
        found[f"games/{name}/wire"] = bundle([rules.View, rules.Options, *rules.Move.__args__])
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")


def bundle(kinds: list[Any]) -> dict[str, Any]:
    """Put types into one schema whose definitions have the types' own names."""
    _, defs = msgspec.json.schema_components(kinds, ref_template="#/definitions/{name}")
    return {
        "title": "All",
        "type": "object",
        "additionalProperties": False,
        "definitions": {name: plain(found) for name, found in defs.items()},
        "properties": {name: {"$ref": f"#/definitions/{name}"} for name in defs},
        "required": list(defs),
    }


def plain(schema: Any) -> Any:
    """Write tuples in the older way that the generator knows, and close every object."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: plain(value) for key, value in schema.items()}
    if "prefixItems" in found:
        found["items"] = found.pop("prefixItems")
    elif found.get("type") == "array":
        found.pop("minItems", None)
        found.pop("maxItems", None)
    if found.get("type") == "object" and "properties" in found:
        found["additionalProperties"] = False
    return found


if __name__ == "__main__":
    main()
