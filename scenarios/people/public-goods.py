"""The public goods game."""
from dataclasses import dataclass

import agon_arena as agon


@dataclass
class Settings:
    rounds: int = agon.field(1, "rounds", min=1)


@dataclass
class Give:
    points: int = agon.field(0, "what you give to the project", min=0, max=100)


@dataclass
class Round:
    total: int = agon.field(0, "what all gave")
    share: float = agon.field(0, "what each receives")


GIVE = agon.Stage("give", Give, "what you give to the project")
ROUND = agon.Event("round", Round, "how a round ended", telling=lambda e, scene:
                   f"The three of you gave {e.total} points. Each receives {e.share:.1f}.")


def play(table: agon.Table[GIVE, ROUND], s: Settings):
    scores = [0] * 3
    for _ in range(s.rounds):
        given = [give.points for give in table.ask_all(range(3), GIVE)]
        share = round(sum(given) * 1.8 / 3, 1)
        table.announce(ROUND, Round(sum(given), share))
        scores = [score + 100 - points + share for score, points in zip(scores, given)]
    return [agon.SeatScore(score, disagreement=100 * s.rounds, ideal=220 * s.rounds) for score in scores]


agon.game("public-goods-simple", play, title="Public goods", seats=(3, 3),
          rules="In each of {{rounds}} rounds, each of three people gives some of 100 points to a project. "
                "What all gave is multiplied by 1.8 and divided equally.",
          score="points", disagreement="nobody gives", ideal="the others give all")
