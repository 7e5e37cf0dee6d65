"""Answers as numbers where the settings of a game leave few of them. A type of answers has bounds
that hold under all settings; those of the settings come with each question, so some are looked at."""
from .errors import FailedError

_MOST = 4096
_MATCHES, _QUESTIONS = 3, 1000


def may_be_numbered(layout):
    """Whether some stage has finite answers, or would have them under tighter bounds."""
    return layout.count is None and any(stage["actions"] is not None or _is_one_number(stage)
                                        for stage in layout.stages.values())


def ranges(table):
    """By stage, the first and the last whole number, or number of a name, that is ever an answer.
    None if there is a question that is answered in another way, or bounds change during play.
    Nobody but the caller has seats at the table."""
    bounds, left = {}, _QUESTIONS
    try:
        for block in range(_MATCHES):
            table.reset(0, block)
            while not table.over and left > 0:
                for asked in table.asked:
                    if not _is_as_before(bounds, asked, table.stage_of(asked)):
                        return None
                left -= len(table.asked)
                table.answer([table.drawn(asked) for asked in table.asked])
                table.go_on()
    except FailedError:  # is told when it is played
        return None
    found = {}
    for (stage, _seat), (low, high) in bounds.items():
        least, most = found.get(stage, (low, high))
        found[stage] = min(low, least), max(high, most)
    return found if sum(most - least + 1 for least, most in found.values()) <= _MOST else None


def _is_one_number(stage):
    return len(stage["places"]) == 1 and stage["places"][0]["kind"] in ("integer", "seat")


def _is_as_before(bounds, asked, stage):
    if stage["actions"] is not None:
        return True
    if not _is_one_number(stage):
        return False
    low, high, mask = (int(asked.seen[name][0]) if abs(asked.seen[name][0]) < 2**62 else None
                       for name in ("low", "high", "mask"))
    if None in (low, high, mask) or not 0 <= high - low < _MOST:
        return False
    if stage["places"][0]["kind"] == "seat" and not mask:  # any text
        return False
    return bounds.setdefault((asked.stage, asked.seat), (low, high)) == (low, high)
