#include "worker.hpp"

namespace agon::worker {

int run_program(const std::vector<std::string>&) {
  return 2;
}

}  // namespace agon::worker
