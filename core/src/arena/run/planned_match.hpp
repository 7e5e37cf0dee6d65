#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/matches/match_id.hpp"
#include "archive/writer.hpp"
#include "design/plan.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/scenario/match_setup.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// A match that is to be played, and some of whose seats are people's.
struct TableToSeat {
  const Scenario& scenario;
  std::uint64_t block = 0;
  archive::MatchId match;
  archive::MatchId first;   ///< of its sequence: who sat there stays
  std::size_t place = 0;    ///< of its scenario in the suite
  std::uint64_t order = 0;  ///< within the scenario's plan
};

/// Brings people to the matches of a run. Its functions are called from the threads of the matches.
class AGON_API PeopleAtTables {
 public:
  PeopleAtTables() = default;
  PeopleAtTables(const PeopleAtTables&) = delete;
  PeopleAtTables& operator=(const PeopleAtTables&) = delete;
  virtual ~PeopleAtTables();

  /// Waits until there are people for all of its seats that are people's (is_person), and puts
  /// agents of this match alone in their places. False if nobody will come, or `stop` says so: then
  /// the match is not played.
  [[nodiscard]] virtual bool seat(const TableToSeat& table, MatchSetup& setup,
                                  const std::stop_token& stop) = 0;
  /// A match that was seated is over, and what is to be kept of it is kept.
  virtual void stand_up(const archive::MatchId& match, const MatchResult& result) = 0;
  /// How many tables may have people, or wait for them, at the same time.
  [[nodiscard]] virtual std::size_t most_tables() const = 0;
};

/// What decides how a match of this scenario and treatment comes out, beside agents and chance:
/// game, preset, re-asks and settings, with loaded data by digest; and whose chance it has, where
/// that is another scenario's.
[[nodiscard]] AGON_API std::string settings_document(const Scenario& scenario,
                                                     const Treatment& treatment);

/// What a match of this scenario knows an agent by: name, spec and, if it reads them, prompts.
[[nodiscard]] AGON_API hash::Digest agent_identity(const AgentInGame& agent,
                                                   const Scenario& scenario);

/// What the id of a match is made of; `settings`: digest of its settings_document.
[[nodiscard]] archive::MatchParts match_parts(const Suite& suite, const Scenario& scenario,
                                              const hash::Digest& settings,
                                              const design::PlannedMatch& planned,
                                              std::uint64_t position);

/// True if the archive has every match of the suite, or all that its stop rule takes, so that no
/// agent will be asked. `retry_set_aside`: those that were set aside are to be played again.
[[nodiscard]] AGON_API bool has_all_matches(const archive::Archive& archive, const Suite& suite,
                                            bool retry_set_aside);

/// The matches of an archive that stand in columns: which blocks and repeats are there, by agents
/// and seats. Their ids are not worked out.
class AGON_API DoneInColumns {
 public:
  /// Of the same agents on the same seats of a scenario, in order.
  class LineUpMatches {
   public:
    /// The running number; nothing if the match is not there.
    [[nodiscard]] std::optional<std::int64_t> number(std::int64_t block, std::int64_t repeat) const;
    [[nodiscard]] const std::vector<archive::DoneMatch>& all() const { return all_; }

   private:
    friend class DoneInColumns;
    std::vector<archive::DoneMatch> all_;
  };

  /// Reads what is there now.
  explicit DoneInColumns(const archive::Archive& archive);

  /// Those with these ids; null if there are none.
  [[nodiscard]] const LineUpMatches* find(const archive::MatchIds& ids) const;
  /// By the id of block 0 and repeat 0.
  [[nodiscard]] const std::map<archive::MatchId, LineUpMatches>& tables() const { return tables_; }
  /// How many matches there are.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::map<archive::MatchId, LineUpMatches> tables_;
  std::size_t size_ = 0;
};

class Catalogue;

/// A match of a suite, and what the archive knows it by.
struct PlacedMatch {
  std::size_t scenario = 0;  ///< of the suite
  design::PlannedMatch planned;
  archive::MatchKey key;
};

/// What an archive knows the matches and agents of a suite by.
class SuiteKeys {
 public:
  /// `suite` must outlive it.
  explicit SuiteKeys(const Suite& suite) : suite_(suite) {}

  /// Enters the suite's games, scenarios and agents into the archive. First, and once.
  void enter(archive::Writer& writer, const Catalogue& catalogue);

  [[nodiscard]] const Suite& suite() const { return suite_; }
  /// The same for suites that ask for the same matches, and mean the same with them.
  [[nodiscard]] hash::Digest digest() const;
  /// What the archive knows a match by; `position` counts the matches of a sequence from 0.
  [[nodiscard]] PlacedMatch place(std::size_t scenario, const design::PlannedMatch& planned,
                                  std::uint64_t position) const;
  /// The ids of matches of these agents on these seats.
  [[nodiscard]] archive::MatchIds ids(std::size_t scenario,
                                      const design::PlannedMatch& planned) const;
  /// The number of an agent that plays the scenario.
  [[nodiscard]] std::int64_t agent_row(std::size_t scenario, int agent) const {
    return agent_rows_[scenario].at(agent);
  }
  /// All matches of the plan, or of the suite's shard, up to a block; sequences once.
  void each_match(std::int64_t last_block,
                  const std::function<void(const Scenario&, const archive::MatchIds&,
                                           const design::PlannedMatch&)>& each) const;

 private:
  /// What the archive knows of a scenario under one treatment.
  struct StoredTreatment {
    hash::Digest settings{};
    std::int64_t row = 0;
  };

  void enter_scenario(std::size_t scenario, archive::Writer& writer, const Catalogue& catalogue);
  [[nodiscard]] std::string line_up_label(const design::Seating& seating) const;

  const Suite& suite_;
  std::int64_t places_ = 0;                              // scenarios entered, each treatment apart
  std::vector<std::vector<StoredTreatment>> stored_;     // by scenario and treatment
  std::vector<std::map<int, std::int64_t>> agent_rows_;  // by scenario: of the agents that play it
};

}  // namespace agon
