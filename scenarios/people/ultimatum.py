"""The ultimatum game, with a direct response or the strategy method."""
from dataclasses import dataclass
from typing import Dict

import agon_arena as agon


@dataclass
class Settings:
    pie: int = agon.field(100, "points to divide", min=1)
    step: int = agon.field(10, "offers are multiples of this", min=1)
    strategy: bool = agon.field(True, "the responder decides on every possible offer, before the offer is known")


@dataclass
class Offer:
    points: str = agon.field("0", "points that you offer")


@dataclass
class Reply:
    accept: bool = agon.field(False, "whether you accept this offer")


@dataclass
class Replies:
    accept: Dict[str, bool] = agon.field({}, "whether you accept, by points offered")


@dataclass
class Result:
    points: str = agon.field("0", "the offer")
    accepted: bool = agon.field(False, "whether it was accepted")


OFFER = agon.Stage("offer", Offer, "what the proposer offers", who="proposer")
REPLY = agon.Stage("reply", Reply, "whether the responder accepts", who="responder")
REPLIES = agon.Stage("replies", Replies, "which offers the responder accepts", who="responder")
OFFERED = agon.Event("offered", Offer, "the offer", telling=lambda e, scene: f"The offer is {e.points} points.")
RESULT = agon.Event("result", Result, "how it ended", telling=lambda e, scene:
                    f"The offer of {e.points} points is {'accepted' if e.accepted else 'rejected'}.")


def play(table: agon.Table[OFFER, REPLY, REPLIES, OFFERED, RESULT], s: Settings):
    offers = [str(n) for n in range(0, s.pie + 1, s.step)]
    points = table.ask(0, OFFER, agon.one_of("points", offers)).points
    if s.strategy:
        accepted = table.ask(1, REPLIES, agon.keys("accept", offers),
                             fallback=Replies({n: False for n in offers})).accept[points]
    else:
        table.announce(OFFERED, Offer(points))
        accepted = table.ask(1, REPLY).accept
    table.announce(RESULT, Result(points, accepted))
    given = int(points) if accepted else 0
    return [agon.SeatScore(s.pie - given if accepted else 0, disagreement=0, ideal=s.pie),
            agon.SeatScore(given, disagreement=0, ideal=s.pie)]


def rules(s):
    how = ("says for each possible offer whether to accept it, before the offer is known"
           if s.strategy else "sees the offer and accepts or rejects it")
    return (f"The proposer offers the responder a part of {s.pie} points, in steps of {s.step}. The responder {how}. "
            "An accepted offer is carried out. After a rejected one, both get nothing.")


agon.game("ultimatum", play, title="Ultimatum", seats=(2, 2), rules=rules,
          seating=lambda s: [agon.SeatCard("Proposer", "proposer"), agon.SeatCard("Responder", "responder")],
          score="points", disagreement="nothing", ideal="all points")
