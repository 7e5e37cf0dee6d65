"""A game that uses all that agon_arena has: what the arena hands it is checked where it arrives."""
import enum
from dataclasses import dataclass
from typing import Dict, List, Optional, Union

import agon


class Mood(enum.Enum):
    glad = "all is well"
    sad = "it is not"


@dataclass
class Buy:
    price: agon.Money = agon.field(agon.Money(100), "a price", min=agon.Money(0), max=agon.major(10), unit="dollars")


@dataclass
class Leave:
    pass


@dataclass
class Move:
    action: Union[Buy, Leave] = agon.field(Leave(), "what you do")
    mood: Mood = agon.field(Mood.sad, "your mood")
    amounts: List[int] = agon.field([], "amounts", length=(0, 3), min=0, max=9)
    maybe: Optional[float] = agon.field(None, "perhaps", min=0, max=1)
    word: str = agon.field("x", "a word", length=(1, 5))
    by_name: Dict[str, int] = agon.field({}, "by name", min=0, max=3)
    yes: bool = agon.field(False, "yes or no")


@dataclass
class Total:
    matches: int = agon.field(0, "matches so far")


@dataclass
class Luck:
    die: int = agon.field(0, "a number")
    share: float = agon.field(0.0, "a share")
    seat: int = agon.field(0, "a seat", seat=True)
    order: List[int] = agon.field([], "an order")
    dealt: List[int] = agon.field([], "what was dealt")
    before: Optional[int] = agon.field(None, "what was carried over")


@dataclass
class Metrics:
    paid: agon.Money = agon.field(agon.Money(0), "what was paid", unit="dollars")
    mood: Optional[Mood] = agon.field(None, "the mood")


MOVE = agon.Stage("move", Move, "a move", view=Luck)
LUCK = agon.Note("luck", Luck, "what chance brought")


def play(table: agon.Table[MOVE, LUCK]):
    order = [1, 2, 3, 4]
    table.chance("order").shuffle(order)
    chance = table.chance("several", 1, 2)
    before = table.carried(0, Total)
    luck = Luck(chance.between(1, 6), chance.unit(), chance.one_of([0, 1]), order,
                [table.deal("turn", 3), table.deal("drawn", 3, "by_draw")], before.matches if before else None)
    table.note(LUCK, luck)
    got = []
    for seat in range(table.seats):
        a = table.ask(seat, MOVE, agon.allow("action", Buy), agon.limit("action.buy.price", agon.Money(50), agon.major(2)),
                      agon.allow("mood", Mood.glad), agon.limit_each("amounts", [1, 2]), agon.limit("maybe", 0.25, 0.5),
                      agon.presence("maybe", False, True), agon.one_of("word", ["x", "yy"]), agon.keys("by_name", ["u", "v"]),
                      agon.allow("yes", True), view=luck, check=lambda a: "" if sum(a.amounts) < 3 else "too much",
                      fallback=Move(Buy(agon.Money(50)), Mood.glad, [0, 0], 0.25, "x", {"u": 0, "v": 0}, True))
        assert isinstance(a.action, Buy) and agon.Money(50) <= a.action.price <= agon.major(2), a
        assert a.mood is Mood.glad and a.yes is True and 0.25 <= a.maybe <= 0.5 and a.word in ("x", "yy"), a
        assert len(a.amounts) == 2 and sum(a.amounts) < 3 and sorted(a.by_name) == ["u", "v"], a
        got.append(agon.SeatScore(a.action.price, agon.Money(0), agon.major(2), metrics=Metrics(a.action.price, a.mood)))
    table.carry(0, Total((before.matches if before else 0) + 1))
    return got


agon.game("everything", play, title="Everything", rules="Move.", score="the price", disagreement="none", ideal="two dollars",
          score_decimals=2, seat_metrics=Metrics)
