#include "catch.hpp"
#include "text/words.hpp"

using agon::text::percent;

TEST_CASE("a share that is not the whole is never written as 100%") {
  CHECK(percent(0.95) == "95%");
  CHECK(percent(0.999) == "99.9%");
  CHECK(percent(2.0 / 3) == "66.6667%");
  CHECK(percent(0.9999999) == "99.99999%");
  CHECK(percent(0.9999999999999999) == "99.99999999999999%");
  CHECK(percent(1) == "100%");
}
