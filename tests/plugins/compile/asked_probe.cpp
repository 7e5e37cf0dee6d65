// error: ask() is for stages, probe() for probes
#include <agon/game.hpp>

struct Plan {
  std::string text;
};
AGON_DESCRIBE(Plan, (text, "what you are up to"))
constexpr agon::Probe<"plan", Plan> kPlan{"what you are up to"};

std::string ask(agon::Table<kPlan> table) {
  return table.ask(0, kPlan).text;
}
