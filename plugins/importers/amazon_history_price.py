"""The AmazonHistoryPrice collection, as a product file for bargaining."""

import os
import re

import agon_arena as agon

SHORTEST_DESCRIPTION = 5  # one with fewer characters says nothing ("NA", "TBD")
MOST_CENTS = 10_000_000_000
PRICE = re.compile(r"\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?", re.ASCII)


class BadEntry(Exception):
    """Why an entry is bad."""


def text_or_nothing(entry, name):
    """A text that may be absent or null."""
    found = entry.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise BadEntry(f'"{name}" is not a text')
    return found


def required_text(entry, name):
    found = text_or_nothing(entry, name)
    if not found:
        raise BadEntry(f'"{name}" is missing or empty')
    return found


def price(entry, name):
    """Cents of "$1,234.56", "1234.5" or "7", exactly: commas are between all groups or nowhere."""
    text = required_text(entry, name)
    found = PRICE.fullmatch(text)
    cents = int(found[1].replace(",", "") + (found[2] or "").ljust(2, "0")) if found else MOST_CENTS + 1
    if cents > MOST_CENTS:
        raise BadEntry(f'"{name}" is "{text}", which is no price')
    return cents


def problems(product):
    """Everything that makes a product unusable, which the game would refuse."""
    found = []
    if re.search("[ \t\r\n]", product["codename"]):
        found.append(f'the codename "{product["codename"]}" has blanks in it')
    highest, cost = product["list_price_cents"], product["cost_cents"]
    for cents, what in ((highest, "list price"), (cost, "cost")):
        if cents < 1:
            found.append(f"the {what} is {cents} cents instead of 1 to {MOST_CENTS}")
    if cost > highest:
        found.append(f"the cost of {cost} cents is above the list price of {highest}")
    return found


def product_of(entry, number):
    """The list price is the higher of `list_price` and `highest_price`, the cost is `lowest_price`; a
    short `description` gives way to longer `features` (Xia et al. 2024, section 4, and the authors'
    code)."""
    if not isinstance(entry, dict):
        raise BadEntry("the entry is not an object")
    category = required_text(entry, "category")
    product = {"codename": f"{category}_{number}", "category": category, "title": required_text(entry, "title"),
               "description": text_or_nothing(entry, "description")}
    if len(product["description"]) < SHORTEST_DESCRIPTION:
        features = text_or_nothing(entry, "features")
        if len(features) > len(product["description"]):
            product["description"] = features
    product["list_price_cents"] = max(price(entry, "list_price"), price(entry, "highest_price"))
    product["cost_cents"] = price(entry, "lowest_price")
    found = problems(product)
    if found:
        raise BadEntry(", ".join(found))
    return product


def read_file(file, name, imported):
    """The products of a file; its bad rows are added."""
    entries = agon.read_json(file.bytes, name)
    if not isinstance(entries.value, list):
        entries.fail("this is not a list of products", "give a file of the collection: [{...}, ...]")
    products, lines = [], None
    for i, entry in enumerate(entries.value):
        try:
            products.append(product_of(entry, i + 1))
        except BadEntry as bad:
            lines = lines or entries.element_lines()
            imported.bad_rows.append(agon.BadRow(name, lines[i], str(bad)))
    return products


def read(files):
    """In ascending order of the files' names, whatever order they come in."""
    by_name = {}
    for file in files:
        name = os.path.basename(file.name)
        if name in by_name:
            raise agon.Refused("there are two files with this name", name, "give each file once")
        by_name[name] = file
    imported, products = agon.Imported(), []
    for name in sorted(by_name):
        products += read_file(by_name[name], name, imported)
    # A budget of 0.8 covers the cost, equality included.
    mutual = sum(4 * each["list_price_cents"] >= 5 * each["cost_cents"] for each in products)
    imported.summary = (f"{len(products)} products from {len(files)} files; at a budget of 0.8 of the list price "
                        f"{mutual} have mutual and {len(products) - mutual} conflicting interest")
    imported.data = agon.write_data_file("agon.bargaining.products", 1, products, name="AmazonHistoryPrice",
                                         how="JSON files as published")
    return imported


agon.importer(
    "amazon-history-price",
    "Reads the JSON files of the AmazonHistoryPrice collection, one a category, and makes a product file for the "
    "game bargaining",
    read, extension=".json")
