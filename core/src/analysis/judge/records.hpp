#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"

namespace agon::judge {

/// Whether a seat of a match was given an identity.
using HasIdentity = std::function<bool(const archive::MatchRow& match, int seat)>;

/// What is to be judged.
struct DrawOptions {
  std::size_t records = 30;
  std::size_t judges = 10;
  std::size_t per_record = 5;  ///< judges that rate each record
  std::uint64_t seed = 1;
  std::vector<std::string> agents{};  ///< names; empty: all
  std::string game{};                 ///< empty: all
  HasIdentity identity{};             ///< empty: nobody has one
};

/// One record: a seat of a finished match.
struct SampledRecord {
  std::string label;  ///< "R01": all that judges know it by
  archive::MatchId match;
  int seat = 0;
  std::vector<std::size_t> judges;  ///< from 0
};

/// Draws records, half of them of seats that were given an identity where there are enough of both
/// kinds, as the Alympics study did, and of each kind as evenly over agents as there are seats of
/// each, and gives them to judges so that all have the same number but for one. Labels tell
/// nothing: records are numbered in random order. The same archive and options give the same draw.
/// Throws Error (not_found) for an unknown agent or game or if there are fewer seats than records,
/// (usage) if a record is to have more judges than there are.
[[nodiscard]] AGON_API std::vector<SampledRecord> draw(const archive::Archive& archive,
                                                       const DrawOptions& options);

/// The order in which a judge reads its records: indices into `drawn`.
[[nodiscard]] std::vector<std::size_t> order_of(const std::vector<SampledRecord>& drawn,
                                                std::size_t judge, std::uint64_t seed);

/// Whether a seat was given an identity: by its game's settings, or by the persona of a model
/// agent. One for a thread.
class AGON_API Identities {
 public:
  /// Both must outlive this. Of a game that is not in the catalogue the agents alone are asked.
  Identities(const archive::Archive& archive, const Catalogue& catalogue);

  /// True if it was.
  bool operator()(const archive::MatchRow& match, int seat);

  /// Of each game that was wanted and is not in the catalogue: which plugin brought it.
  [[nodiscard]] const std::set<std::string>& missing() const { return missing_; }

 private:
  /// A scenario's game and settings; null: they are not at hand.
  struct ScenarioGame {
    const Game* game = nullptr;
    std::optional<Settings> settings{};
  };
  const ScenarioGame& stage_of(std::int64_t scenario);
  bool by_agent(std::int64_t agent);

  const archive::Archive& archive_;
  const Catalogue& catalogue_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::int64_t, ScenarioGame> stages_;
  std::map<std::int64_t, bool> known_;  ///< by agent
  std::set<std::string> missing_;
};

/// Takes out of a record what could tell who played: names of models, their makers and agents.
class AGON_API Blindfold {
 public:
  /// Knows the names of the archive's agents and models, and of widespread models and makers.
  explicit Blindfold(const archive::Archive& archive);
  explicit Blindfold(std::vector<std::string> names);

  /// The text with "[name]" in the place of every such name that stands by itself, in whatever
  /// case.
  [[nodiscard]] std::string over(std::string_view text) const;

  /// Names of agents that are ordinary words, which over() leaves alone, and that the text has.
  [[nodiscard]] std::vector<std::string> left_in(std::string_view text) const;

 private:
  std::set<std::string> words_;     // ordinary words that agents are called by
  std::vector<std::string> names_;  // lower case, longest first
};

}  // namespace agon::judge
