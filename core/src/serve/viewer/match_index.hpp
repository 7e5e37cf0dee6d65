#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "results/names.hpp"

namespace agon::serve {

/// Matches that were dealt the same share all of it.
struct SameChance {
  std::set<std::int64_t> scenarios;  ///< numbers of rows that share their random numbers
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
};

/// Which matches are looked for: those of which all is true that is said.
struct MatchFilter {
  const archive::MatchNumbers* among = nullptr;       ///< null: all
  std::optional<std::set<std::int64_t>> scenarios{};  ///< numbers of rows
  std::optional<std::set<std::int64_t>> agent{};      ///< rows; one of them has a seat
  std::optional<std::set<std::int64_t>> other{};      ///< likewise, on another seat
  std::optional<std::int64_t> block{};
  std::optional<std::string> status{};
  bool faulty = false;    ///< some attempt was at fault
  bool fallback = false;  ///< some answer was not the agent's
  std::optional<SameChance> same_chance{};
};

/// What is known of a match without its record.
struct MatchHead {
  std::int64_t number = 0;
  std::int64_t scenario = 0;  ///< number of the row
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  archive::MatchStatus status = archive::MatchStatus::finished;
  bool faulty = false;
  bool fallback = false;
  std::vector<std::int64_t> agents;  ///< by seat: numbers of rows
  std::vector<double> scores;        ///< by seat; NaN: none
};

/// What a filter finds.
struct MatchesFound {
  std::vector<MatchHead> shown;                        ///< the part that was asked for
  std::int64_t total = 0;                              ///< all that there are
  std::map<std::int64_t, std::int64_t> by_scenario{};  ///< how many, by number of the row
  std::map<std::int64_t, std::int64_t> by_agent{};     ///< in how many it has a seat, likewise
};

/// What an agent's seats in finished matches sum up to.
struct AgentSums {
  std::int64_t seats = 0;
  std::int64_t fallbacks = 0;  ///< answers that were not its own
  std::int64_t faults = 0;     ///< attempts
  std::int64_t calls = 0;      ///< of models
  std::int64_t tokens = 0;
  std::int64_t cost = 0;  ///< billionths of a US dollar
  std::int64_t unpriced = 0;
};

/// How many matches of a scenario ended, and how.
struct ScenarioCounts {
  std::int64_t finished = 0;
  std::int64_t broken = 0;  ///< the game broke, or it was set aside
};

/// All finished matches of an archive by what they are looked for, in columns: looking through a
/// million of them takes milliseconds. Not for several threads at a time.
class AGON_API MatchIndex {
 public:
  /// Takes in what the archive has above the last number that is known, at most so many matches.
  /// The archive must be opened for this alone: it stays narrowed. Returns false if there is no
  /// more. Throws Error for a damaged archive.
  bool read(archive::Archive& archive, std::int64_t most);
  void add(std::int64_t number, const archive::MatchRow& match);

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  /// The highest number; 0 without any.
  [[nodiscard]] std::int64_t last() const { return numbers_.empty() ? 0 : numbers_.back(); }
  /// The matches that the filter lets through, of these `most` from the `from`th on, counted from
  /// 0: by number, or the last ones first.
  [[nodiscard]] MatchesFound find(const MatchFilter& filter, std::int64_t from, std::int64_t most,
                                  bool last_first = false) const;
  /// The match of this number; nothing if there is none.
  [[nodiscard]] std::optional<MatchHead> at(std::int64_t number) const;
  /// The scenarios that agents play in, of all matches or `among` some: numbers of rows.
  [[nodiscard]] std::map<std::int64_t, std::set<std::int64_t>> scenarios_by_agent(
      const archive::MatchNumbers* among) const;
  /// By number of the scenario's row.
  [[nodiscard]] std::map<std::int64_t, ScenarioCounts> scenario_counts(
      const archive::MatchNumbers* among) const;
  /// By number of the agent's row.
  [[nodiscard]] const std::map<std::int64_t, AgentSums>& agent_sums() const { return sums_; }

 private:
  /// Who sat where.
  struct LineUpAgents {
    std::vector<std::int64_t> agents;
  };
  enum FaultFlag : std::uint8_t { kFaulty = 1, kFallback = 2 };

  /// Calls `each` with the places of matches in the columns.
  template <class Each>
  void each_among(const archive::MatchNumbers* among, Each each) const;
  [[nodiscard]] MatchHead head(std::size_t place) const;
  std::uint32_t line_up_of(const archive::MatchRow& match);
  std::uint32_t scenario_of(std::int64_t row);

