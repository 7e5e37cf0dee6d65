// What a question costs in a long match and in a short one: two seats that are asked in turn, and
// hear of every answer. `bench_long_match [SHORT] [LONG]`, in questions; default 500 and 8000.
#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "table/match.hpp"

namespace {

struct Settings {
  int questions = 500;
};
AGON_DESCRIBE(Settings, (questions, "how many are asked"))
struct Step {
  int size = 0;
};
AGON_DESCRIBE(Step, (size, "how far to go"))

constexpr agon::Stage<"step", Step> kStep{"how far to go"};
constexpr agon::Event<"went", Step> kWent{"a step was made"};

agon::Outcome play(agon::Table<kStep, kWent> table, const Settings& settings) {
  int sum = 0;
  for (int i = 0; i < settings.questions; ++i) {
    const Step step = table.ask(i % 2, kStep, agon::limit(&Step::size, 0, 9));
    table.announce(kWent, step);
    sum += step.size;
  }
  return {{.score = sum}, {.score = sum}};
}

/// Reads what is new since its last question, and answers at once.
class Walker final : public agon::WaitingAgent {
 public:
  void ask(agon::OwnedQuestion question, agon::Completion done) const override {
    std::size_t heard = 0;
    for (std::size_t i = question.unseen_from; i < question.history.size(); ++i)
      heard += question.history[i].json.size();
    done({.json = fmt::format(R"({{"size": {}}})", heard % 10)});
  }
};

/// Microseconds a question, the best of three matches.
double cost(int questions) {
  const agon::Game game = agon::game<&play>("walk", {.rules = "Go on."});
  const Settings settings{questions};
  const Walker walker;
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    agon::MatchSetup setup;
    setup.game = &game;
    setup.settings = &settings;
    setup.rules = "Go on.";
    for (std::uint64_t seat = 0; seat < 2; ++seat) {
      setup.seats.push_back({&walker, seat, {}});
      setup.cards.push_back({"seat " + std::to_string(seat)});
    }
    const auto start = std::chrono::steady_clock::now();
    if (agon::play_match(setup).end != agon::End::finished) std::abort();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    best = i == 0 ? took.count() : std::min(best, took.count());
  }
  return best / questions;
}

}  // namespace

int main(int argc, char** argv) {
  const int few = argc > 1 ? std::atoi(argv[1]) : 500;
  const int many = argc > 2 ? std::atoi(argv[2]) : 8000;
  if (few < 1 || many < 1) return fmt::print(stderr, "bench_long_match [SHORT] [LONG]\n"), 2;
  const double in_few = cost(few), in_many = cost(many);
  fmt::print("{} questions: {:.2f} us each\n{} questions: {:.2f} us each, {:.2f} times as much\n",
             few, in_few, many, in_many, in_many / in_few);
}
