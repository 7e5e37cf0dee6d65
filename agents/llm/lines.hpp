#pragma once

#include <agon/language.hpp>

namespace agon::llm {

/// What model agents say beside their prompt files, in their language.
inline constexpr std::string_view kModelSentences[] = {
    // the dialogue
    "What has happened so far:",
    "What has happened since your last answer:",
    "(What came before this is left out: there is no room for it.)",
    "- (to you alone) {text}",
    "- you were asked",
    "- you were asked, and saw:",
    "- you were asked the same before:",
    "- only one answer was legal, and was given for you: {answer}",
    "- no answer of yours could be played; played for you was: {answer}",
    "- your answer was read as: {answer} ({changes})",
    "- you said: {text}",
    "- you answered: {answer}",
    "- that was read as: {answer}",
    "  your reasons: {text}",
    "(empty)",
    "{text} [{n} bytes more]",
    "[{n} bytes before this are left out]",
    "[{n} bytes more]",
    // what the agent wrote for itself
    "{title}, written {when}:",
    "{title}, written {when} (asked to write it anew since, you gave nothing that could be kept):",
    "at the start",
    "after {unit} {n}",
    "your answer",
    "Your notes",
    "Your notes so far",
    "[the rest was over {n} words, and is left out]",
    "Your plan",
    "How things stand, by your own account",
    "What you have learnt",
    "What you expect of the others:",
    "its own position alone",
    "What you mean to do:",
    "Your experience so far:",
    "What happened before that may matter now, in its order:",
    // an answer that is turned down
    "{text}.",
    "a refusal is no answer",
    "the answer was cut off",
    "nothing was said",
    "{problem}; keep all that comes before the answer itself short",
    "{problem}; this time one short sentence may come before the answer, and no more",
    "the question is passed over",
    "the arena plays for you",
    "the arena plays for you: {answer}",
    "This is your last try: if it is turned down too, {then}.",
    "You have {n} tries left; after them {then}.",
    "You have {n} tries left, and another refusal is the last; then {then}.",
    "Write it in plain sentences, not as JSON or code.",
    "{problem}; it is to have {names}",
    "there are two different answers in it, {one} and {other}: give one",
    ("it is not certain that the JSON object among the words is meant as your answer: give the "
     "object alone, with nothing before or after it"),
    "nothing was said after the thought, which has no end",
    "the JSON object in the answer does not come to its end",
    "there is no JSON object in the answer",
    "the JSON object is not an answer to this question: it has none of its members",
    "there is no <answer> with its </answer>",
    "read out of your words was this: {problem}",
    "your words do not say clearly what you decide",
    // what was repaired
    "the answer is taken out of {name}",
    "{name} is no part of the answer",
    "{given} is read as {read}",
    "JSON has \" quotes around names and texts, and , and : between them",
    "a line break in a text of JSON is \\n",
    "there is a comma too many",
    "JSON has true, false and null",
    "JSON has no comments",
    "{given} is no number of JSON: write {number} if that is what you mean",
    "{given} may mean {one} or {other}: write the one that you mean, without quotes",
    "{given} has words beside the number: write the number alone",
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a sentence over two lines
    "{given} has words beside the number that are not its unit: write the number alone, in "
    "{unit}",
    // the form of an answer
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a sentence over two lines
    "Answer with one JSON object and with nothing before or after it. It has to fit this JSON "
    "Schema:",
    "Write your answer between <answer> and </answer>, as one JSON object that fits this JSON "
    "Schema:",
    "Write the plan in words first, with its limits and the reasons for them. Then write your "
    "answer between <answer> and </answer>, as one JSON object that fits this JSON Schema:",
    "Answer with one of these values of {name} and with nothing else:",
    "Answer with the letter of one of these values of {name} and with nothing else:",
    "your private reasons, before you decide; nobody else sees them",
    "the plan in words, with its limits and the reasons for them; you are shown it again, and "
    "nobody else sees it",
    "Bounds: {bounds}.",
    "{place}: {range}",
    "each of {place}",
    "at least {low}",
    "at most {high}",
    "{low} to {high}",
    "{range} characters",
    "{range} elements",
    "{range} {unit}, at most two decimals",
    "{range} {unit}",
    "one of {values}",
    "{place}, element {numbers}",
    "{place}, elements {numbers}",
    // lines that are alike
    "{line} ({n} times)",
    "{line} And so on in equal steps, {n} times in all, to: {last}",
    // personas
    "You are a {adjective} person, and you think with care before you answer.",
    "rational",
    "compassionate",
    "friendly",
    "helpful",
    "pragmatic",
    "witty",
    // lives of residents, which the water game tells now: translations are part of what identifies
    // a match, so that they stay
    "You are Alex, out of work. You are not quick of mind and not good with people: you lose your "
    "temper easily and keep away from others. You grew up poor, left school very early and never "
    "held a job for long.",
    "You are Bob, a teacher at a high school. You are of average wit, and very good at "
    "understanding what others feel. Your family is close, and you teach because you want to do "
    "good.",
    "You are Cindy, a psychologist. Your mind and your feeling for others are both strong, and "
    "you balance the two: you feel with people, and you analyse. You once answered calls at a "
    "crisis line, and became a therapist after that.",
    "You are David, a mathematician. Your mind is exceptional and always looks for the optimum; "
    "people frighten you. You come from a small town, grew up among books and puzzles, and took a "
    "doctorate in mathematics.",
    "You are Eric, an executive in marketing. You are cleverer than most, and better with people "
    "than most: charming, quick to read others and to win them over. You grew up in a big city, "
    "took a degree in business, and have led campaigns that worked.",
    "Whatever you say to the others is true, also where it costs you something.",
    "You mislead the others where that helps you: what you tell them of yourself, of what you want "
    "and of what you mean to do may be false, as long as they may believe it.",
    "You take the others at their word, unless what they do shows that it is false.",
    "You believe nothing that the others say unless you can check it, and you keep to yourself "
    "what they could use against you.",
    "You want everybody to do well, and you give up something of your own for what does all of you "
    "more good.",
    "You want to do better than the others: what they gain is your loss.",
};
using ModelLine = OneOf<kModelSentences>;

}  // namespace agon::llm
