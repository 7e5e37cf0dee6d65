#include "suite/asks_learnings.hpp"

#include <agon/agent.hpp>
#include <algorithm>

#include "table/match.hpp"

namespace agon {
namespace {

/// Plays at random, and notes whether it is asked what it has learnt.
class Listener final : public Agent {
 public:
  explicit Listener(std::vector<std::string_view> stages) : stages_(std::move(stages)) {}
  void answer(Question& question) const override {
    heard_ = heard_ || std::count(stages_.begin(), stages_.end(), question.stage()) > 0;
    question.draw();
  }
  [[nodiscard]] bool answers_probes() const override { return true; }
  [[nodiscard]] bool has_heard() const { return heard_; }

 private:
  const std::vector<std::string_view> stages_;  // where it would be
  mutable bool heard_ = false;                  // of the one match that it plays
};

}  // namespace

bool asks_learnings(const Game& game, const Settings& settings) {
  std::vector<std::string_view> stages;
  for (const StageCard& s : game.stages)
    if (s.probe && s.purpose == Purpose::learn) stages.push_back(s.name);
  if (stages.empty()) return false;
  const Listener listener(std::move(stages));
  MatchSetup setup;
  setup.game = &game;
  setup.settings = settings.get();
  setup.prepared = settings.prepared();
  setup.cards = settings.seating();
  setup.rules = settings.rules();
  setup.facts = settings.facts();
  setup.record = false;
  for (std::size_t i = 0; i < setup.cards.size(); ++i) setup.seats.push_back({&listener, i, {}});
  return play_match(setup).end != End::finished || listener.has_heard();
}

}  // namespace agon
