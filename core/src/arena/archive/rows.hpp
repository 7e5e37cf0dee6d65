#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/matches/match_id.hpp"
#include "text/hash.hpp"

namespace agon::archive {

/// Milliseconds since 1970-01-01 UTC.
using Time = std::int64_t;

/// The present time.
inline Time now() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// What a row may say: an archive that says more is damaged. The sums of a run then fit 64 bits, or
/// are made with add_capped.
inline constexpr std::int64_t kMostBlock = 1'000'000'000'000'000;
inline constexpr std::int64_t kMostPosition = 9'999;
inline constexpr std::int64_t kMostCount = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kMostTokens = 1'000'000'000'000'000;
inline constexpr std::int64_t kMostDecimals = 15;
inline constexpr Time kLastTime = 253'402'300'799'999;  ///< the end of the year 9999

/// The sum, or the largest number where it is larger; both are at least 0.
[[nodiscard]] inline std::int64_t add_capped(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most - b ? most : a + b;
}

/// One metric of a game.
struct Metric {
  std::string name;
  std::string unit{};
  std::string better{};
  int decimals = 0;
  std::optional<double> min{};
  std::optional<double> max{};
  std::optional<bool> stake{};
};
AGON_DESCRIBE(Metric, (name, "of the metric"), (unit, "of its values"),
              (better, "higher, lower or empty"),
              (decimals, "2 for money: the values are cents and are exported as 12.50",
               range(0, kMostDecimals)),
              (min, "what no value is below, in cents where they are; absent: not known", left_out),
              (max, "what no value is above, likewise", left_out),
              (stake,
               "true: gains and ideals of the match are divided by it before they are summed",
               left_out))

/// Widens bounds so that they hold for what keeps to the others as well.
inline void widen(std::optional<double>& min, std::optional<double>& max,
                  const std::optional<double>& other_min, const std::optional<double>& other_max) {
  min = min && other_min ? std::optional(std::min(*min, *other_min)) : std::nullopt;
  max = max && other_max ? std::optional(std::max(*max, *other_max)) : std::nullopt;
}

/// A game, in the version that played, from the plugin it came from.
struct GameRow {
  std::string name;
  std::int64_t version = 1;
  std::string plugin{};
  std::string plugin_version{};
  int score_decimals = 0;               ///< as Metric::decimals, for score, zero and one
  std::vector<Metric> seat_metrics{};   ///< the order of SeatRow::metrics
  std::vector<Metric> match_metrics{};  ///< the order of MatchRow::metrics
  /// What no normalised score, (score - zero) / (one - zero), is below or above; none if not known.
  std::optional<double> score_min{};
  std::optional<double> score_max{};
};

/// One scenario under one treatment and one seed.
struct ScenarioRow {
  /// Where it stands in the suite that had it last: the order of reports and exports.
  std::int64_t place = 0;
  std::string name;
  std::int64_t game = 0;  ///< number of the game
  std::string preset{};
  std::string treatment = "{}";         ///< JSON object: what was varied, and how it was set
  hash::Digest settings{};              ///< content: the whole settings as JSON
  std::optional<std::uint64_t> seed{};  ///< of the suite, from which its chance is; none: not known
  /// The scenario whose name keys its chance, as the settings say; empty: itself. No column.
  std::string same_draws_as{};

