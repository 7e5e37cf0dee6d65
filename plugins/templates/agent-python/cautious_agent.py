import agon_arena as agon


def answer(question):
    """What it says to a question; None declines a probe. question.view is what the seat sees now,
    question.history what it was told before, question.options what the suite sets."""
    if question.probe:
        return None
    answered = sum(each["type"] == "answered" and each["stage"] == question.stage
                   for each in question.history)
    if answered >= question.options["patience"] or question.attempt > 0:  # asked again: it was refused
        return question.least()
    # By stage: if question.stage == "bid": return {"bid": 5}
    return question.draw()  # any answer that the schema allows


agon.agent(answer, name="cautious", options=[
    agon.option("patience", 6, "answers to a stage in a match after which it gives the least that is legal")])
