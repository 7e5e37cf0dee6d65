"""A game whose answers are finite: two seats point at once, the first one counts, then the other replies."""
import enum
from dataclasses import dataclass
from typing import Optional

import agon


class Way(enum.Enum):
    up = "upwards"
    down = "downwards"


@dataclass
class Pointing:
    way: Way = agon.field(Way.up, "where you point")
    sure: bool = agon.field(False, "whether you are sure")


@dataclass
class Count:
    n: int = agon.field(0, "a number", min=0, max=9)


@dataclass
class Reply:
    way: Optional[Way] = agon.field(None, "where you point, if anywhere")


@dataclass
class Seen:
    secret: int = agon.field(0, "your own number", min=0, max=1000)


POINT = agon.Stage("point", Pointing, "where you point", view=Seen)
COUNT = agon.Stage("count", Count, "a number of 2 to 4", view=Seen)
REPLY = agon.Stage("reply", Reply, "whether you point again")


def play(table: agon.Table[POINT, COUNT, REPLY]):
    secrets = [table.chance("secret", seat).between(1, 1000) for seat in range(2)]
    pointed = table.ask_all(range(2), POINT, lambda seat: agon.asking(view=Seen(secrets[seat])))
    n = table.ask(0, COUNT, agon.limit("n", 2, 4), view=Seen(secrets[0]), fallback=Count(2)).n
    way = table.ask(1, REPLY).way
    return [agon.SeatScore(n + pointed[0].sure, disagreement=0, ideal=5),
            agon.SeatScore(-1 if way is None else n, disagreement=0, ideal=5)]


agon.game("finite", play, seats=(2, 2), rules="Point, count, reply.", score="points", disagreement="0", ideal="5")
