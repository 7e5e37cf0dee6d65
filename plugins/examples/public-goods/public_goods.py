"""Repeated public goods with punishment: the same game as public_goods.cpp, rule for rule.

In every period all members of a group give some of their tokens to a project that pays all of them,
whoever gave; then they may take income from others at a cost of their own. After the experiments of
Fehr and Gaechter (2000, 2002), with a message to the group in each period added.
"""

import enum
from dataclasses import dataclass
from typing import List, Optional

import agon_arena as agon


class Punishment(enum.Enum):
    none = "nobody can take income from others"
    points = "a point costs one token and takes `harm` tokens from whom it is for"
    tenths = "a point takes a tenth of the income; ten of them cost 30 tokens, fewer cost less each"


@dataclass
class Settings:
    players: int = agon.field(4, "members of the group", min=4, max=8,
                              source="Fehr and Gaechter 2000 and 2002: 4")
    periods: int = agon.field(6, "periods to play", min=1, max=50,
                              source="Fehr and Gaechter 2002: 6; 2000: 10")
    endowment: int = agon.field(20, "tokens each member gets in every period", min=1, max=1000,
                                unit="tokens", source="Fehr and Gaechter 2000 and 2002: 20")
    return_percent: int = agon.field(40, "what each member gets of all that is given", min=1, max=99,
                                     unit="percent", source="Fehr and Gaechter 2000 and 2002: 40")
    punishment: Punishment = agon.field(Punishment.points, "how members can take income from others")
    most_points: int = agon.field(10, "points for one member in a period, at most", min=1, max=10,
                                  unit="points", source="Fehr and Gaechter 2000 and 2002: 10")
    harm: int = agon.field(3, "what a point takes, where it costs one token", min=1, max=10,
                           unit="tokens", source="Fehr and Gaechter 2002: 3")
    message_length: int = agon.field(200, "characters of a message before each period; 0: no messages",
                                     min=0, max=1000, source="of our own: their members did not talk")
    beliefs: bool = agon.field(True, "members are asked what they expect the others to give")
    end_percent: int = agon.field(0, "chance after each period that it was the last", min=0, max=50,
                                  unit="percent", source="of our own")


@dataclass
class Message:
    text: str = agon.field("", "what you say to the group; it may be empty")


@dataclass
class Belief:
    average: float = agon.field(0.0, "what the others give this period, on average", min=0,
                                unit="tokens")


@dataclass
class Contribution:
    amount: int = agon.field(0, "what you give to the project", min=0, unit="tokens")


@dataclass
class Points:
    points: List[int] = agon.field([], "points for each of the others, in the order shown", min=0)


@dataclass
class Now:
    period: int = agon.field(1, "this period, from 1")
    endowment: int = agon.field(0, "what you can give or keep", unit="tokens")
    income: float = agon.field(0.0, "yours of all periods so far", unit="tokens")


@dataclass
class Given:
    period: int = agon.field(1, "this period, from 1")
    own: int = agon.field(0, "what you gave", unit="tokens")
    others: List[int] = agon.field([], "what the others gave, the most first",
                                   unit="tokens")
    income: float = agon.field(0.0, "yours of this period so far", unit="tokens")


@dataclass
class Said:
    period: int = agon.field(1, "the period, from 1")
    seat: int = agon.field(0, "who says it", seat=True)
    text: str = agon.field("", "the words")


@dataclass
class Project:
    period: int = agon.field(1, "the period, from 1")
    total: int = agon.field(0, "what all gave together", unit="tokens")


@dataclass
class Settled:
    period: int = agon.field(1, "the period, from 1")
    received: int = agon.field(0, "points that the others gave you", unit="points")
    cost: int = agon.field(0, "what your own points cost you", unit="tokens")
    income: float = agon.field(0.0, "yours of this period", unit="tokens")


@dataclass
class Truth:
    period: int = agon.field(1, "the period, from 1")
    given: List[int] = agon.field([], "what each seat gave", unit="tokens")
    expected: List[Optional[float]] = agon.field([], "what each expected of the others, if it said so",
                                                 unit="tokens")
    received: List[int] = agon.field([], "points that each got", unit="points")


@dataclass
class SeatMetrics:
    given_share: float = agon.field(0.0, "given of all tokens", min=0, max=1)
    points_given: int = agon.field(0, "points given to others", min=0)
    points_received: int = agon.field(0, "points got from others", min=0)
    punished_below: Optional[float] = agon.field(
        None, "of the points given, how many went to who had given less", min=0, max=1)
    belief_error: Optional[float] = agon.field(
        None, "how far what was expected was off, on average", min=0, unit="tokens", better="lower")


