#!/usr/bin/env python3
"""How long prompts are: tests/prompt_sizes.py AGON [--prefix | --prefix-at-best], where AGON is the command.

Three matches of each game with default settings, all seats models of default parts that answer at
random; bytes of all messages of a request, on average and of the last request of a match: the table
of docs/benchmarks.md.

--prefix: the share of a request's input bytes that a prompt cache can reuse: the longest prefix that
it has in common with an earlier request. Earlier requests are those of the same seat in the match
(once over all requests, once without the first of each seat), those of any seat in the match, or
these and those of the match before, which has another seed. The input is the schema of the answer
without its bounds, as OpenAI gets it, and then the messages.

--prefix-at-best: the same of the messages alone, in matches of a sensible length (eight seeds, answers
within usual ranges), and the most that is possible for these lengths: no request can have more in
common with an earlier one than that is long. docs/providers.md has a summary.
"""
import json
import os
import subprocess
import sys
import tempfile

GAMES = ["bargaining", "classic", "clock-auction", "deal-or-no-deal", "ebay", "english-auction",
         "guess-average", "sealed-bid", "survival-auction", "water-allocation"]
SEEDS = 3
USUAL_SEEDS = 8
BOUNDS = {"minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"}


def calls(agon, game, seed, folder, model="mock"):
    archive = os.path.join(folder, f"{game}-{seed}.agon")
    subprocess.run([agon, "play", game, "--agent", "llm", "--model", model, "--seed", str(seed),
                    "--out", archive], check=True, stdout=subprocess.DEVNULL)
    rows = subprocess.run([agon, "export", archive, "--rows", "calls", "--format", "jsonl"],
                          check=True, capture_output=True, text=True).stdout
    return [json.loads(row) for row in rows.splitlines()]


def size(row):
    return sum(len(message["text"].encode()) for message in row["messages"])


def without_bounds(schema):
    """The schema as remove_bounds() of agents/llm/wire/bounds.cpp leaves it."""
    if isinstance(schema, list):
        return [without_bounds(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    numbers = all(isinstance(one, (int, float)) for one in schema.get("enum") or [""])
    return {name: without_bounds(value) for name, value in schema.items()
            if isinstance(value, dict) or not (name in BOUNDS or (numbers and name == "enum"))}


def input_of(row):
    form = row["parameters"].get("response_format", {}).get("json_schema", {}).get("schema")
    texts = [f"{message['role']}\n{message['text']}\n" for message in row["messages"]]
    return (json.dumps(without_bounds(form)) + "\n" + "".join(texts)).encode()


def in_common(text, earlier):
    return max((len(os.path.commonprefix([text, one])) for one in earlier), default=0)


def shares(matches):
    """In common with the same seat, of all requests and of all but its first; with any seat; and
    with the match before, too."""
    own = later = any_seat = before = total = 0
    last = []
    for rows in matches:
        seen, asked = {}, []
        for row in rows:
            text = input_of(row)
            earlier = seen.setdefault(row["seat"], [])
            own += in_common(text, earlier)
            any_seat += in_common(text, asked)
            before += in_common(text, asked + last)
            total += len(text)
            later += len(text) if earlier else 0
            earlier.append(text)
            asked.append(text)
        last = asked
    return [own / total, own / later if later else None, any_seat / total, before / total]


def print_prefixes(agon, folder):
    server = subprocess.Popen([agon, "mock-server"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    try:
        os.environ["OPENAI_BASE_URL"] = server.stdout.readline().strip() + "/v1"
        os.environ["OPENAI_API_KEY"] = "of-the-mock-server"
        print("| game | requests of a seat in a match | from the second on | all | with other seats | "
              "with the match before |")
        print("|---|---|---|---|---|---|")
        for game in GAMES:
            plays = [calls(agon, game, seed, folder, "openai/m") for seed in range(1, SEEDS + 1)]
            rows = sum(len(play) for play in plays)
            seats = sum(len({row["seat"] for row in play}) for play in plays)
            own, later, any_seat, before = shares(plays)
            print(f"| {game} | {rows / seats:.0f} | {'' if later is None else format(later, '.0%')} | "
                  f"{own:.0%} | {any_seat:.0%} | {before:.0%} |")
    finally:
        server.terminate()
        server.wait()


def messages_of(row):
    return "".join(f"{message['role']}\n{message['text']}\n" for message in row["messages"]).encode()


def print_at_best(agon, folder):
    print("| game | requests of a seat in a match | from the second on | at best | all | at best | "
          "with the match before |")
    print("|---|---|---|---|---|---|---|")
    for game in GAMES:
        requests = seats = total = later = common = best = before = 0
        last = []
        for seed in range(1, USUAL_SEEDS + 1):
            seen, asked = {}, []
            for row in calls(agon, game, seed, folder):
                text, earlier = messages_of(row), seen.setdefault(row["seat"], [])
                requests += 1
                total += len(text)
                later += len(text) if earlier else 0
                common += in_common(text, earlier)
                best += max((min(len(one), len(text)) for one in earlier), default=0)
                before += in_common(text, asked + last)
                earlier.append(text)
                asked.append(text)
            seats += len(seen)
            last = asked

        def share(part, whole):
            return format(part / whole, ".0%") if whole else ""
        print(f"| {game} | {requests / seats:.1f} | {share(common, later)} | {share(best, later)} | "
              f"{share(common, total)} | {share(best, total)} | {share(before, total)} |")


def print_sizes(agon, folder):
    print("| game | requests a match | mean bytes | bytes of the last |")
    print("|---|---|---|---|")
    for game in GAMES:
        plays = [calls(agon, game, seed, folder) for seed in range(1, SEEDS + 1)]
        rows = [row for play in plays for row in play]
        last = sum(size(play[-1]) for play in plays) / len(plays)
        mean = sum(map(size, rows)) / len(rows)
        print(f"| {game} | {len(rows) / SEEDS:.0f} | {mean:.0f} | {last:.0f} |")


def main():
    agon = next((word for word in sys.argv[1:] if not word.startswith("-")), "agon")
    with tempfile.TemporaryDirectory() as folder:
        if "--prefix-at-best" in sys.argv:
            print_at_best(agon, folder)
        elif "--prefix" in sys.argv:
            print_prefixes(agon, folder)
        else:
            print_sizes(agon, folder)


if __name__ == "__main__":
    main()
