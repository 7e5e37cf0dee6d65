#pragma once

#include <agon/game.hpp>
#include <string>
#include <vector>

/// What a game promises on its card, held against what it does. A break of it is a fault of the
/// game: whatever follows from it, a report or a prompt, would be wrong without a word.
namespace agon {

/// Most questions of one match: a game that asks more never ends.
inline constexpr std::uint32_t kMostQuestions = 1'000'000;
/// Most bytes of one match's record: likewise. SQLite takes values up to 1 GB.
inline constexpr std::size_t kLargestRecord = std::size_t{64} << 20;

/// Why the outcome is not what the game's card says, empty if it is: scores, anchors and ranks that
/// mean something, and scores and metrics within their bounds, metrics of the declared types.
std::string problem_of_outcome(const GameCard& card, const Outcome& outcome);

/// Whether the game asks what its card says. What was found right is remembered.
class StageContract {
 public:
  explicit StageContract(const GameCard& card) : card_(card) {}
  /// Why the card does not say this of the stage, empty if it does. A card without stages says
  /// nothing.
  std::string problem(std::string_view stage, const Type* answer, const Type* view, bool probe);

 private:
  struct Known {
    const char* stage;
    std::size_t size;
    const Type* answer;
    const Type* view;
    bool probe;
  };
  const GameCard& card_;
  std::vector<Known> known_;
};

}  // namespace agon
