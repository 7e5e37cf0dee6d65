#pragma once

#include <agon/describe.hpp>
#include <agon/money.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "describe/value.hpp"

/// What a suite's file may say of people who take part in the browser, as it says it.
namespace agon::suite_file {

/// An entry of "agents" or "models": a short form, or an object. Which agent an object means says
/// one of its names, and what the others mean that agent; of a model all do.
using Entry = std::variant<std::string, InOrder<JsonText>>;

struct DropOut {
  std::int64_t seconds = 120;
  Entry substitute = "end";
};
AGON_DESCRIBE(DropOut,
              (seconds,
               "with a question open and no page open, so long in a row: then they are gone",
               unit("seconds"), range(5, 1'000'000)),
              (substitute, "the agent that plays on for them; \"end\": the match ends unfinished"))

struct WaitingRoom {
  std::optional<std::int64_t> seconds;
  Money pay;
};
AGON_DESCRIBE(WaitingRoom,
              (seconds,
               "without a match, so long in all: then the study ends for them (default: "
               "they wait)",
               unit("seconds"), range(5, 1'000'000), left_out),
              (pay, "to whom nobody came for a match, beside the rest"))

struct Payment {
  std::string currency = "points";
  double per_point = 0;
  Money show_up_fee;
  Money unfinished;
  Money minimum;
  Money round{1};
};
AGON_DESCRIBE(Payment, (currency, "what stands behind amounts: \"EUR\"", length(1, 20)),
              (per_point, "money for a point of payoff", range(0, 1e6), formerly("rate")),
              (show_up_fee, "to everybody who came to the instructions", formerly("show_up")),
              (unfinished, "for a match that ended without a score through no fault of theirs"),
              (minimum, "nobody who played or waited to the end gets less", formerly("at_least")),
              (round, "amounts are multiples of this, half of it is rounded up"))

/// Free talk beside the decisions.
struct Chat {
  std::optional<std::vector<std::string>> scenarios;
  std::vector<std::string> withhold;
  std::uint64_t longest = 500;
  std::uint64_t per_minute = 20;
};
AGON_DESCRIBE(Chat,
              (scenarios, "names of those in which people may write (default: all)", left_out,
               length(1, 1000)),
              (withhold,
               "words that nobody is shown and that are not kept, whatever their case; three dots "
               "stand for them",
               length(0, 10'000)),
              (longest, "characters of a message", range(1, 5000)),
              (per_minute, "messages of one person, at most", range(1, 1000)))

/// How a question of a form is answered.
enum class AskedAs : std::uint8_t { choice, several, number, scale, text };
AGON_DESCRIBE_ENUM(AskedAs, (choice, "one of the choices"), (several, "any of the choices"),
                   (number, "a number"), (scale, "a whole number from low to high"),
                   (text, "in words"))

/// A question that the study asks, beside those of the games.
struct FormQuestion {
  std::string name;
  std::string ask;
  AskedAs kind = AskedAs::choice;
  std::vector<std::string> choices;
  std::optional<double> low;
  std::optional<double> high;
  std::string low_label;
  std::string high_label;
  std::optional<bool> required;
  std::optional<std::variant<double, std::string, std::vector<std::string>>> right;
  std::string explain;
};
AGON_DESCRIBE(FormQuestion, (name, "in exports: small letters, digits, - and _", length(1, 60)),
              (ask, "the question, as people read it", length(1, 5000)),
              (kind, "how it is answered"),
              (choices, "of a choice or several, as people read them", length(0, 200)),
              (low, "of a scale, or the lowest number", left_out),
              (high, "of a scale, or the highest number", left_out),
              (low_label, "what the low end of a scale means", length(0, 200)),
              (high_label, "what the high end of a scale means", length(0, 200)),
              (required, "false: it may be left out (default: true)", left_out),
              (right,
               "of a quiz: the right answer; of several, a list; a text's case does not matter",
               left_out),
              (explain, "of a quiz: what people are told who answer it wrong", length(0, 5000)))

/// A stage in which people play.
struct PlayEntry {
  std::optional<std::vector<std::string>> scenarios;
  std::optional<std::uint64_t> matches;
};
AGON_DESCRIBE(PlayEntry,
              (scenarios, "names of those that are played (default: all in which people play)",
               length(1, 10'000), left_out),
              (matches, "that each person plays here (default: one of each scenario)",
               range(1, 10'000), left_out))

/// A stage of a session: one of questionnaire, instructions, quiz and play.
struct StageEntry {
  std::optional<std::string> name;
  std::optional<std::vector<FormQuestion>> questionnaire;
  std::optional<std::string> instructions;
  std::optional<std::vector<FormQuestion>> quiz;
  std::optional<std::uint64_t> attempts;
  std::optional<PlayEntry> play;
};
AGON_DESCRIBE(StageEntry,
              (name, "in exports (default: what it is, numbered)", length(1, 60), left_out),
              (questionnaire, "questions to answer", length(1, 500), left_out),
              (instructions,
               "file of Markdown, from the suite's folder; its pictures are in that folder",
               left_out),
              (quiz, "questions that must be answered right before anybody goes on", length(1, 100),
               left_out),
              (attempts, "with quiz: after so many the study ends (default: no limit)",
               range(1, 1000), left_out),
              (play, "matches of the suite's scenarios", left_out))

/// How people take part in the browser (`agon serve SUITE --people`).
struct People {
  std::string title;
  std::string contact;
  std::string language = "en";
  std::optional<std::string> texts;
  std::string welcome;
  std::optional<std::string> consent;
  bool instructions = true;
  std::optional<Entry> practice;
  std::uint64_t matches = 1;
  std::uint64_t participants = 0;
  InOrder<std::vector<std::string>> rooms;
  std::optional<std::string> disclosure;
  DropOut drop_out;
  WaitingRoom waiting;
  bool confirm = true;
  Payment payment;
  std::optional<std::string> code;
  std::optional<std::string> return_to;
  std::optional<Chat> chat;
  std::optional<std::vector<StageEntry>> stages;
};
AGON_DESCRIBE(
    People, (title, "of the study, as people read it (default: the suite's name)", length(0, 200)),
    (contact, "whom to ask, as people read it", length(0, 500)),
    (language, "of the pages: en, de, zh, or that of \"texts\"", length(2, 20)),
    (texts, "file of sentences over those of the pages, from the suite's folder", left_out),
    (welcome, "text of the first page (default: the pages' own)", length(0, 20'000)),
    (consent, "file of the text to agree to, from the suite's folder (default: nobody is asked)",
     left_out),
    (instructions, "the rules are a page of their own before the first match"),
    (practice,
     "the agent at the other seats of a practice match, which does not count (default: none)",
     formerly("trial"), left_out),
    (matches, "that each person plays, one after the other; with stages, each says its own",
     range(1, 10'000)),
    (participants, "how many links are made at the start", range(0, 10'000)),
    (rooms, "names of rooms to those who may come in, each by their name"),
    (disclosure, "what people are told about who the others are (default: what is true)",
     formerly("told"), left_out, length(0, 2000)),
    (drop_out, "what becomes of who is gone"), (waiting, "for a match"),
    (confirm, "people are asked whether they mean an answer that ends the match for them"),
    (payment, "what people are paid", formerly("payoff")),
    (code, "that shows that somebody was here (default: one of its own for each)", left_out,
     length(1, 100)),
    (return_to, "address to go to in the end; {code} in it stands for the code", left_out,
     length(1, 2000)),
    (chat, "people at one table write to each other beside the decisions (default: they do not)",
     left_out),
    (stages,
     "what comes after the consent, in order (default: the rules, a practice match and all "
     "matches)",
     length(1, 200), left_out))

}  // namespace agon::suite_file