  /// What keys its chance, beside seed and block.
  [[nodiscard]] const std::string& draws() const {
    return same_draws_as.empty() ? name : same_draws_as;
  }
};

/// What a stored document of settings says of the scenario whose draws it has; empty: nothing.
/// `archive`: its path. Throws Error (damaged archive) for a name that is longer than any.
[[nodiscard]] AGON_API std::string same_draws_in(std::string_view settings,
                                                 const std::filesystem::path& archive);

/// An agent as its spec says.
struct AgentRow {
  hash::Digest hash{};  ///< of the spec, prompts included
  std::string name;
  std::string spec = "{}";  ///< JSON
  std::string family{};     ///< name in the suite; agents that factors make of one entry share it
  std::string factors = "{}";             ///< JSON object: factor to level
  std::optional<hash::Digest> prompts{};  ///< content: JSON object, name to text
};

/// One version of one suite with one seed: what it asks for, whatever its file says else.
struct SuiteRow {
  std::optional<hash::Digest> digest{};  ///< of what is asked for; none: by an older version
  std::string name;
  std::uint64_t seed = 0;
};

/// The digest that stands for whatever `agon play` was asked to keep: plays by hand into one
/// archive are one collection.
[[nodiscard]] inline hash::Digest digest_of_plays() {
  return hash::sha256("agon play");
}

/// One start of the command that wrote the archive.
struct RunRow {
  std::int64_t number = 0;  ///< not looked at when writing
  Time started = 0;
  std::optional<Time> ended{};
  std::optional<std::string> status{};       ///< "done", "interrupted", "budget", ...
  std::optional<hash::Digest> suite_file{};  ///< content: its text
  std::uint64_t seed = 0;                    ///< of the suite
  std::string command = "[]";                ///< JSON array of arguments, without keys
  std::string versions = "{}";               ///< JSON object: agon, compiler, libraries, system
  std::string plugins = "[]";                ///< JSON array of PluginOfRun
  std::string manifest = "{}";  ///< JSON object: what was planned and met, docs/archive.md
  /// Number of the suite; none: not known, or no suite.
  std::optional<std::int64_t> suite_number{};
};

/// Which match it is and where in the design it stands.
struct MatchKey {
  MatchId id;
  std::int64_t scenario = 0;  ///< number of the scenario
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;  ///< within a sequence of matches that learn from one another
  std::string line_up{};      ///< label of the line-up
  std::int64_t assignment = 0;
};

/// What one seat got, and what its agent did.
struct SeatRow {
  std::string name;
  std::string role{};
  std::int64_t agent = 0;                                    ///< number of the agent
  double payoff = std::numeric_limits<double>::quiet_NaN();  ///< NaN where the match has none
  double disagreement = std::numeric_limits<double>::quiet_NaN();
  double ideal = std::numeric_limits<double>::quiet_NaN();
  int rank = 0;  ///< 1 is best; 0 where there is none
  std::vector<double> metrics{};
  std::int64_t fallbacks = 0;                    ///< answers of the fallback or a substitute
  std::array<std::int64_t, kFaults> attempts{};  ///< by Fault, `ok` included
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_tokens = 0;     ///< of input_tokens
  std::int64_t reasoning_tokens = 0;  ///< of output_tokens
  std::int64_t cost = 0;              ///< billionths of a US dollar, of the calls with a price
  double waiting_ms = 0;              ///< for this seat's answers
  std::int64_t calls = 0;             ///< of models
  std::int64_t unpriced = 0;          ///< of calls: those whose cost is not known
};

/// What the seat has under the fault policy `forfeit`: after a fallback answer at most its
/// disagreement point. What is below that stays, and so does what has none: a fault takes a gain
/// away and never a loss.
[[nodiscard]] inline double forfeited(const SeatRow& seat) {
  return seat.fallbacks > 0 && seat.payoff > seat.disagreement ? seat.disagreement : seat.payoff;
}

/// Whether gains and ideals of a game are shares of a metric.
[[nodiscard]] inline bool has_stake(const std::vector<Metric>& match_metrics) {
  return std::any_of(match_metrics.begin(), match_metrics.end(),
                     [](const Metric& metric) { return metric.stake == true; });
}

/// How large a match is: its metric that is marked as the stake; 1 where none is, or none fits.
[[nodiscard]] inline double stake_of(const std::vector<Metric>& match_metrics,
                                     const std::vector<double>& values) {
  for (std::size_t i = 0; i < std::min(match_metrics.size(), values.size()); ++i)
    if (match_metrics[i].stake == true && values[i] > 0 && std::isfinite(values[i]))
      return values[i];
  return 1;
}

/// How a match ended.
enum class MatchStatus : std::uint8_t { finished, game_error, quarantined, unfinished };
AGON_DESCRIBE_ENUM(MatchStatus, (finished, "with an outcome"),
                   (game_error, "the game broke", "game-error"),
                   (quarantined, "it took the process down twice, and is not played"),
                   (unfinished, "it is a partial match, not a row of the table"))

/// What differs in a branch of a match from its cut on.
enum class BranchChange : std::uint8_t { none, agent, answer, without, persona };
AGON_DESCRIBE_ENUM(BranchChange, (none, "nothing: the parent itself"),
                   (agent, "another agent plays the seat"), (answer, "the seat gives this answer"),
                   (without, "the seat's model agent lacks these components"),
                   (persona, "the seat's model agent has this persona"))

/// What a match was branched from: it goes on from the cut of another one, its parent, with one
/// thing changed and the same chance. Each match of an archive that 'agon branch' wrote has such a
/// row, the parents themselves included.
struct BranchRow {
  MatchId match;
  MatchId unchanged;        ///< the parent, which is played in this archive too; of itself: itself
  std::string archive{};    ///< name of the parent's archive, without its folder
  std::int64_t parent = 0;  ///< the parent's number there
  /// The cut: number of the question, as `agon show --json` has it, whose answer is the first that
  /// is not the parent's; none: the parent itself.
  std::optional<std::int64_t> question{};
  std::optional<std::int64_t> seat{};  ///< that was asked it, and is changed
  std::string stage{};                 ///< of the question
  BranchChange change = BranchChange::none;
  std::string text{};  ///< of the change: name of the agent, JSON of the answer, components, words
  std::int64_t repeat = 0;  ///< from 0: the same change at the same cut, with other agents' dice
};

/// What an answer to a question of a match is worth, as a reference agent plays on at all seats
/// from there, on the match's chance.
struct DecisionRow {
  MatchId match;
  std::int64_t question = 0;
  std::int64_t seat = 0;  ///< that was asked it
  std::string stage{};
  std::string reference{};       ///< who plays on, as the command line had it
  bool others = false;           ///< at the seat alone: at the others their own agents do
  std::string answer{};          ///< JSON
  bool chosen = false;           ///< it is what the seat answered
  bool by_reference = false;     ///< it is what the reference would have answered
  bool complete = false;         ///< there are no other legal answers than those with rows
  std::vector<double> scores{};  ///< the seat's, by repeat: with the same dice for all answers
};

/// A finished match.
struct MatchRow {
  MatchKey key{};
  std::optional<std::int64_t> focal{};  ///< number of the agent that the line-up is about
  std::string cluster{};                ///< what blocks may share, such as an item
  std::uint64_t rng_key = 0;            ///< of the match's chance
  MatchStatus status = MatchStatus::finished;
  std::optional<std::string> fault{};  ///< what the game did wrong
  std::vector<double> metrics{};
  std::int64_t questions = 0;
  double wall_ms = 0;
  double waiting_ms = 0;
  Time created = 0;  ///< 0 when writing: the present time
  std::vector<SeatRow> seats{};
  /// The event record; empty when reading without records, or if it was not kept.
  std::string record{};
  /// When writing: what it was branched from, null for other matches. Archive::branches() reads it.
  std::shared_ptr<const BranchRow> branch{};
};

/// Whether the fault policy `exclude` leaves out the match's block, under its treatment, for
/// everybody: somebody's answer was a fallback. A match that the game broke counts under no policy,
/// and takes no other with it.
[[nodiscard]] inline bool excludes_block(const MatchRow& match) {
  return match.status == MatchStatus::finished &&
         std::any_of(match.seats.begin(), match.seats.end(),
                     [](const SeatRow& seat) { return seat.fallbacks > 0; });
}

/// A match in progress, or one that could not be finished.
struct PartialMatch {
  MatchKey key{};
  std::vector<std::int64_t> agents{};   ///< by seat: numbers of agents
  std::optional<std::int64_t> focal{};  ///< number of the agent that the line-up is about
  std::int64_t sequence = 0;  ///< rises with every save; a save with a lower one changes nothing
  std::string reason{};       ///< why it could not go on; empty while it is played
  Time saved = 0;             ///< 0 when writing: the present time
  std::string record{};       ///< the record so far
};

/// A person at a seat: one session.
struct PersonRow {
  std::string session;
  std::string pseudonym;
  std::optional<hash::Digest> consent{};  ///< content: the text agreed to
  std::optional<Time> consented{};
  std::string disclosure{};  ///< what they were told about their opponents
  Time started = 0;          ///< 0 when writing: the present time
};

/// When one question was shown to a person and answered.
struct PersonAnswer {
  std::string session;
  MatchId match;
  int seat = 0;
  std::int64_t question = 0;
  std::int64_t attempt = 0;
  Time shown = 0;
  std::optional<Time> first_input{};
  std::optional<Time> answered{};  ///< none: they left
  std::int64_t disconnects = 0;
};

/// A plugin that was loaded when a run began: of these is RunRow::plugins.
struct PluginOfRun {
  std::string name;
  std::string version;
  std::string path;    ///< on the machine of the run
  std::string sha256;  ///< of the file
  std::optional<std::map<std::string, std::int64_t>> games;
  std::optional<bool> shipped;
};
AGON_DESCRIBE(PluginOfRun, (name, "its own"), (version, "its own"), (path, "of its file"),
              (sha256, "of its file"),
              (games, "that it brings, and their versions; older archives do not say", left_out),
              (shipped, "it came with Agon; older archives do not say", left_out))

/// Running numbers from `first` to `last`.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// A set of running numbers. Runs write theirs one after the other, so that ranges hold them.
class AGON_API MatchNumbers {
 public:
  MatchNumbers() = default;
  /// Ranges in any order, which may overlap.
  explicit MatchNumbers(std::vector<NumberRange> ranges);

  [[nodiscard]] bool has(std::int64_t number) const;
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  /// Apart from one another, in ascending order.
  [[nodiscard]] const std::vector<NumberRange>& ranges() const { return ranges_; }

 private:
  std::vector<NumberRange> ranges_;
};

/// Some matches of an archive: what a suite or a run asked for.
struct Selection {
  MatchNumbers matches;        ///< finished ones, by running number
  std::set<MatchId> partials;  ///< those in progress, or that could not be finished
  std::set<std::int64_t> runs;
};

/// Metrics as the archive keeps them: a JSON array such as `[1.0,null,0.25]`, in the order of the
/// names in the game's row. Numbers read back exactly; NaN and infinities become null.
AGON_API std::string write_metrics(std::span<const double> metrics);

/// Reads what `write_metrics` wrote into `out`; null becomes NaN. False for anything else.
AGON_API bool read_metrics(std::string_view text, std::vector<double>& out);

}  // namespace agon::archive
