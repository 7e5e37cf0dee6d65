#include "bargaining/facts.hpp"

namespace bargaining {

Facts facts(const Settings& s) {
  return {s.max_turns};
}

}  // namespace bargaining