@dataclass
class MatchMetrics:
    given_share: float = agon.field(0.0, "given of all tokens", min=0, max=1, better="higher")
    last_share: float = agon.field(0.0, "the same in the last period", min=0, max=1)
    periods_played: int = agon.field(0, "periods", min=1)


def tell_said(said, scene):
    """Words of a member; who was silent said nothing."""
    return scene.does(said.seat, "says: ", "say: ") + agon.speech(said.text) if said.text else ""


SAY = agon.Stage("say", Message, "a message to the whole group before it decides", view=Now)
EXPECT = agon.Probe("expect", Belief, "what the others give this period, on average", view=Now,
                    purpose="belief")
GIVE = agon.Stage("give", Contribution, "how much of your tokens you give to the project", view=Now)
PUNISH = agon.Stage("punish", Points, "points for each of the others", view=Given)
SAID = agon.Event("said", Said, "a member's message", telling=tell_said)
PROJECT = agon.Event("project", Project, "what the group gave")
SETTLED = agon.PrivateEvent("settled", Settled, "how the period ended for you")
TRUTH = agon.Note("truth", Truth, "who gave, expected and was punished")

# What 0 to 10 points for one member cost (Fehr and Gaechter 2000, table 2).
COSTS_OF_TENTHS = (0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30)


def cost(s, points):
    if s.punishment is Punishment.tenths:
        return sum(COSTS_OF_TENTHS[n] for n in points)
    return sum(points)


def after_punishment(s, income, received):
    if s.punishment is Punishment.tenths:
        return income * (10 - min(received, 10)) / 10
    return max(0.0, income - s.harm * received)


class Match:
    def __init__(self, table, s):
        self.table = table
        self.s = s
        self.seats = range(table.seats)
        self.incomes = [0.0] * table.seats
        self.given = [0] * table.seats
        self.below = [0] * table.seats
        self.errors = [[0.0, 0] for _ in self.seats]  # sum and number
        self.metrics = [SeatMetrics() for _ in self.seats]
        self.period = 0
        self.last = 0

    def now(self, seat):
        return Now(self.period, self.s.endowment, self.incomes[seat])

    def talk(self):
        if self.s.message_length == 0:
            return
        said = self.table.ask_all(self.seats, SAY, lambda seat: agon.asking(
            agon.limit_length("text", 0, self.s.message_length), view=self.now(seat)))
        for seat in self.seats:
            self.table.announce(SAID, Said(self.period, seat, said[seat].text))

    def expect(self):
        if not self.s.beliefs:
            return [None] * len(self.seats)
        beliefs = self.table.probe_all(self.seats, EXPECT, lambda seat: agon.asking(
            agon.limit("average", 0, self.s.endowment), view=self.now(seat)))
        return [None if belief is None else belief.average for belief in beliefs]

    def give(self):
        answers = self.table.ask_all(self.seats, GIVE, lambda seat: agon.asking(
            agon.limit("amount", 0, self.s.endowment), view=self.now(seat)))
        return [answer.amount for answer in answers]

    def punish(self, given, incomes):
        """Points by who gives and who gets them."""
        points = [[0] * len(self.seats) for _ in self.seats]
        if self.s.punishment is Punishment.none:
            return points
        # The others are shown by what they gave, so that nobody has a name to remember; who of those
        # that gave the same comes first is drawn, so that no seat has more to fear than another.
        order = list(self.seats)
        self.table.chance("order", self.period).shuffle(order)
        order.sort(key=lambda seat: -given[seat])
        others = [[other for other in order if other != seat] for seat in self.seats]

        def affordable(seat):
            def check(answer):
                spent = cost(self.s, answer.points)
                return "" if spent <= incomes[seat] else "your points cost more than your income"
            return check

        answers = self.table.ask_all(self.seats, PUNISH, lambda seat: agon.asking(
            agon.limit_each("points", [self.s.most_points] * len(others[seat])),
            agon.usual("points", 0, 1),
            check=affordable(seat),
            fallback=Points([0] * len(others[seat])),
            view=Given(self.period, given[seat], [given[other] for other in others[seat]],
                       incomes[seat])))
        for seat in self.seats:
            for other, n in zip(others[seat], answers[seat].points):
                points[seat][other] = n
        return points

    def play_period(self):
        s, seats = self.s, self.seats
        self.period += 1
        self.talk()
        expected = self.expect()
        given = self.give()
        total = sum(given)
        self.last = total
        self.table.announce(PROJECT, Project(self.period, total))
        incomes = [s.endowment - given[seat] + total * s.return_percent / 100 for seat in seats]
        points = self.punish(given, incomes)
        received = [sum(points[other][seat] for other in seats) for seat in seats]
        for seat in seats:
            spent = cost(s, points[seat])
            income = after_punishment(s, incomes[seat], received[seat]) - spent
            self.incomes[seat] += income
            self.given[seat] += given[seat]
            mine = self.metrics[seat]
            mine.points_given += sum(points[seat])
            mine.points_received += received[seat]
            self.below[seat] += sum(points[seat][other] for other in seats if given[other] < given[seat])
            if expected[seat] is not None:
                average = (total - given[seat]) / (len(seats) - 1)
                self.errors[seat][0] += abs(expected[seat] - average)
                self.errors[seat][1] += 1
            self.table.tell(seat, SETTLED, Settled(self.period, received[seat], spent, income))
        self.table.note(TRUTH, Truth(self.period, given, expected, received))

    def is_over(self):
        if self.period == self.s.periods:
            return True
        return self.s.end_percent > 0 and self.table.chance("end", self.period).happens(
            self.s.end_percent / 100)

    def outcome(self):
        s, others = self.s, len(self.seats) - 1
        tokens = s.endowment * self.period
        # At best a seat gives no more than it takes to leave the others, who give all, whole.
        own = max(0.0, s.endowment * (100 - others * s.return_percent) / s.return_percent)
        best = s.endowment - own + (others * s.endowment + own) * s.return_percent / 100
        got = []
        for seat in self.seats:
            mine = self.metrics[seat]
            mine.given_share = self.given[seat] / tokens
            if mine.points_given > 0:
                mine.punished_below = self.below[seat] / mine.points_given
            if self.errors[seat][1] > 0:
                mine.belief_error = self.errors[seat][0] / self.errors[seat][1]
            got.append(agon.SeatScore(self.incomes[seat], disagreement=tokens, ideal=best * self.period,
                                      metrics=mine))
        of_all = tokens * len(self.seats)
        return agon.Outcome(got, MatchMetrics(sum(self.given) / of_all,
                                              self.last / (s.endowment * len(self.seats)), self.period))


