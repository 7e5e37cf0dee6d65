#pragma once

#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "archive/archive.hpp"
#include "plugin/catalogue.hpp"
#include "record/transcript.hpp"
#include "settings/settings.hpp"
#include "suite/agents/agent_spec.hpp"
#include "table/match.hpp"

namespace agon {

/// The game of a row of the archive. Throws Error where it is not at hand, with the plugin that
/// brought it when it was played.
[[nodiscard]] AGON_API const Game& archived_game(const Catalogue& catalogue,
                                                 const archive::Archive& archive,
                                                 const archive::GameRow& row);

}  // namespace agon

namespace agon::archive {

/// Settings as an archive holds them, ready to play again.
struct StoredSettings {
  Settings settings;
  int reasks = 3;
};

/// What the suite asked of its seats, beside the game. `digest`: as below.
[[nodiscard]] std::vector<ProbeEntry> stored_probes(const Archive& archive,
                                                    const hash::Digest& digest);

/// The settings alone of a scenario, as JSON, data in their place. `digest`: of the document that a
/// run wrote of them. Throws Error if the archive lacks data it refers to.
[[nodiscard]] std::string stored_settings(const Archive& archive, const hash::Digest& digest);

/// Reads them. Throws Error if the archive lacks data they refer to, or if they no longer fit the
/// game.
[[nodiscard]] AGON_API StoredSettings read_stored_settings(const Game& game, const Archive& archive,
                                                           const hash::Digest& digest);

}  // namespace agon::archive

namespace agon {

class Catalogue;
class Skin;

/// Where a replay first parts from its record.
struct Divergence {
  std::string problem;   ///< in a sentence
  std::string recorded;  ///< the entry as the archive has it; empty: it has no more
  std::string replayed;  ///< the entry as the game now makes it; empty: it makes no more
};

/// Attempts at answers that come out in another class than they did.
struct ClassChange {
  Fault recorded = Fault::ok;
  Fault now = Fault::ok;
  std::size_t attempts = 0;
  std::string first;  ///< "question 5, seat Alice, stage bid"
};

/// What comes of a match when the agents of today read the recorded words of their models.
struct Reparsed {
  std::size_t answers = 0;    ///< recorded answers of seats with models, probes included
  std::size_t flipped = 0;    ///< of these: those that come out otherwise
  std::size_t unknown = 0;    ///< of these: those that were not reached
  bool result_flips = false;  ///< finished again, with other scores
  std::string problem{};      ///< why it was not finished again; empty: it was
  Divergence first{};         ///< the first flip; its `problem` is empty without one
  /// Up to the first flip, which is in it where it is one of a class; in order of appearance.
  std::vector<ClassChange> changes{};
};

/// What plays `game` by the spec of a recorded agent, with dice as they were. Throws Error where
/// that is not at hand.
[[nodiscard]] AgentInGame read_recorded_agent(const SpecContext& context,
                                              const archive::AgentRow& row, const Game& game,
                                              const archive::Archive& archive);

/// Plays recorded matches again, every answer from the record and no agent asked. One for a thread.
class Replayer {
 public:
  /// A scenario's game and settings, ready to play again.
  struct StoredScenario {
    const Game* game;
    archive::StoredSettings stored;
    std::unique_ptr<const Probes> probes{};  ///< null: none
  };
  AGON_API Replayer(const archive::Archive& archive, const Catalogue& catalogue);
  AGON_API ~Replayer();

  /// Nothing if the match comes out byte for byte the same. Throws Error if the game is missing or
  /// the archive damaged.
  AGON_API std::optional<Divergence> replay(const archive::MatchRow& match);
  /// The events of a record in their game's words, in their order and as far as the game makes them
  /// again; empty where it has none. The match need not be finished. Throws Error as replay() does.
  [[nodiscard]] AGON_API std::vector<std::string> tellings(const archive::MatchRow& match);
  /// The words in which the match was told to those who read prompts and to people; null: the
  /// game's own.
  [[nodiscard]] AGON_API std::shared_ptr<const Skin> skin_of(const archive::MatchRow& match);
  /// Has transcripts of the match told in the words in which it was played, with the game's units;
  /// without its game the shapes of the record tell what is what. Names of seats are put into these
  /// words too. `options` must not outlive the replayer.
  AGON_API void put_in_words(const archive::MatchRow& match, record::TranscriptOptions& options);
  /// The match as it is replayed, its answers all from its record; `match` must outlive that.
  /// Throws Error as replay() does.
  [[nodiscard]] MatchSetup replaying(const archive::MatchRow& match);
  /// The game and settings of a scenario. Throws Error as replay() does.
  const StoredScenario& stage_of(std::int64_t scenario);
  /// The prompts that an agent had, and with them its language; null: none.
  std::shared_ptr<const PromptSet> prompts_of(std::int64_t agent);
  /// The names of the match's seats, by its game. Throws Error as replay() does.
  [[nodiscard]] AGON_API std::vector<std::string> seat_names(const archive::MatchRow& match);
  /// Plays it with the agents as they are now over the recorded model calls, and no others: parsers
  /// and fault policies may have changed since. Seats without models answer as recorded, or as
  /// their agents do if those answer at once. Nothing without a call on record.
  AGON_API std::optional<Reparsed> reparse(const archive::MatchRow& match);
  /// The game's own types, as far as it used them in the matches replayed so far: what a record
  /// does not know, such as units.
  [[nodiscard]] std::vector<const Type*> types(const hash::Digest& shape) const {
    return shapes_->types(shape);
  }

  /// The agent of a row of the archive as it plays the game. Nothing is started or sent.
  const AgentInGame& agent_of(std::int64_t agent, const Game& game);

 private:
  /// Has names, tellings and values told in the words of the match's skin, if it has one.
  void put_in_skin(const archive::MatchRow& match, record::TranscriptOptions& options);
  /// The match as it was set up, by these agents; without them the record has to answer. `match`
  /// must outlive the setup.
  MatchSetup set_up(const archive::MatchRow& match, const StoredScenario& stage,
                    std::string_view record, std::vector<const AgentInGame*> agents = {});

  const archive::Archive& archive_;
  const Catalogue& catalogue_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, std::unique_ptr<StoredScenario>> stages_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::pair<std::int64_t, std::string>, AgentInGame> made_;  ///< by agent and game
  std::map<hash::Digest, std::shared_ptr<const PromptSet>> prompts_;
  std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
  record::RecordedTypes recorded_{[this](const hash::Digest& digest) {
    auto notation = shapes_->notation(digest);
    return notation ? notation : archive_.content(digest);
  }};
};

}  // namespace agon
