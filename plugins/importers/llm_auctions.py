"""Result files of Learning from Synthetic Labs, as matches of sealed-bid and clock-auction."""

import dataclasses
import os

import agon_arena as agon

MEND = ("give the result files as they are published, in the folders that name their treatments: "
        "private_first_price/result_15_....json")
NAMES = ("Andy", "Betty", "Charles", "David", "Ethel", "Florian", "Greta", "Henry", "Irene", "James")
PAYMENTS = ("first_price", "second_price", "third_price", "all_pay")
INTERVENTIONS = {"menu": "menu", "proxy_breitmoser": "proxy", "nash_deviation": "nash", "strat_reveal": "direct",
                 "NE_strat_reveal": "direct", "wrong_strat_reveal": "wrong", "risk_neutrality": "risk"}
CURRENCIES = {"euro": "euros", "ruble": "roubles", "yen": "yen", "rupee": "rupees"}
LANGUAGES = ("chinese", "spanish", "hindi", "russian")


@dataclasses.dataclass
class Treatment:
    """What the folder of a log says."""

    scenario: str
    settings: dict
    clock: bool = False
    has_common: bool = False


def treatment_of(folder):
    """The treatment of a folder; None if none is called so."""
    if folder in ("affiliated_ac", "affiliated_ac_closed"):
        # The result files of clocks have the exits alone, without the plans and reflections.
        clock = "ascending" if folder == "affiliated_ac" else "ascending_blind"
        return Treatment(folder, {"clock": clock, "written": False}, clock=True, has_common=True)
    if folder == "affiliated_spsb":
        return Treatment(folder, {"payment": "second_price", "values": "affiliated"}, has_common=True)
    if folder.startswith("common_spsb_"):
        return Treatment(folder, {"payment": "second_price", "values": "common"}, has_common=True)
    group, _, rest = folder.partition("_")
    if group == "private":
        payment = rest[:-3] if rest.endswith("_15") else rest
        return Treatment(folder, {"payment": payment}) if payment in PAYMENTS else None
    if group == "intervention" and rest in INTERVENTIONS:
        return Treatment(folder, {"payment": "second_price", "intervention": INTERVENTIONS[rest]})
    if group == "robust":
        form, _, variant = rest.partition("_")
        payment = {"fpsb": "first_price", "spsb": "second_price"}.get(form)
        if payment and variant in CURRENCIES:
            return Treatment(folder, {"payment": payment, "currency": CURRENCIES[variant]})
        if payment and variant in LANGUAGES:
            return Treatment(folder, {"payment": payment})
    return None


def place_of(file):
    """Treatment and model, which the place of a file says."""
    folder = os.path.basename(os.path.dirname(file.name))
    treatment = treatment_of(folder)
    if treatment is None:
        raise agon.Refused(f"the folder '{folder}' names no treatment that is known" if folder else
                           "the file lies in no folder that names its treatment", file.name, MEND)
    parts = file.name.split("/")
    if "old_intervention" in parts:
        treatment.scenario += " (old)"  # the same prompts in an earlier wording
    return treatment, "gpt-4o" if "GPT-4o" in parts else "gpt-4-0613"


def bidder(seat):
    return "Bidder " + NAMES[seat]


def seat_of(name, seats):
    for seat in range(seats):
        if bidder(seat) == name.text():
            return seat
    return name.fail(f"'{name.text()}' is none of the {seats} bidders", MEND)


class Round:
    """A round as it is logged, in the order of the seats."""

    def __init__(self, node):
        self.line = node.line()
        values, history = node["value"], node["history"]["bidding history"]
        winner, profits = node["history"]["winner"], node["profit"]
        n = len(values)
        if len(history) != n or len(profits) != n:
            node.fail(f"there are {n} values, {len(history)} bids and {len(profits)} profits",
                      "restore the round from the publication; the log may be cut")
        self.values, self.profits = [], []
        for value, profit in zip(values, profits):
            self.values.append(value.whole())
            self.profits.append(profit.number())
        self.bids = [None] * n
        for bid in history:
            self.bids[seat_of(bid["agent"], n)] = bid["bid"].number()
        if None in self.bids:
            node.fail(f"{bidder(self.bids.index(None))} makes no bid", "restore the round from the publication")
        self.common = node["common"].whole()
        self.winner = seat_of(winner["winner"], n)
        self.price = winner["price"].number()
        plans = node.find("plan")
        self.plans = [] if plans is None else [plan.text() for plan in plans]
        self.plans = (self.plans + [""] * n)[:n]


