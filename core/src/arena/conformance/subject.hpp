#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"
#include "suite/agents/agent_spec.hpp"
#include "table/match.hpp"

namespace agon::conformance {

/// True if a seat takes something along to the next match of a sequence.
[[nodiscard]] bool carries(const MatchResult& result);

/// Settings that a game is tried with.
struct Situation {
  std::string preset;            ///< empty: the game's first
  std::vector<std::string> set;  ///< `days=1`, as `agon play --set` takes it, beside the preset
  std::shared_ptr<const Settings> settings;
};

/// A match that `agon play` can play: the same bytes come of it there.
struct Casting {
  std::size_t situation = 0;        ///< of the subject's
  std::uint64_t seed = 1;           ///< as --seed
  std::vector<std::string> agents;  ///< of each seat, as --seat has them
};

/// A match that was played. Not to be moved: `history` points into `result`.
struct CheckedMatch {
  Casting casting;
  MatchResult result;
  record::History history;
};

/// How much is tried.
struct Effort {
  std::uint64_t seed = 1;  ///< of the first matches
  int matches = 40;        ///< of each preset
  /// Also tries presets with settings changed.
  bool changes_settings = true;
};

/// Changed settings of which the game could not even make its texts, by no fault of theirs.
struct BrokenSettings {
  std::vector<std::string> set;  ///< as Situation has it
  std::string preset;            ///< likewise
  std::string problem;
};

/// A game under check, and how a person names it.
struct Named {
  const Game* game = nullptr;
  /// As a command takes it: its id, or `./my-game.py`; then --plugin options.
  std::vector<std::string> words;
};

/// A game under check: the settings that it is tried with, and its matches.
class AGON_API GameUnderTest {
 public:
  /// Reads all presets. Throws Error for one that cannot be read.
  GameUnderTest(const Catalogue& catalogue, const Named& named,
                const std::vector<std::string>& data_folders, const Effort& effort);
  GameUnderTest(const GameUnderTest&) = delete;
  GameUnderTest& operator=(const GameUnderTest&) = delete;

  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] const Effort& effort() const { return effort_; }
  /// One for each preset, then presets with settings changed.
  [[nodiscard]] const std::vector<Situation>& situations() const { return situations_; }
  /// Where the game threw before any match.
  [[nodiscard]] const std::vector<BrokenSettings>& broken_settings() const { return broken_; }
  /// How many of them are presets as they are.
  [[nodiscard]] std::size_t presets() const { return presets_; }
  [[nodiscard]] std::size_t seats(std::size_t situation) const {
    return situations_[situation].settings->seating().size();
  }

  /// A match as `agon play` sets it up.
  [[nodiscard]] MatchSetup setup(const Casting& casting) const;
  /// The second match of a sequence, to which seats take along what they carried from the first.
  [[nodiscard]] MatchSetup next_setup(const Casting& casting, const MatchResult& first) const;
  /// Plays it, up to some thousand questions.
  [[nodiscard]] std::unique_ptr<CheckedMatch> play(const Casting& casting) const;
  /// To be told of every match of the game that is not played by this: the second one that has no
  /// end throws Endless, as each costs the whole time that the arena waits for a game.
  void heed(const MatchResult& result, const std::string& command) const;
  /// Whether that was thrown.
  [[nodiscard]] bool is_endless() const { return without_end_ >= kMostWithoutEnd; }
  /// Plays the second match of a sequence.
  [[nodiscard]] std::unique_ptr<CheckedMatch> play_next(const CheckedMatch& before) const;
  /// What a person types to make a check again, as no match of `agon play` shows what it found.
  [[nodiscard]] std::string check_command(std::string_view check) const;
  /// What a person types to read the card.
  [[nodiscard]] std::string describe_command() const;
  /// What a person types to play a situation of a preset with settings changed.
  [[nodiscard]] std::vector<std::string> command_words(const std::string& preset,
                                                       const std::vector<std::string>& set) const;
  /// Whichever fits the language that the game is written in.
  [[nodiscard]] std::string_view wording(std::string_view cpp, std::string_view python) const;
  /// What a person types to play it, word by word.
  [[nodiscard]] std::vector<std::string> command_words(const Casting& casting) const;
  /// The same as a line for a shell.
  [[nodiscard]] std::string command(const Casting& casting) const;
  /// Matches of random and of edge play, of every situation; played once, at the first call.
  [[nodiscard]] const std::vector<std::unique_ptr<CheckedMatch>>& sample() const;
  /// The finished ones among the first of them of each preset, at most `most`.
  [[nodiscard]] std::vector<const CheckedMatch*> finished(std::size_t most) const;

 private:
  static constexpr int kMostWithoutEnd = 2;

  [[nodiscard]] std::unique_ptr<CheckedMatch> play(const Casting& casting, MatchSetup match) const;
  void add_changed_settings(const std::vector<std::string>& data_folders);
  [[nodiscard]] const AgentInGame& agent(const std::string& text) const;

  const Catalogue& catalogue_;
  const Game& game_;
  std::vector<std::string> words_;  ///< that name the game
  Effort effort_;
  std::vector<Situation> situations_;
  std::size_t presets_ = 0;
  std::vector<BrokenSettings> broken_;
  mutable std::atomic<int> without_end_ = 0;  ///< matches; they may be played at the same time
  mutable std::map<std::string, AgentSpec> agents_;
  mutable std::vector<std::unique_ptr<CheckedMatch>> sample_;
};

/// `agents` over as many seats, in turn.
[[nodiscard]] std::vector<std::string> seated(const std::vector<std::string>& agents,
                                              std::size_t seats);

}  // namespace agon::conformance
