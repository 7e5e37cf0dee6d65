#include "llm/parts/kept_text.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoBeliefs final : public Beliefs {
 public:
  using Params = NoParams;
  explicit NoBeliefs(const Params&) {}
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string text(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_beliefs_card() {
  return part<NoBeliefs>(
      {.id = "off", .doc = "Keeps no account of how things stand and declines questions for it."});
}

namespace {

constexpr KeptText kBeliefs{"beliefs", ModelLine("How things stand, by your own account"),
                            "part-beliefs", "part-beliefs-again"};

class OwnBeliefs final : public Beliefs {
 public:
  using Params = NoParams;
  explicit OwnBeliefs(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{kBeliefs.first}, {kBeliefs.again}};
  }
  [[nodiscard]] bool answers(bool corrected) const override { return !corrected; }
  [[nodiscard]] std::string text(ModelTurn& turn) const override {
    OwnText own = turn.last_answer(Purpose::belief);
    if (!own.was_given) own = kept_text(turn, kBeliefs, Upkeep::after_a_phase);
    return turn.headed(kBeliefs.title, own);
  }
};

class CorrectedBeliefs final : public Beliefs {
 public:
  using Params = NoParams;
  explicit CorrectedBeliefs(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return own_.prompts(); }
  [[nodiscard]] bool answers(bool) const override { return true; }
  [[nodiscard]] std::string text(ModelTurn& turn) const override { return own_.text(turn); }

 private:
  OwnBeliefs own_{NoParams{}};
};

constexpr PartOverlap kBeliefOverlaps[] = {
    {PartKind::memory, "none", "the account carries on what the memory forgets"},
    {PartKind::memory, "window", "the account carries on what the memory forgets"},
    {PartKind::memory, "retrieval", "the account carries on what the memory leaves out"},
    {PartKind::memory, "notebook", "both are the agent's own account of what happened"},
};

}  // namespace

PartCard beliefs_card() {
  return part<OwnBeliefs>(
      {.id = "on",
       .doc = "Keeps an account of how things stand: where the game asks for it, in answer to that "
              "and once only; else by a call of its own after each phase.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kBeliefOverlaps});
}

PartCard corrected_beliefs_card() {
  return part<CorrectedBeliefs>(
      {.id = "corrected",
       .doc = "Like on, and answers again where the game shows it what was wrong.",
       .source = "Chen et al. 2023, AucArena, section 3.2: the auctioneer's correction",
       .overlaps = kBeliefOverlaps});
}

}  // namespace agon::llm