  // By match.
  std::vector<std::int64_t> numbers_, blocks_, repeats_;
  std::vector<std::uint32_t> scenarios_, line_ups_;
  std::vector<std::uint16_t> positions_;
  std::vector<archive::MatchStatus> statuses_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint64_t> first_scores_;
  // What these refer to.
  std::vector<double> scores_;
  std::vector<std::int64_t> scenario_rows_;
  std::map<std::int64_t, std::uint32_t> scenario_places_;
  std::vector<LineUpAgents> met_line_ups_;
  std::map<std::vector<std::int64_t>, std::uint32_t> line_up_places_;
  std::map<std::int64_t, AgentSums> sums_;
};

/// What matches of an archive refer to, by number.
struct ArchiveRows {
  std::vector<archive::RunRow> runs;
  std::map<std::int64_t, archive::SuiteRow> suites;
  std::map<std::int64_t, archive::GameRow> games;
  std::map<std::int64_t, archive::ScenarioRow> scenarios;
  std::map<std::int64_t, archive::AgentRow> agents;
};

[[nodiscard]] AGON_API ArchiveRows read_rows(const archive::Archive& archive);

/// The matches that one suite asked for, or all, and what they are called: as a report of the same
/// calls them. All names are safe to show.
struct SuiteView {
  std::int64_t suite = 0;                        ///< its number; 0: everything
  std::optional<archive::MatchNumbers> among{};  ///< none: everything
  std::map<std::int64_t, std::string> games{};   ///< by number of the scenario's row
  std::map<std::int64_t, std::string> treatments{};
  std::map<std::int64_t, std::string> chance{};  ///< the same for rows that share random numbers
  std::map<std::int64_t, int> decimals{};        ///< of scores
  /// By game and number of the agent's row.
  std::map<std::string, std::map<std::int64_t, std::string>> agents{};

  [[nodiscard]] const archive::MatchNumbers* numbers() const { return among ? &*among : nullptr; }
  /// Empty where the row is not known.
  [[nodiscard]] std::string agent(const std::string& game, std::int64_t row) const;
};

/// `asked`: the number of a suite, "all", or empty for the one that was run last. Throws Error
/// (not_found) for a suite that is not there.
[[nodiscard]] SuiteView view_of(const archive::Archive& archive, const ArchiveRows& rows,
                                const MatchIndex& index, const std::string& asked);

/// A seat of a match in a list.
struct ListedSeat {
  std::string agent;
  std::string score;
};
AGON_DESCRIBE(ListedSeat, (agent, "that played it"), (score, "as people read it"))

/// A match in a list.
struct ListedMatch {
  std::int64_t number = 0;
  std::string game;
  std::string treatment;
  std::int64_t block = 0;
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  archive::MatchStatus status = archive::MatchStatus::finished;
  bool faulty = false;
  bool fallback = false;
  std::vector<ListedSeat> seats;
};
AGON_DESCRIBE(ListedMatch, (number, "as 'agon show' takes it"), (game, "its name"),
              (treatment, "the scenario with what was varied, in words"),
              (block, "matches of a block had the same random draws"), (repeat, "of the block"),
              (position, "in a learning sequence"), (status, "finished, or how else it ended"),
              (faulty, "some attempt was at fault"), (fallback, "some answer was not the agent's"),
              (seats, "in their order"))

/// A name and how many matches it is behind.
struct NameCount {
  std::string name;
  std::int64_t matches = 0;
};
AGON_DESCRIBE(NameCount, (name, "as it is shown"), (matches, "behind it"))

/// What was found.
struct MatchList {
  std::int64_t total = 0;
  std::int64_t from = 0;
  std::vector<ListedMatch> matches;
  std::vector<NameCount> games;
  std::vector<NameCount> treatments;
  std::vector<NameCount> agents;
};
AGON_DESCRIBE(MatchList, (total, "matches found"), (from, "the place of the first shown, from 0"),
              (matches, "those that are shown"), (games, "of all that were found"),
              (treatments, "likewise"), (agents, "in how many each has a seat"))

/// What an address asks for, by name: suite, game, treatment, agent, other, status, faults (any
/// or fallback), block, rng_key (the number of a match with the same random draws), from, most (at
/// most 1000), order (last: the last ones first). Throws Error (usage, not_found) for what it
/// cannot be.
[[nodiscard]] AGON_API MatchList list_matches(const archive::Archive& archive,
                                              const ArchiveRows& rows, const MatchIndex& index,
                                              const std::map<std::string, std::string>& asked);

}  // namespace agon::serve
