#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"

using namespace command_test;

// The cheapest proof of determinism there is: one digest over the records of a fixed set of matches
// of all games, the same with every compiler, build type and number of jobs.
TEST_CASE("the signature is the committed one, with one job and with eight") {
  const Ended one = command_test::agon({"bench", "--signature", "--jobs", "1"});
  CHECK(one.code == 0);
  CHECK(one.err.empty());
  CHECK(command_test::agon({"bench", "--signature", "--jobs", "8"}).out == one.out);
  same_as_snapshot("signature.txt", one.out);
}
