"""AucArena's item lists and memos, for the English auction."""

import math
import re

import agon_arena as agon

MEND = "give the memos as AucArena's program writes them: memo-0.json, memo-1.json, ..."
MOST_ITEMS = 64
MOST_CENTS = 1_000_000_000


# ---- item lists ----------------------------------------------------------------------------------


class BadLine(Exception):
    """Why a line is bad."""


def cents_of(row, member):
    found = row.get(member)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise BadLine(f'it has no number "{member}"')
    cents = found * 100
    if not 0 <= cents <= MOST_CENTS:
        raise BadLine(f'"{member}" is not between 0 and {MOST_CENTS // 100} dollars')
    whole = math.floor(cents + 0.5)
    if abs(cents - whole) > 1e-4:
        raise BadLine(f'"{member}" has more than two decimals')
    return whole


def dollars(cents):
    return f"{cents // 100}.{cents % 100:02}" if cents % 100 else str(cents // 100)


def item_of(line, names):
    """The line's row of the data file."""
    try:
        row = agon.read_json(line, "").value
    except agon.Refused as refused:
        raise BadLine(f"it is not JSON: {refused}") from None
    if not isinstance(row, dict):
        raise BadLine("it is not a JSON object")
    name = row.get("name")
    if not isinstance(name, str) or not name:
        raise BadLine('it has no text "name"')
    if len(name.encode()) > 60:
        raise BadLine("its name is longer than 60 bytes")
    price, value = cents_of(row, "price"), cents_of(row, "true_value")
    if price == 0:
        raise BadLine("its price is 0")
    if name in names:
        raise BadLine(f'"{name}" is the name of an item before it')
    names.add(name)
    return f'{{"name": {agon.json_text(name)}, "price": {dollars(price)}, "value": {dollars(value)}}}'


def read_items(files):
    imported, rows, names = agon.Imported(), [], set()
    for file in files:
        for number, line in file.lines():
            try:
                rows.append(item_of(line, names))
            except BadLine as bad:
                imported.bad_rows.append(agon.BadRow(file.name, number, str(bad)))
    if not rows:
        raise agon.Refused("there is no item in it", files[0].name,
                           "each line must be a JSON object with name, price and true_value")
    if len(rows) > MOST_ITEMS:
        raise agon.Refused(f"{len(rows)} items are more than one auction holds", files[0].name,
                           f"leave at most {MOST_ITEMS}")
    imported.data = agon.write_data_file("agon.english-auction.items", 1, rows,
                                         name=", ".join(file.name for file in files), how="AucArena's item list")
    imported.summary = f"{len(rows)} items, {len(imported.bad_rows)} bad rows"
    return imported


agon.importer(
    "auction-items",
    "AucArena's item list (JSON Lines: name, price, true_value) as an item list for the setting `items` of "
    "english-auction",
    read_items, extension=".jsonl")


# ---- memos ---------------------------------------------------------------------------------------


class Lot:
    """An item and the bidding for it: rounds of (seat, bid), where None is a bidder that withdrew."""

    def __init__(self, name, price):
        self.name, self.price = name, price
        self.rounds = []
        self.winner = None
        self.paid = self.value = 0


class Bidder:
    def __init__(self, root, name, model):
        self.name = name
        self.model = model.text()
        self.budget = budget_of(root["memo_text"], name)
        self.profit = root["profit"][name].number()


def budget_of(reports, name):
    """The money that a bidder's report says it started with."""
    for report in reports:
        found = re.search(re.escape(name) + r", starting with \$(.{0,20})", report.text(), re.DOTALL)
        digits = re.match("-?[0-9]+", found[1]) if found else None
        if digits:
            return int(digits[0])
    return reports.fail(f"no report says what money {name} started with", MEND)


class LogText:
    """Goes through the lines of a log."""

    def __init__(self, node, bidders):
        self.node, self.bidders = node, bidders

    def lots(self):
        lots, hammer = [], False
        for line in self.node.text().split("\n"):
            if not line or line.startswith("## "):
                continue
            if line.startswith("### "):
                lots.append(self._heading(line[4:]))
                hammer = False
            elif not lots:
                self._fail(f'"{line}" stands before the first item')
            elif line.startswith("#### "):
                hammer = "Hammer price" in line
                if not hammer:
                    lots[-1].rounds.append([])
            elif hammer:
                self._sell(line, lots[-1])
            elif lots[-1].rounds:
                seat, what = self._said(line)
                lots[-1].rounds[-1].append((seat, None if what == "Withdrew" else self._amount(what, "$")))
            else:
                self._fail(f'"{line}" stands before the first round')
        return lots

    def _fail(self, problem):
        self.node.fail(problem, MEND)

    def _amount(self, text, before):
        _, _, behind = text.partition(before)
        found = re.match("-?[0-9]+", behind)
        if not found:
            self._fail(f'there is no amount behind "{before}" in "{behind or text}"')
        return int(found[0])

    def _heading(self, line):
        """1. Equipment E, starting at $5000."""
        start, end = line.find(". "), line.find(", starting at $")
        if start < 0 or end < 0:
            self._fail(f'"{line}" names no item with its start price')
        return Lot(line[start + 2:end], self._amount(line, ", starting at $"))

    def _said(self, line):
        """* Bidder 1: $5500, * Bidder 2 (gpt-4): Withdrew: who, and what is behind the colon."""
        who, colon, what = line[2:].rpartition(": ")
        if line.startswith("* ") and colon:
            for seat, bidder in enumerate(self.bidders):
                if who == bidder.name or who.startswith(bidder.name + " ("):
                    return seat, what
        return self._fail(f'"{line}" is no move of a bidder')

    def _sell(self, line, lot):
        if line != "* None bid":
            lot.winner, what = self._said(line)
            lot.paid, lot.value = self._amount(what, "$"), self._amount(what, "($")


def leader_of(lot, number, tied):
    """Who leads after a tie: it is the only one of the tied who is not asked next."""
    if number + 1 == len(lot.rounds):
        return tied[0] if lot.winner is None else lot.winner
    asked = {seat for seat, _ in lot.rounds[number + 1]}
    return next((seat for seat in tied if seat not in asked), tied[0])


def add_ties(lot, item, seats, match):
    for number, moves in enumerate(lot.rounds):
        most = max((bid for _, bid in moves if bid is not None), default=None)
        tied = [seat for seat, bid in moves if bid is not None and bid == most]
        if len(tied) > 1:
            match.draws.append(agon.PublishedDraw("tie", [item, number],
                                                  agon.draws_of(leader_of(lot, number, tied), seats)))


def settings_of(items, bidders):
    """Items by name, so that auctions of the same items in other orders are of one scenario. Of what
    nobody bought the log does not tell the value: in AucArena it is twice the start price."""
    return {"preset": "paper",
            "items": [{"name": lot.name, "price": lot.price, "value": 2 * lot.price if lot.winner is None else
                       lot.value} for lot in items],
            "bidders": [{"name": bidder.name, "budget": bidder.budget} for bidder in bidders]}


def add_figures(lots, bidders, match):
    for i, lot in enumerate(lots):
        winner = None if lot.winner is None else bidders[lot.winner].name
        match.figures.append(agon.PublishedFigure(f"{lot.name}: winner", "hammer", i, "/winner", winner))
        if winner is not None:
            match.figures.append(agon.PublishedFigure(f"{lot.name}: price", "hammer", i, "/price", lot.paid))
    for seat, bidder in enumerate(bidders):
        match.figures.append(agon.PublishedFigure(f"profit of {bidder.name}", "", 0, f"/seats/{seat}/score",
                                                  bidder.profit))


def read_memo(file, imported):
    root = file.json()
    if not isinstance(root.value, dict) or root.find("auction_log") is None:
        root.fail('this is no memo of an auction: there is no "auction_log"', MEND)
    bidders = [Bidder(root, name, model) for name, model in root["model_info"].items()]
    log = root["auction_log"]
    lots = LogText(log, bidders).lots()
    if not lots:
        log.fail("the log has no item", MEND)
    items = sorted(lots, key=lambda lot: lot.name.encode())
    for lot, after in zip(items, items[1:]):
        if lot.name == after.name:
            log.fail(f"{lot.name} is offered twice: discounts cannot be read from a log", "leave the file out")
    match = agon.PublishedMatch(file.name, 1, seats=[agon.PublishedSeat(bidder.model) for bidder in bidders],
                                goes_on=True)
    match.scenario = imported.place(agon.PublishedScenario(
        f"{len(lots)} items, {len(bidders)} bidders", "english-auction", settings_of(items, bidders)))
    for lot in lots:
        add_ties(lot, items.index(lot), len(bidders), match)
        for moves in lot.rounds:
            for seat, bid in moves:
                move = {"kind": "withdraw"} if bid is None else {"kind": "raise", "amount": bid}
                match.seats[seat].say("bid", {"move": move})
    match.draws.append(agon.PublishedDraw("order", [], agon.shuffle_draws([items.index(lot) for lot in lots])))
    add_figures(lots, bidders, match)
    imported.matches.append(match)


def read_memos(files):
    imported = agon.read_each(files, read_memo)
    imported.summary = f"{len(imported.matches)} auctions"
    return imported


agon.importer(
    "aucarena-memos",
    "reads the memos that AucArena's program writes after each auction (memo-*.json), as matches of english-auction",
    read_memos, extension=".json", imports="matches",
    source="written by github.com/jiangjiechen/auction-arena (Chen et al. 2023)",
    licence="that of whoever ran the program")
