#include "rule/default.hpp"

namespace agon::agents {

void Default::answer(Question& question) const {
  question.decline();
}

}  // namespace agon::agents
