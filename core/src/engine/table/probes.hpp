#pragma once

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/stage.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "describe/description.hpp"

/// @file
/// Questions that a suite asks beside those of its games: they go through the table as a game's own
/// probes do, but the game never gets the answers, and no agent is shown or keeps anything of them
/// afterwards. They are numbered apart, so that play has the same numbers and dice without them.
namespace agon {

/// Words to choose from, or "seats": the names of all seats.
using ProbeOptions = std::variant<std::string, std::vector<std::string>>;

struct ProbeNumber {
  double min = 0;
  double max = 0;
  std::string unit;
};
AGON_DESCRIBE(ProbeNumber, (min, "the least"), (max, "the most"),
              (unit, "what it counts: \"dollars\"", length(0, 40)))

struct ProbeInterval {
  double min = 0;
  double max = 0;
  std::string unit;
  double level = 0.9;
};
AGON_DESCRIBE(ProbeInterval, (min, "the least of the lower end"), (max, "the most of the upper"),
              (unit, "what it counts: \"dollars\"", length(0, 40)),
              (level, "with which the truth is to be inside", range(0.5, 0.999)))

/// What an answer is; one of them.
struct ProbeForm {
  std::optional<ProbeOptions> choice;
  std::optional<std::string> probability;
  std::optional<ProbeOptions> distribution;
  std::optional<ProbeNumber> number;
  std::optional<ProbeInterval> interval;
  std::optional<std::int64_t> text;
};
AGON_DESCRIBE(ProbeForm, (choice, "one of these, or of the \"seats\"", left_out),
              (probability, "of this statement, 0 to 1", length(1, 500), left_out),
              (distribution, "a probability for each of these, or of the \"seats\"", left_out),
              (number, "between two bounds", left_out),
              (interval, "a lower and an upper end for a number", left_out),
              (text, "words, at most so many characters; not scored", range(1, 4000), left_out))

/// Which occurrence of what the truth is read from.
enum class ProbeWhen : std::uint8_t { next, first, last };
AGON_DESCRIBE_ENUM(ProbeWhen, (next, "the first after the answer"), (first, "of the match"),
                   (last, "of the match"))

/// Where in the record the truth stands; one of `event`, `next`, `view` and `score`.
struct ProbeTruth {
  std::optional<std::string> event;
  std::optional<std::string> next;
  std::optional<std::string> view;
  std::optional<std::string> score;
  std::optional<std::string> seat;
  std::optional<std::string> member;
  std::optional<ProbeWhen> when;
  std::optional<std::variant<bool, double, std::string>> is;
  std::optional<double> at_least;
};
AGON_DESCRIBE(
    ProbeTruth, (event, "an event of the game, or a note in its record", left_out),
    (next, "a stage: a seat's next answer", left_out),
    (view, "a stage: what the seat sees when it is next asked; of models and people only",
     left_out),
    (score, "the final score of this seat, or of the \"asked\" one", left_out),
    (seat,
     "with event: the seat that was told; with next, view: whose. A name, a role, \"asked\", or "
     "\"others\"",
     left_out),
    (member, "of the event, answer or view: \"/price\"", left_out),
    (when, "which occurrence of an event (default: next)", left_out),
    (is,
     "the statement is true where the member is this; with seats to choose from, the truth is the "
     "seat that was told so",
     left_out),
    (at_least, "the statement is true where the member is this or more", left_out))

/// A question of a suite.
struct ProbeEntry {
  std::string name;
  std::string after;
  std::string of = "all";
  std::string ask;
  ProbeForm answer;
  std::optional<ProbeTruth> truth;
  std::int64_t every = 1;
  std::optional<std::int64_t> most;
};
AGON_DESCRIBE(
    ProbeEntry, (name, "heads reports; unlike any stage of the game", length(1, 60)),
    (after, "the event, or the stage whose answers are settled, it is asked after", length(1, 100)),
    (of, "which seats are asked: a name, a role, or \"all\"", length(1, 100)),
    (ask, "the question, as people and models read it", length(1, 4000)), (answer, "its form"),
    (truth, "where the record has the truth (default: answers are not scored)", left_out),
    (every, "it is asked after the first of so many", range(1, 1'000'000)),
    (most, "how often it is asked in a match (default: no limit)", range(1, 1'000'000), left_out))

/// The probes of a scenario, ready to be asked. They outlive its matches.
class AGON_API Probes {
 public:
  struct Ready {
    ProbeEntry said;
    OwnedType type;
    StageCard card;
    bool after_event = false;
  };

  /// The entries must be sound, see check_probes().
  Probes(const Game& game, std::vector<ProbeEntry> entries);
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;

  [[nodiscard]] std::span<const Ready> all() const { return ready_; }
  /// Whether a stage is one of them.
  [[nodiscard]] bool has(const StageCard* card) const;
  /// As a stored document has them: a list.
  [[nodiscard]] std::string json() const;

 private:
  std::vector<ProbeEntry> entries_;
  std::vector<Ready> ready_;
};

/// The limits of an answer where the seats have these names.
[[nodiscard]] AGON_API OwnedLimits limits_of(const Probes::Ready& probe,
                                             std::span<const SeatCard> seats);
/// What a choice or a distribution is over; empty for other forms.
[[nodiscard]] AGON_API std::vector<std::string> options_of(const ProbeForm& form,
                                                           std::span<const SeatCard> seats);
/// Whether `word` ("all", a name or a role) means the seat.
[[nodiscard]] AGON_API bool means_seat(std::string_view word, const SeatCard& seat);
/// Whether a form's options are the seats.
[[nodiscard]] AGON_API bool is_of_seats(const ProbeForm& form);
/// What is wrong with an interval; empty: nothing.
[[nodiscard]] std::string problem_of_interval(const Type& type, const void* answer);

}  // namespace agon
