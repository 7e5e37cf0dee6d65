"""Raw logs of eBay auctions of Learning from Synthetic Labs, as matches of ebay."""

import dataclasses
import re
import typing

import agon_arena as agon

MEND = "give the raw logs of eBay auctions as they are published: raw_output__....jsonl"
BIDDERS = ("Bidder Andy", "Bidder Betty", "Bidder Charles")


def refuse(file, line, problem):
    raise agon.Refused(problem, f"{file.name}:{line}", MEND)


def between(text, before, after):
    """What is between two marks; None if they are not there."""
    _, found, rest = text.partition(before)
    inside, ends, _ = rest.partition(after)
    return inside if found and ends else None


def number(text):
    found = re.match(r"[ $]*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", text, re.ASCII)
    return agon.plain(float(found[1])) if found else None


@dataclasses.dataclass
class Call:
    """One call of the log: who was asked what, and what it said."""

    line: int
    model: str
    bidder: str
    value: int
    days: int  # as things were
    day: int  # from 0
    soft_close: bool
    prices: list  # after the turns before
    bid: typing.Optional[float] = None
    said: str = ""
    taken: bool = False


def bid_of(file, line, said):
    """The bid that an answer makes; None: it holds."""
    action = between(said, "<ACTION>", "<")
    if action is None:
        refuse(file, line, "the answer has no <ACTION>")
    if "BID" not in action:
        return None
    amount = between(said, "<AMOUNT>", "<")
    bid = None if amount is None else number(amount)
    if bid is None:
        refuse(file, line, "the answer bids and has no number in <AMOUNT>")
    return bid


def prices_in(file, line, prompt):
    prices = []
    for price in re.findall(r"the price became (.*?) \n", prompt, re.DOTALL):
        prices.append(number(price))
        if prices[-1] is None:
            refuse(file, line, f"'{price}' is no price")
    return prices


def call_of(file, line, text):
    root = agon.read_json(text, f"{file.name}:{line}")
    if not isinstance(root.value, dict) or len(root.value) != 1:
        refuse(file, line, "this is no call of a model")
    (_, entry), = root.items()
    prompt, model = entry["user_prompt"].text(), entry["model"].text()

    def want(before, after):
        found = between(prompt, before, after)
        if found is None:
            refuse(file, line, f'the prompt lacks "{before}": this is no eBay auction')
        return found

    def whole(before, after):
        found = number(want(before, after))
        if found is None:
            refuse(file, line, f'there is no number behind "{before}"')
        return int(found)

    if "submit a bid privately" in prompt:
        refuse(file, line, "this is a raw log of sealed bids: it holds the bidders' plans, and no value and no bid "
                           "that could be played")
    call = Call(line, model, want("You are Bidder ", "."), whole("private value for this item is $", "."),
                whole("There are in total ", " days"), whole("this is day ", "."), "closing rule" in prompt, [])
    if "reserve price" in prompt:
        refuse(file, line, "the auction has a hidden reserve, which the log does not tell")
    call.prices = prices_in(file, line, prompt)
    reply = agon.read_json(entry["output"].text(), f"{file.name}:{line} (output)")
    call.said = reply["choices"][0]["message"]["content"].text()
    call.bid = bid_of(file, line, call.said)
    return call


class Auction:
    """An auction that is put together of its calls. Several run at once in a log, and a call tells the
    prices of all turns before it: so auctions are put together from their ends."""

    def __init__(self, last):
        self.turns = []  # the last one first
        self.values = {}
        self.add(last)

    def add(self, call):
        call.taken = True
        self.values[call.bidder] = call.value
        self.turns.append(call)

    def fits(self, call, value):
        """Whether a call fits before the turns that are known; `value`: what is known of its bidder's
        from a later turn."""
        following = self.turns[-1]
        return (not call.taken and self.values.get(call.bidder) == value and following.model == call.model
                and len(following.prices) == len(call.prices) + 1 and following.prices[:-1] == call.prices
                and following.soft_close == call.soft_close
                # Each bidder has one turn a day.
                and not any(turn.day == call.day and turn.bidder == call.bidder for turn in self.turns))


def auctions_of(file):
    by_place = {}
    for line, text in file.lines():
        call = call_of(file, line, text)
        by_place.setdefault(len(call.prices), []).append(call)
    auctions = []
    for place in sorted(by_place, reverse=True):
        # Turns of the same place in their auctions, each in one of them.
        calls = by_place[place]
        for is_known in (True, False):
            for auction in auctions:
                found = next((call for call in calls if auction.fits(call, call.value if is_known else None)), None)
                if found is not None:
                    auction.add(found)
        auctions += [Auction(call) for call in calls if not call.taken]
    for auction in auctions:
        auction.turns.reverse()
    return auctions


def match_of(file, auction):
    first, last = auction.turns[0], auction.turns[-1]
    if first.prices:
        refuse(file, first.line, "the auction's first turns are not in the log: it is cut")
    match = agon.PublishedMatch(file.name, first.line, seats=[agon.PublishedSeat(first.model) for _ in BIDDERS],
                                goes_on=True)
    orders = {}  # by day
    for turn in auction.turns:
        seat = next((i for i, name in enumerate(BIDDERS) if name.endswith(turn.bidder)), None)
        if seat is None:
            refuse(file, turn.line, f"there is no bidder '{turn.bidder}' in this game")
        orders.setdefault(turn.day, []).append(seat)
        match.seats[seat].say("bid", {"bid": turn.bid}, turn.said)
        if turn.day == 0:
            match.draws.append(agon.PublishedDraw("value", [seat], [turn.value]))
    for day, order in sorted(orders.items()):
        if len(order) != len(BIDDERS):
            refuse(file, last.line, f"on day {day} only {len(order)} of {len(BIDDERS)} bidders have their turn: the "
                                    "log is cut")
        match.draws.append(agon.PublishedDraw("order", [day + 1], agon.shuffle_draws(order)))
    if last.day + 1 < last.days:
        refuse(file, last.line, f"the log ends on day {last.day} of {last.days - 1}: it is cut")
    for i, (price, turn) in enumerate(zip(last.prices, auction.turns)):
        match.figures.append(agon.PublishedFigure(f"day {turn.day}: price after the turn of {turn.bidder}", "price", i,
                                                  "/price", price, turn.line))
    return match


def read_log(file, imported):
    auctions = auctions_of(file)
    if not auctions:
        refuse(file, 1, "there is no call of a model in the log")
    for auction in auctions:
        soft = auction.turns[0].soft_close
        try:
            match = match_of(file, auction)
        except agon.Refused as refused:
            imported.bad_rows.append(agon.BadRow(file.name, auction.turns[0].line, f"{refused}; {refused.hint}"))
            continue
        match.scenario = imported.place(agon.PublishedScenario(
            "ebay T2" if soft else "ebay T1", "ebay", {"preset": "published-code", "soft_close": soft}))
        imported.matches.append(match)


def read(files):
    imported = agon.read_each(files, read_log)
    imported.summary = f"{len(imported.matches)} auctions from {len(files)} logs"
    return imported


agon.importer(
    "llm-auctions-ebay",
    "reads the raw logs of eBay auctions (raw_output_*.jsonl) of Learning from Synthetic Labs, as matches of ebay",
    read, extension=".jsonl", imports="matches",
    source="github.com/KeHang-Zhu/llm-auction, experiment_logs (Shah et al. 2025)", licence="MIT")
