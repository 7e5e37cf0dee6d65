#!/usr/bin/env python3
"""Writes the prompts of AucArena's own program as a folder of prompts for Agon.

The repository github.com/jiangjiechen/auction-arena names no licence, so Agon ships none of its
texts. This program reads them from your own checkout, without running anything in it, and puts
Agon's placeholders where the originals fill in values.
"""
import argparse
import ast
import json
import os
import re
import string
import sys

COMMIT = "113b173"
QUIET_EVENTS = ("opening", "private", "lot", "round", "discount", "hammer")  # the questions tell them
FOLDER = {"source": "src/prompt_base.py, src/bidder_base.py and src/auctioneer_base.py of "
                    "github.com/jiangjiechen/auction-arena (Chen et al., arXiv 2310.05746)",
          "licence": "the repository names none: for your own use",
          "left_out": ["rules", "notes", "beliefs", "news"], "keep_questions": True}


class Wrong(Exception):
    """What is wrong with the checkout or the folder, and how to fix it."""

    def __init__(self, problem, hint=f"check out commit {COMMIT}"):
        super().__init__(f"agon: error: {problem}\n  hint: {hint}")


def filled(parts, placeholders, where):
    """Parts, as pairs of a text and what was filled in after it (or None), as a template of Agon."""
    out, text = "", ""
    for before, inserted in [*parts, ("", None)]:
        text += before
        if inserted is None:
            continue
        if inserted not in placeholders:
            raise Wrong(f"{where}: it fills in '{inserted}', for which Agon has no placeholder")
        out += quoted(text) + placeholders[inserted]
        text = ""
    return out + quoted(text)


def quoted(text):
    """A text in which braces are no placeholders."""
    return re.sub(r"[{}]{2,}|\{$", lambda braces: "{{'" + braces[0] + "'}}", text)


def parts_of(node):
    """What a text or an f-string consists of."""
    if isinstance(node, ast.Constant):
        return [(node.value, None)]
    return [(part.value, None) if isinstance(part, ast.Constant) else ("", ast.unparse(part.value))
            for part in node.values]


def inserted_in(node):
    return {inserted for _, inserted in parts_of(node) if inserted is not None}


class Source:
    """The texts of one file."""

    def __init__(self, checkout, name):
        self.path = os.path.join(checkout, "src", name)
        if not os.path.isfile(self.path):
            raise Wrong(f"{self.path} not found",
                        "name the folder of a checkout: git clone https://github.com/jiangjiechen/auction-arena")
        try:
            with open(self.path, encoding="utf-8") as file:
                self.tree = ast.parse(file.read())
        except (SyntaxError, ValueError) as error:
            raise Wrong(f"{self.path} is no Python: {error}") from None

    def constant(self, name):
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
                stripped = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)
                try:
                    value = ast.literal_eval(node.value.func.value if stripped else node.value)
                except ValueError:
                    break
                return value.strip() if stripped and isinstance(value, str) else value
        raise Wrong(f"{self.path}: it has no text '{name}'")

    def template(self, name, placeholders):
        """A text for str.format()."""
        text = self.constant(name)
        try:
            parts = [(before, inserted) for before, inserted, _, _ in string.Formatter().parse(text)]
        except (TypeError, ValueError):
            raise Wrong(f"{self.path}: '{name}' is no text for str.format()") from None
        return filled(parts, placeholders, f"{self.path}: {name}")

    def texts(self, function):
        """The nodes with the texts of a function, in order."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and node.name == function:
                found = [n for n in ast.walk(node) if isinstance(n, ast.JoinedStr) or isinstance(
                    n, ast.AugAssign) and isinstance(n.value, ast.Constant)]
                found.sort(key=lambda n: (n.lineno, n.col_offset))
                return [n.value if isinstance(n, ast.AugAssign) else n for n in found]
        raise Wrong(f"{self.path}: it has no function '{function}'")

    def said(self, function, placeholders):
        """The one text of a function that fills in these."""
        fitting = [n for n in self.texts(function) if inserted_in(n) == set(placeholders)]
        if len(fitting) != 1:
            raise Wrong(f"{self.path}: {function} has {len(fitting)} texts that fill in "
                        f"{', '.join(sorted(placeholders))}; expected 1")
        return filled(parts_of(fitting[0]), placeholders, f"{self.path}: {function}")


def section(name, text, of=""):
    return "{{#" + name + of + "}}" + text + "{{/" + name + "}}"


def unless(name, text, of=""):
    return "{{^" + name + of + "}}" + text + "{{/" + name + "}}"


def bare(name):
    """A number without its unit."""
    return section(name, "{{value}}")


def listed(name, text, between="\n"):
    return section(name, text + unless("last", between))


def count(name, more=""):
    return section(name, section("last", "{{index" + more + "}}"))


def once(name, text):
    """The text if the list has an element."""
    return section(name, section("first", text))


def biddings(auctioneer, who):
    """A bid or a withdrawal."""
    return (unless("bid", auctioneer.said("_biddings_to_string", {"js['bidder']": who}).strip()) +
            section("bid", auctioneer.said("_biddings_to_string",
                                           {"js['bidder']": who, "js['bid']": "{{bid}}"}).strip()))


def status(bidder, budget, standings):
    """Where the auction stands by the bidder's own account."""
    placeholders = {"data.get('remaining_budget', 'unknown')": budget, "bidder": "{{bidder}}",
                    "profit": "{{profit}}", "item": "{{item}}", "amount": "{{price}}"}
    texts = bidder.texts("_status_json_to_text")
    if [len(inserted_in(node)) for node in texts] != [1, 0, 2, 0, 1, 2, 0]:
        raise Wrong(f"{bidder.path}: _status_json_to_text has other texts than expected")
    left, profits, profit, wins, winner, won, none = (
        filled(parts_of(node), placeholders, f"{bidder.path}: _status_json_to_text") for node in texts)
    items = listed("won", won.rstrip("\n")) + unless("won", none.rstrip("\n"))
    return left + profits + section(standings, profit) + wins + listed(standings, winner + items)


