#include "rule/random.hpp"

namespace agon::agents {

void Random::answer(Question& question) const {
  if (question.is_probe() && !params_.probes) return question.decline();
  question.draw();
}

}  // namespace agon::agents
