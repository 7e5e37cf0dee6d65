"""Components of model agents in Python: retrieval by embeddings, a tool, a plan and a reasoning.

    agon run suite.json --plugin bidder.py --report
"""
import math
import random
from dataclasses import dataclass
from typing import Annotated, List

import agon_arena as agon

WIDTH = 32


def narrowed(vector):
    """A vector as a few whole numbers, which fit into the agent's memo: products with random signs keep
    angles (Johnson and Lindenstrauss 1984)."""
    signs = random.Random(len(vector))
    rows = [sum(x if signs.random() < 0.5 else -x for x in vector) for _ in range(WIDTH)]
    length = math.sqrt(sum(x * x for x in rows)) or 1
    return [round(1000 * x / length) for x in rows]


class Nearest(agon.Memory):
    """Past events whose embeddings are nearest to that of the question. Each event is embedded once, in one
    call for all that are new at a question; the vectors are kept in the state."""

    @dataclass
    class Params:
        n: int = agon.field(5, "events that it shows at most", min=1, max=100)
        model: str = agon.field("text-embedding-3-small", "of the agent's endpoint, that embeds texts")

    def notes(self, turn):
        vectors = turn.state.setdefault("vectors", {})
        past = [each for each in turn.past if each.at < turn.news_from]
        if not past:
            return ""
        new = [each for each in past if str(each.at) not in vectors]
        asked = f"{turn.question.doc}\n{turn.question.told or turn.question.view}\n{turn.events(turn.news_from)}"
        found = turn.embed([each.text for each in new] + [asked], self.params.model)
        if found is None:
            return ""
        for each, vector in zip(new, found):
            vectors[str(each.at)] = narrowed(vector)
        query = narrowed(found[-1])
        nearness = {each.at: sum(a * b for a, b in zip(vectors[str(each.at)], query)) for each in past}
        best = sorted(past, key=lambda each: (-nearness[each.at], -each.at))[:self.params.n]
        lines = [f"{each.when}: {'you: ' if each.own else ''}{each.text}" for each in sorted(best)]
        return "What happened before that may matter now, in its order:\n" + "\n".join(lines)


class Ahead(agon.Planning):
    """One plan, before the first answer."""

    def plan(self, turn):
        if "plan" not in turn.state:
            turn.state["plan"] = turn.call("Before you begin: write your plan in two sentences.", "plan").text
        return "Your plan:\n" + turn.state["plan"] if turn.state["plan"] else ""


class Doubt(agon.Reasoning):
    """Drafts an answer in words, doubts it, and answers."""

    def answer(self, turn):
        draft = turn.call(turn.task + "\n\nWrite down in words what you would answer, and why.", "draft").text
        return turn.ask_for_answer(f"{turn.task}\n\nYour draft:\n{draft}\n\nIf it has a mistake, correct it.")


def average(numbers: Annotated[List[float], "one at least"], turn) -> str:
    """The average of numbers, and how many averages you have asked for in this match."""
    turn.state["asked"] = turn.state.get("asked", 0) + 1
    return f"{sum(numbers) / len(numbers):g} (average {turn.state['asked']} of this match)"


agon.component("nearest", Nearest, "Past events that are nearest to the question by their embeddings. One call more "
               "a question.", source="Lewis et al. 2020, retrieval-augmented generation",
               overlaps=[("memory", "whole", "both show past events")])
agon.component("ahead", Ahead, "One plan, before the first answer. One call more a match.")
agon.component("doubt", Doubt, "Drafts an answer, doubts it, and answers. One call more a question.")
agon.tools("average", [average], "Averages of numbers.", calls=4)