def status_json(budget, standings):
    """The same as JSON."""
    profits = listed(standings, '        "{{bidder}}": {{profit}}', ",\n")
    won = listed("won", "            {{item}}: {{price}}", ",\n")
    wins = listed(standings, '        "{{bidder}}": ' + unless("won", "{}") +
                  once("won", "{\n" + won + "\n        }"), ",\n")
    return (quoted('{\n    "remaining_budget": ') + budget + ',\n    "total_profits": {\n' + profits +
            '\n    },\n    "winning_bids": {\n' + wins + "\n    }\n}")


def auctioneer_asks(bidder, auctioneer):
    """What the auctioneer says in the first round of bidding for an item, and in later ones."""
    item, price = "{{view.item}}", bare("view.start_price")
    opening = auctioneer.said("ask_for_bid", {
        "len(remaining_items)": count("view.later", " + 1") + unless("view.later", "1"),
        "', '.join(remaining_items)": item + section("view.later", ", {{item}}"),
        "self.cur_item": item, "self.cur_item.price": price})
    discount = auctioneer.said("ask_for_bid", {"self.cur_item.price": price, "self.cur_item.name": item})
    you = bidder.said("get_bid_instruct", {"self.name": "{{seat}}"})
    is_own = " where value is seat"
    who = section("bidder", you, is_own) + unless("bidder", "{{bidder}}", is_own)
    ending = "".join(section("view.round", text, f" where value {number}")
                     for text, number in (("st", "= 2"), ("nd", "= 3"), ("rd", "= 4"), ("th", "> 4")))
    again = auctioneer.said("ask_for_bid", {
        "p.ordinal(bid_round)": "{{view.round - 1}}" + ending,
        "bidding_history": listed("view.last_round", biddings(auctioneer, who)),
        "self.highest_bid": bare("view.leading_bid"), "self.highest_bidder.name": "{{view.leader}}",
        "self.cur_item.name": item,
        "int(self.cur_item.price * self.min_markup_pct)": bare("view.increment")})
    return opening, section("view.leader", again) + unless("view.leader", discount)


def sum_up(texts, bidder, auctioneer, common):
    """How the bidding for an item went, and what was wrong in an earlier account of it."""
    sold = auctioneer.said("get_hammer_msg", {
        "self.cur_item": "{{item}}", "self.highest_bidder": "{{winner}}",
        "self.highest_bid": "{{price}}", "self.cur_item.true_value": "{{value}}"})
    item, is_sold = section("view.sale", "{{item}}"), " where winner"
    unsold = auctioneer.said("get_hammer_msg", {"self.cur_item.name": item})
    won = section("view.sale", bidder.said("win_bid", {"item": "{{item}}", "bid": "{{price}}"}))
    lost = bidder.said("lose_bid", {"item": item})
    head, _, tail = auctioneer.said("all_bidding_history_to_string", {
        "bid_round": "{{round - 1}}", "self._biddings_to_string(bid_round)": "\0"}).partition("\0")
    moves = section("view.moves", section("first.round", head) + biddings(auctioneer, "{{bidder}}") +
                    unless("last", section("last.round", tail) + unless("last.round", "\n")))
    errors = bidder.said("summarize", {
        "self.name": "{{seat}}", "sanity_msg.strip()": "",
        "consistency_msg.strip()": listed("view.corrections", "- {{value}}")})
    return texts.template("INSTRUCT_SUMMARIZE_TEMPLATE", {
        **common, "cur_item": item, "bidding_history": moves,
        "hammer_msg": section("view.sale", sold, is_sold) + unless("view.sale", unsold, is_sold),
        "win_lose_msg": section("view.won", won) + unless("view.won", lost),
        "prev_status": status(bidder, bare("view.last_budget"), "view.last_standings"),
    }) + "\n\n" + once("view.corrections", errors)


