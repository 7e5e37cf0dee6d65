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

/// In which order somebody plays the scenarios of a stage.
enum class PlayOrder : std::uint8_t { as_listed, random, latin };
AGON_DESCRIBE_ENUM(PlayOrder, (as_listed, "as the scenarios are listed", "as-listed"),
                   (random, "drawn for each person"),
                   (latin, "rows of a Williams square, in the order in which people begin"))

/// For whom treatments are drawn.
enum class TreatmentsBy : std::uint8_t { within, person, group };
AGON_DESCRIBE_ENUM(TreatmentsBy,
                   (within, "for nobody: matches fill as planned, and people meet several"),
                   (person, "each person has one of each scenario, balanced as they begin"),
                   (group, "each group that comes together draws one, balanced"))

/// With whom people play.
enum class Matching : std::uint8_t { arrival, partners, strangers, perfect_strangers };
AGON_DESCRIBE_ENUM(Matching, (arrival, "with the next who come"),
                   (partners, "with the same people through the stage"),
                   (strangers, "with people drawn from those present"),
                   (perfect_strangers, "with nobody twice", "perfect-strangers"))

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

/// Which of a person's matches are paid.
enum class PaidMatches : std::uint8_t { sum, one_match, one_round };
AGON_DESCRIBE_ENUM(PaidMatches, (sum, "all of them"),
                   (one_match, "one of all, drawn by a key", "one-match"),
                   (one_round, "one of one scenario's, both drawn by a key", "one-round"))

struct Payment {
  std::string currency = "points";
  std::optional<PaidMatches> pay;
  double per_point = 0;
  Money show_up_fee;
  Money unfinished;
  std::optional<Money> screened_out;
  Money minimum;
  std::optional<Money> maximum;
  Money round{1};
};
AGON_DESCRIBE(Payment, (currency, "what stands behind amounts: \"EUR\"", length(1, 20)),
              (pay, "which matches are paid (default: sum)", left_out),
              (per_point, "money for a point of payoff", range(0, 1e6), formerly("rate")),
              (show_up_fee, "to everybody who came to the instructions", formerly("show_up")),
              (unfinished, "for a match that ended without a score through no fault of theirs"),
              (screened_out, "all that those get who are screened out (default: as everybody)",
               left_out),
              (minimum, "nobody who played or waited to the end gets less", formerly("at_least")),
              (maximum, "nobody gets more (default: no limit)", left_out),
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

/// A text for each way in which the study may end for somebody; none for those that are left out.
struct TextsByOutcome {
  std::optional<std::string> complete;
  std::optional<std::string> waited;
  std::optional<std::string> screened_out;
  std::optional<std::string> timed_out;
  std::optional<std::string> no_consent;
  std::optional<std::string> left;
};
AGON_DESCRIBE(TextsByOutcome, (complete, "they stayed to the end", left_out, length(1, 2000)),
              (waited, "nobody came for a match in time (default: that of complete)", left_out,
               length(1, 2000)),
              (screened_out, "they were screened out", left_out, length(1, 2000)),
              (timed_out, "they were away for too long", left_out, length(1, 2000)),
              (no_consent, "they did not agree to the consent text", left_out, length(1, 2000)),
              (left, "they left, or the researcher removed them", left_out, length(1, 2000)))

/// The same text however the study ends, or one for each way.
using TextByOutcome = std::variant<std::string, TextsByOutcome>;

/// What a panel adds to the study's address for each person whom it sends.
struct PanelParameters {
  std::string id;
  std::optional<std::string> session;
  std::vector<std::string> more;
};
AGON_DESCRIBE(PanelParameters, (id, "the parameter that names the person", length(1, 100)),
              (session, "one that only this person's link has (default: none)", left_out,
               length(1, 100)),
              (more, "others that are kept, for return_to"))

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
  std::optional<PlayOrder> order;
  std::optional<TreatmentsBy> treatments;
  std::optional<Matching> matching;
  std::optional<std::vector<std::vector<std::string>>> groups;
};
AGON_DESCRIBE(PlayEntry,
              (scenarios, "names of those that are played (default: all in which people play)",
               length(1, 10'000), left_out),
              (matches, "that each person plays here (default: one of each scenario)",
               range(1, 10'000), left_out),
              (order, "of the scenarios (default: as-listed)", left_out),
              (treatments, "for whom they are drawn (default: within)", left_out),
              (matching, "with whom people play (default: arrival)", left_out),
              (groups,
               "in place of matching: who plays together, by the names of rooms or by places: "
               "[[\"1\", \"2\"], [\"3\", \"4\"]]",
               length(1, 10'000), left_out))

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
  std::optional<TextByOutcome> code;
  std::optional<TextByOutcome> return_to;
  std::optional<std::variant<std::string, PanelParameters>> panel;
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
    (code,
     "that shows that somebody was here, or one for each outcome (default: one for each person)",
     left_out),
    (return_to,
     "address to go to in the end, or one for each outcome; {code} in it stands for the code, and "
     "a "
     "panel's {PARAMETER} for what it was",
     left_out),
    (panel, "people come by /join with a panel's parameters: prolific, mturk, sona, or their names",
     left_out),
    (chat, "people at one table write to each other beside the decisions (default: they do not)",
     left_out),
    (stages,
     "what comes after the consent, in order (default: the rules, a practice match and all "
     "matches)",
     length(1, 200), left_out))

}  // namespace agon::suite_file
