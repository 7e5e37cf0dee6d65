"""The trust game of Berg, Dickhaut and McCabe (1995)."""
from dataclasses import dataclass

import agon_arena as agon


@dataclass
class Settings:
    endowment: int = agon.field(100, "points that A begins with", min=1)
    factor: int = agon.field(3, "what A sends is multiplied by this", min=2)


@dataclass
class Points:
    points: int = agon.field(0, "what you send", unit="points")


@dataclass
class Sent:
    points: int = agon.field(0, "what A sent")
    arrived: int = agon.field(0, "what B received")


SEND = agon.Stage("send", Points, "what A sends to B", who="A")
RETURN = agon.Stage("return", Points, "what B sends back to A", who="B")
SENT = agon.Event("sent", Sent, "what A sent", telling=lambda e, scene:
                  f"A sent {e.points} points. B received {e.arrived}.")
RETURNED = agon.Event("returned", Points, "what B sent back", telling=lambda e, scene:
                      f"B sent back {e.points} points.")


def play(table: agon.Table[SEND, RETURN, SENT, RETURNED], s: Settings):
    sent = table.ask(0, SEND, agon.limit("points", 0, s.endowment)).points
    arrived = s.factor * sent
    table.announce(SENT, Sent(sent, arrived))
    back = table.ask(1, RETURN, agon.limit("points", 0, arrived)).points
    table.announce(RETURNED, Points(back))
    most = s.factor * s.endowment
    return [agon.SeatScore(s.endowment - sent + back, disagreement=s.endowment, ideal=most),
            agon.SeatScore(arrived - back, disagreement=0, ideal=most)]


agon.game("trust", play, title="Trust", seats=(2, 2),
          seating=lambda s: [agon.SeatCard("A", "A"), agon.SeatCard("B", "B")],
          rules="A has {{endowment}} points and B has nothing. A sends B any number of them, and B "
                "receives {{factor}} times that number. Then B sends A back as many of these as B likes.",
          score="points in the end", disagreement="A sends nothing", ideal="all that there can be")
