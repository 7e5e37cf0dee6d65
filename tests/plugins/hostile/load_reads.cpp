#include <fcntl.h>

#include <cstdlib>

#include "load.hpp"

AGON_TEST_LOAD("load-reads", [] {
  if (open("/etc/passwd", O_RDONLY) >= 0) std::abort();
  return 0;
})
