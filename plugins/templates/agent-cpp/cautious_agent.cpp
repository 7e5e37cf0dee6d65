#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/plugin.hpp>
#include <string>

namespace cautious_agent {

struct Params {
  int patience = 6;
};
AGON_DESCRIBE(Params,
              (patience,
               "answers of its own in a match after which it leaves the rest to the fallback",
               agon::at_least(0)))

/// One object answers for all matches and threads: it keeps nothing but its parameters. What it
/// wants to know again at the next question goes into question.remember().
class Strategy : public agon::Agent {
 public:
  using Params = cautious_agent::Params;
  explicit Strategy(const Params& params) : params_(params) {}

  void answer(agon::Question& question) const override {
    if (question.is_probe()) return question.decline();
    const int answered = question.memo().empty() ? 0 : std::stoi(std::string(question.memo()));
    if (answered >= params_.patience) return question.decline();
    question.remember(std::to_string(answered + 1));
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
