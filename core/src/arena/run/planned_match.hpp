#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/match_id.hpp"
#include "design/keys.hpp"
#include "suite/agent_spec.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// What the chance of a match is drawn for, and that of its agents.
struct MatchDraws {
  std::uint64_t stream_key = 0;
  std::string_view scenario;  ///< its name
  std::uint64_t block = 0;
  std::uint64_t repeat = 0;
};

/// A match of these agents under these settings, by seat; null: an agent whose answers come from a
/// record.
AGON_API MatchSetup match_setup(const Game& game, const Settings& settings, const MatchDraws& draws,
                                const std::vector<const AgentInGame*>& agents);

/// An agent at a seat of a match in that block of a scenario.
AGON_API SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                              std::uint64_t dice_key, std::string carried);

/// A planned match as a suite has it, at a position of its sequence; `carried`: what each seat
/// takes along from the match before, empty texts at the first.
AGON_API MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                                const design::PlannedMatch& planned, std::uint64_t position,
                                const std::vector<std::string>& carried);

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
/// game, preset, re-asks and settings, with loaded data by digest.
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

}  // namespace agon
