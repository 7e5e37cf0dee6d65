#pragma once

#include <agon/describe.hpp>
#include <agon/money.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "describe/value.hpp"

/// What a suite's file may say of the people who take part in the browser
/// (`agon serve SUITE --people`), as it says it.
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
    (matches, "that each person plays, one after the other", range(1, 10'000)),
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
     left_out))

}  // namespace agon::suite_file