def play(table: agon.Table[SAY, EXPECT, GIVE, PUNISH, SAID, PROJECT, SETTLED, TRUTH], s: Settings):
    match = Match(table, s)
    while True:
        match.play_period()
        if match.is_over():
            return match.outcome()


def rules(s):
    text = (f"You are one of {s.players} members of a group. In each period each of you gets {s.endowment} "
            "tokens and gives some of them to a project, all at the same time. What you do not give is "
            f"yours. Every member gets {s.return_percent}% of all that the group gave, whoever gave it.")
    if s.punishment is not Punishment.none:
        text += (f" Then you see what each of the others gave, without names, and may give each of them 0 to "
                 f"{s.most_points} points. ")
        if s.punishment is Punishment.points:
            text += f"A point costs you one token and takes {s.harm} tokens from whom it is for, never more " \
                    "than the income of the period."
        else:
            text += "A point takes a tenth of the period's income from whom it is for. Points for one member " \
                    "cost 1, 2, 4, 6, 9, 12, 16, 20, 25 and 30 tokens, for 1 to 10 of them."
        text += " Points may not cost you more than your income of the period."
    text += f" The number of periods is {s.periods}."
    if s.end_percent > 0:
        text += f" After each of them it ends with a chance of {s.end_percent}%."
    return text


def seating(s):
    return ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"][:s.players]


def check(s):
    if s.players * s.return_percent <= 100:
        return ("what the group gives has to pay it more than it costs: raise return_percent or players, so "
                "that their product is more than 100")
    return ""


agon.game(
    "public-goods", play, title="Public goods with punishment", seats=(4, 8), rules=rules,
    seating=seating, check=check,
    source="Fehr and Gaechter, Cooperation and Punishment in Public Goods Experiments, American "
           "Economic Review 90 (2000); Altruistic punishment in humans, Nature 415 (2002)",
    score="income of all periods, in tokens", disagreement="nobody gives and nobody punishes",
    ideal="all others give all, and the seat as little as leaves them no worse off than alone",
    seat_metrics=SeatMetrics, match_metrics=MatchMetrics,
    presets=[
        agon.Preset("agon", "six periods with messages and beliefs"),
        agon.Preset("altruistic-punishment", "Fehr and Gaechter 2002: a point costs one token and takes 3",
                    {"message_length": 0, "beliefs": False}),
        agon.Preset("partners", "Fehr and Gaechter 2000: ten periods, points that take tenths",
                    {"periods": 10, "punishment": "tenths", "message_length": 0, "beliefs": False}),
        agon.Preset("no-punishment", "ten periods without points",
                    {"periods": 10, "punishment": "none", "message_length": 0, "beliefs": False})])
