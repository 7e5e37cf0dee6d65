#pragma once

#include <agon/game.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flat.hpp"
#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"
#include "task/coroutine.hpp"

namespace agon {

/// A game under settings, of which environments are made. Read from any thread.
class OpenGame {
 public:
  /// Most entries of a list that a flat view shows.
  static constexpr int kMostEntries = 1000;

  /// `settings`: JSON object, or empty. Throws Error for what is not there and not valid.
  OpenGame(const Catalogue& catalogue, const std::string& id, const std::string& preset,
           const std::string& settings);

  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] int seats() const { return static_cast<int>(settings_.seating().size()); }
  [[nodiscard]] StackPool& stacks() const { return stacks_; }
  /// How many entries of a list a flat view shows: as asked, or, for 0, as many as seats and at
  /// least 3. Throws Error for less than 0 and more than kMostEntries.
  [[nodiscard]] std::size_t entries(int asked) const;
  /// What agon_game_describe() returns.
  [[nodiscard]] std::string describe(int entries) const;

 private:
  const Catalogue& catalogue_;
  const Game& game_;
  Settings settings_;
  mutable StackPool stacks_;
};

/// The stages of a game as rows of numbers.
class FlatStages {
 public:
  FlatStages(const Game& game, std::size_t entries);

  struct FlatStage {
    const StageCard* card;
    std::optional<FlatType> view;  ///< nothing where nothing is shown
    FlatType answer;
  };
  [[nodiscard]] const std::vector<FlatStage>& all() const { return stages_; }
  /// The place of a question's stage.
  [[nodiscard]] int index(const Question& question) const;
  /// The widest view and the widest answer.
  [[nodiscard]] std::size_t view_width() const { return view_width_; }
  [[nodiscard]] std::size_t places() const { return places_; }

 private:
  std::vector<FlatStage> stages_;
  std::size_t view_width_ = 0;
  std::size_t places_ = 0;
};

}  // namespace agon
