"""Records of Alympics' water games, as matches of water-allocation."""

import dataclasses
import re

import agon_arena as agon

MEND = "give the records as Alympics publishes them: WAC_nopersona_10_20_1.json, ..."
MODEL = "gpt-4-32k"
RESIDENTS = ("Alex", "Bob", "Cindy", "David", "Eric")
DAYS = 20


class Words:
    """Reads a line of the log from left to right."""

    def __init__(self, node, text):
        self.node = node
        self.rest = text

    def up_to(self, mark):
        """Goes behind the next place of `mark`, and returns what was before it."""
        before, found, rest = self.rest.partition(mark)
        if not found:
            self.node.fail(f'what is said of a day lacks "{mark}"', MEND)
        self.rest = rest
        return before

    def takes(self, mark):
        """True, and behind it, if the mark comes next."""
        if not self.rest.startswith(mark):
            return False
        self.rest = self.rest[len(mark):]
        return True

    def number(self):
        return float(self._take(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", "number"))

    def whole(self):
        return int(self._take(r"-?\d+", "whole number"))

    def _take(self, pattern, what):
        found = re.compile(pattern, re.ASCII | re.IGNORECASE).match(self.rest)
        if not found:
            self.node.fail(f'there is no {what} at "{self.rest[:20]}"', MEND)
        self.rest = self.rest[found.end():]
        return found[0]


@dataclasses.dataclass
class Evening:
    """How a resident came through a day."""

    name: str
    balance: float
    hp: int
    no_drink: int


class LoggedDay:
    """A day as it was announced in the evening."""

    def __init__(self, node, words):
        self.bids, self.evenings = {}, []
        words.up_to("In this round, ")
        for item in words.up_to(".\nTotal water resource supply is ").split(", "):
            bid = Words(node, item)
            name = bid.up_to(" bid ")
            self.bids[name] = bid.number()  # what nobody could read is logged as a bid below 0
        self.supply = words.whole()
        words.up_to("tied, ")
        self.winners = words.up_to(" won this auction").split(", ")
        words.up_to("as follows: ")
        while words.takes("NAME:"):
            name = words.up_to("\tBALANCE:")
            balance = words.number()
            words.up_to("\tHEALTH POINT:")
            hp = words.whole()
            words.up_to("\tNO_DRINK:")
            self.evenings.append(Evening(name, balance, hp, words.whole()))
            words.takes("\n")


class LoggedGame:
    """All that the residents' records of one game say."""

    def __init__(self):
        self.supply = (0, 0)
        self.persona = False
        self.days = {}
        self.reasons = {}  # what residents said for their bids, by name and day

    def read_resident(self, record):
        name, day = "", 0
        for i, said in enumerate(record):
            content = said["content"]
            words = Words(content, content.text())
            if said["role"].text() == "assistant":
                self.reasons[name, day] = content.text()
            elif words.takes("Hello, "):
                name = words.up_to("!")
                words.up_to("Today is the Day ")
                day = words.whole()
            elif words.takes("Thank you all for participating in Round "):
                number = words.whole()
                if number not in self.days:
                    self.days[number] = LoggedDay(content, words)
            elif i == 0:
                self.persona = "Your Profession:" in words.rest
                words.up_to("total daily water supply will vary between ")
                low = words.whole()
                words.up_to(" and ")
                self.supply = (low, words.whole())


def add_figures(day, number, match):
    for i, evening in enumerate(day.evenings):
        for what, member, value in (("water", "won", evening.name in day.winners),
                                    ("balance", "balance", agon.plain(evening.balance)),
                                    ("health", "hp", evening.hp), ("no-drink days", "no_drink", evening.no_drink)):
            match.figures.append(agon.PublishedFigure(f"day {number}: {what} of {evening.name}", "day", number - 1,
                                                      f"/residents/{i}/{member}", value))


def match_of(file, root, game):
    match = agon.PublishedMatch(file.name, 1, goes_on=True)
    days = sorted(game.days.items())
    for name in RESIDENTS:
        seat = agon.PublishedSeat(MODEL)
        for number, day in days:
            if name in day.bids:
                bid = day.bids[name]
                seat.say("bid", {"bid": None if bid < 0 else agon.plain(bid)}, game.reasons.get((name, number), ""))
        if not seat.answers:
            root.fail(f"{name} bids on no day", MEND)
        match.seats.append(seat)
    for expected, (number, day) in enumerate(days, 1):
        if number != expected:
            root.fail(f"day {expected} is missing: the log is cut", MEND)
        match.draws.append(agon.PublishedDraw("supply", [number], [day.supply]))
        add_figures(day, number, match)
    living = sum(evening.hp > 0 for evening in days[-1][1].evenings)
    if len(days) < DAYS and living > 0:
        root.fail(f"the log ends after day {len(days)} of {DAYS}, and {living} of the residents live on: it is cut",
                  MEND)
    match.figures.append(agon.PublishedFigure("survivors", "", 0, "/metrics/survivors", living))
    return match


def read_game(file, imported):
    root = file.json()
    if not isinstance(root.value, dict) or root.find("A") is None:
        root.fail("this is no record of the water game: the residents' records, A to E, are not there", MEND)
    game = LoggedGame()
    for _, record in root.items():
        game.read_resident(record)
    if not game.days:
        root.fail("there is no day in the log", MEND)
    match = match_of(file, root, game)
    low, high = game.supply
    match.scenario = imported.place(agon.PublishedScenario(
        f"supply {low} to {high}, {'persona' if game.persona else 'no persona'}", "water-allocation",
        {"preset": "paper", "supply": [low, high], "persona": game.persona}))
    imported.matches.append(match)


def read(files):
    imported = agon.read_each(files, read_game)
    days = sum(len(match.draws) for match in imported.matches)
    imported.summary = f"{len(imported.matches)} games with {days} days of water"
    return imported


agon.importer(
    "alympics-water",
    "reads the records of Alympics' water games (WAC_*.json, one game each), as matches of water-allocation",
    read, extension=".json", imports="matches",
    source="github.com/microsoft/Alympics, exp/WAC/records.zip (Mao et al. 2023)", licence="MIT")