def prompts(checkout, desire, planning):
    """The prompts by name."""
    texts, bidder, auctioneer = (Source(checkout, name) for name in (
        "prompt_base.py", "bidder_base.py", "auctioneer_base.py"))
    desires = bidder.constant("DESIRE_DESC")
    if not isinstance(desires, dict) or not isinstance(desires.get(desire), str):
        raise Wrong(f"{bidder.path}: DESIRE_DESC has no '{desire}'")
    common = {"bidder_name": "{{seat}}", "desire_desc": quoted(desires[desire]),
              "learning_statement": once("view.tips", quoted(texts.constant("_LEARNING_STATEMENT")))}
    tips = once("view.tips", bidder.said("learn_from_prev_auction", {
        "self.learnings": listed("view.tips", "{{index}}. {{value}}")}).strip() + "\n\n")
    items = listed("view.items", bidder.said("_get_items_value_str", {
        "i + 1": "{{index}}", "item": "{{item}}", "item.price": "{{price}}",
        "estimated_value": "{{estimate}}"}).strip())
    left = bare("view.account_budget") + unless("view.account_budget", bare("view.budget"))

    opening, later = auctioneer_asks(bidder, auctioneer)
    first = texts.template("INSTRUCT_BID_TEMPLATE", {**common, "auctioneer_msg": opening})
    if planning == "static":
        first = bidder.said("get_bid_instruct", {
            "json.dumps(self.status_quo, indent=4)": status_json(left, "view.account"),
            "bid_instruct": first})
    # The original's plan ends with the priorities as JSON; Agon's `plan` has its reasons alone.
    planned = section("view.priority", quoted("{") + '"{{view.item}}": {{value}}' + section(
        "view.later", ', "{{item}}": {{priority}}') + "}\n\n")
    held = once("view.items", section("priority", quoted("{") + listed(
        "view.items", '"{{item}}": {{priority}}', ", ") + "}\n\n"))
    bid = (section("view.round", planned + tips + first, " where value = 1") + section(
        "view.round", bidder.said("get_bid_instruct", {"auctioneer_msg": later}), " where value > 1"))

    account = tips + sum_up(texts, bidder, auctioneer, common)

    return {
        "system": texts.template("SYSTEM_MESSAGE", {**common, "name": "{{seat}}"}) +
        "\n\n{{persona}}",
        "plan": tips + texts.template(
            "INSTRUCT_PLAN_TEMPLATE", {**common, "budget": bare("view.budget"),
                                       "item_num": count("view.items"), "items_info": items}),
        "bid": "{{plan}}\n\n" + bid,
        "belief": account,
        "sum-up": account,  # the original's question asks for notes on all bidders in any case
        "replan": "{{plan}}\n\n" + held + tips + texts.template(
            "INSTRUCT_REPLAN_TEMPLATE", {**common, "remaining_items_info": items,
                                         "status_quo": status(bidder, left, "view.account")}),
        "learn": texts.template("INSTRUCT_LEARNING_TEMPLATE", {
            "past_auction_log": "{{view.log}}",
            "past_learnings": listed("view.last_tips", "{{index}}. {{value}}")}),
    }


def write(folder, made):
    """Writes the prompts to FOLDER/published, where agents with published prompts find them."""
    folder = os.path.join(folder, "published")
    if os.path.isdir(folder) and os.listdir(folder):
        raise Wrong(f"{folder} already exists", "name another folder")
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in {**made, **{"event-" + event: "" for event in QUIET_EVENTS}}.items():
            with open(os.path.join(folder, name + ".txt"), "w", encoding="utf-8", newline="\n") as file:
                file.write(text + "\n" if text else "")
        with open(os.path.join(folder, "prompts.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps(FOLDER, indent=2) + "\n")
    except OSError as error:
        raise Wrong(f"{error.filename}: {error.strerror}", "name a folder that you may write") from None
    return folder


def main():
    parser = argparse.ArgumentParser(prog="published_prompts.py", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", metavar="CHECKOUT", help="folder of the checked-out repository")
    parser.add_argument("folder", metavar="FOLDER", help="folder to write: a scenario's \"prompts\"")
    parser.add_argument("--desire", choices=("maximize_profit", "maximize_items"), default="maximize_profit",
                        help="objective of the bidders (default: %(default)s)")
    parser.add_argument("--planning", choices=("adaptive", "static"), default="adaptive",
                        help="planning of the bidders; static also fits none (default: %(default)s)")
    options = parser.parse_args()
    try:
        folder = write(options.folder, prompts(options.checkout, options.desire, options.planning))
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 1
    print(f"wrote {folder}; the repository names no licence, so do not publish the folder")
    return 0


if __name__ == "__main__":
    sys.exit(main())