def rounds_of(root):
    if not isinstance(root.value, dict) or root.find("round_0") is None:
        root.fail('this is no result file: there is no "round_0"', MEND)
    rounds = []
    for i in range(len(root.value)):
        node = root.find(f"round_{i}")
        if node is None:
            root.fail(f'"round_{i}" is missing', MEND)
        rounds.append(Round(node))
        if len(rounds[-1].values) != len(rounds[0].values):
            node.fail("the round has another number of bidders than the first", MEND)
    return rounds


def say_stays(root, price, wins, seat):
    """What a bidder of a clock says until the price is there: it leaves, or is the one who stays."""
    if not isinstance(price, int) or price < 0:
        root.fail(f"a clock does not stop at {price}", MEND)
    for _ in range(price):
        seat.say("stay", {"stay": True})
    seat.say("stay", {"stay": wins})


def add_figures(logged, number, clock, match):
    def add(what, event, nth, place, value):
        match.figures.append(agon.PublishedFigure(f"round {number + 1}: {what}", event, nth, place, value,
                                                  logged.line))

    add("winner", "sold", number, "/winner", bidder(logged.winner))
    add("price", "sold", number, "/price", logged.price)
    if clock:
        return  # rounds know nothing of each other, so that nobody is told of a profit
    for seat, profit in enumerate(logged.profits):
        add(f"profit of {bidder(seat)}", "outcome", number * len(logged.values) + seat, "/profit", profit)


def add_round(root, logged, number, treatment, plans, match):
    match.draws.append(agon.PublishedDraw("tie", [number], agon.draws_of(logged.winner, len(logged.values))))
    for seat, value in enumerate(logged.values):
        own = value - (logged.common if treatment.has_common else 0)
        match.draws.append(agon.PublishedDraw("value", [number, seat], [own]))
        published = match.seats[seat]
        if treatment.clock:
            say_stays(root, logged.bids[seat], seat == logged.winner, published)
            continue
        if plans:
            plan = logged.plans[seat]
            published.say("plan" if number == 0 else "replan", {"plan": plan} if plan else None)
        published.say("bid", {"bid": logged.bids[seat]})
    add_figures(logged, number, treatment.clock, match)


def read_log(file, imported):
    treatment, model = place_of(file)
    root = file.json()
    rounds = rounds_of(root)
    bidders = len(rounds[0].values)
    plans = any(plan for logged in rounds for plan in logged.plans)
    # A clock makes no plans: such a file is one of sealed bids in the wrong folder.
    if treatment.clock and plans:
        treatment = Treatment(treatment.scenario + " (sealed bids)",
                              {"payment": "second_price", "values": "affiliated"}, has_common=True)
    settings = {"preset": "published-code", "bidders": bidders, "rounds": len(rounds)}
    if not treatment.clock and not plans:
        settings.update({"plan": False, "reflect": False})
    match = agon.PublishedMatch(file.name, 1)
    match.scenario = imported.place(agon.PublishedScenario(
        treatment.scenario, "clock-auction" if treatment.clock else "sealed-bid",
        dict(settings, **treatment.settings)))
    match.seats = [agon.PublishedSeat(model) for _ in range(bidders)]
    for number, logged in enumerate(rounds):
        if treatment.has_common:
            match.draws.append(agon.PublishedDraw("common", [number], [logged.common]))
        add_round(root, logged, number, treatment, plans, match)
    imported.matches.append(match)


def read(files):
    imported = agon.read_each(files, read_log)
    imported.summary = f"{len(imported.matches)} logs of auctions"
    return imported


agon.importer(
    "llm-auctions",
    "reads the result files (result_*.json) of Learning from Synthetic Labs, in their folders, as matches of "
    "sealed-bid and clock-auction",
    read, extension=".json", imports="matches",
    source="github.com/KeHang-Zhu/llm-auction, experiment_logs (Shah et al. 2025)", licence="MIT")
