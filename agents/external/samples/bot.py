#!/usr/bin/env python3
"""Plays any game: draws its answer from the JSON Schema of the question."""
import agon_arena as agon


def answer(question):
    timid = question.options["timid"] or question.attempt > 0
    return question.least() if timid else question.draw()


agon.agent(answer, name="bot.py", options=[agon.option("timid", False, "always the least")])
