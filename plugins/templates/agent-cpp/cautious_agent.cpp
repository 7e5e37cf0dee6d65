#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/plugin.hpp>

namespace cautious_agent {

struct Params {
  int patience = 6;
};
AGON_DESCRIBE(Params,
              (patience, "questions of a match after which it leaves the rest to the fallback",
               agon::at_least(0)))

/// One object answers for all matches and threads: it keeps nothing but its parameters. What it
/// wants to know again at the next question goes into question.remember().
class Strategy : public agon::Agent {
 public:
  using Params = cautious_agent::Params;
  explicit Strategy(const Params& params) : params_(params) {}

  void answer(agon::Question& question) const override {
    if (question.is_probe()) return question.decline();
    if (static_cast<int>(question.number()) >= params_.patience) return question.decline();
    // By stage: if (question.stage() == "bid") return question.answer_json(R"({"bid": 5})");
    question.draw();  // any legal answer
  }

 private:
  Params params_;
};

void enter(agon::Registry& registry) {
  registry.add(agon::agent<Strategy>({
      .id = "cautious",
      .doc = "Draws a legal answer, or lets the game's fallback stand.",
  }));
}

}  // namespace cautious_agent

AGON_PLUGIN("cautious", "0.1", &cautious_agent::enter)
