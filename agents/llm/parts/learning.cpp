#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoLearning final : public Learning {
 public:
  using Params = NoParams;
  explicit NoLearning(const Params&) {}
  [[nodiscard]] bool answers() const override { return false; }
  [[nodiscard]] std::string lessons(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_learning_card() {
  return part<NoLearning>(
      {.id = "none", .doc = "Declines to say what it has learnt, and takes nothing along."});
}

namespace {

class OwnLessons final : public Learning {
 public:
  using Params = NoParams;
  explicit OwnLessons(const Params&) {}
  [[nodiscard]] bool answers() const override { return true; }
  [[nodiscard]] std::string lessons(ModelTurn& turn) const override {
    return turn.headed(ModelLine("What you have learnt"), turn.last_answer(Purpose::learn));
  }
};

}  // namespace

PartCard learning_card() {
  return part<OwnLessons>(
      {.id = "on",
       .doc = "Writes down what it has learnt where a game asks for that, and at the end of each "
              "match of a sequence but the last. It is reminded of what it wrote, and not of what "
              "that was taken from.",
       .source = "Chen et al. 2023, AucArena, the learning module; arXiv:2507.09083, the loop of "
                 "plan, bid and reflection"});
}

}  // namespace agon::llm
