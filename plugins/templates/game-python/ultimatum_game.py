from dataclasses import dataclass
import agon_arena as agon
@dataclass
class Settings:
    pie: int = agon.field(10, "coins to split", min=1, unit="coins")
@dataclass
class Offer:
    give: int = agon.field(0, "coins you hand over", unit="coins")
@dataclass
class Reply:
    accept: bool = agon.field(False, "true takes the offer, false leaves both with nothing")
OFFER = agon.Stage("offer", Offer, "how many coins you hand over")
REPLY = agon.Stage("reply", Reply, "whether you take the offer")
OFFERED = agon.Event("offer", Offer, "what seat 0 hands over")
def play(table: agon.Table[OFFER, REPLY, OFFERED], s: Settings):
    offer = table.ask(0, OFFER, agon.limit("give", 0, s.pie))
    table.announce(OFFERED, offer)
    taken = table.ask(1, REPLY).accept
    return [agon.SeatScore(s.pie - offer.give if taken else 0, disagreement=0, ideal=s.pie),
            agon.SeatScore(offer.give if taken else 0, disagreement=0, ideal=s.pie)]
agon.game("ultimatum", play, title="Ultimatum", seats=(2, 2),
          rules="Seat 0 hands seat 1 some of {{pie}} coins; seat 1 agrees, or none gets any.",
          score="coins in the end", disagreement="nothing", ideal="the whole pie")
