// The `main` of every test program. It ends with exit code 4 if every test case was skipped and
// nothing failed, as version 3 of Catch2 does by itself; CTest takes that for skipped.

#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

#ifdef AGON_TEST_OWN_SKIP
#include <utility>

namespace {

bool skips = false;
int test_cases = 0;
int skipped = 0;

class Count final : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    TestEventListenerBase::testCaseEnded(stats);
    ++test_cases;
    skipped += std::exchange(skips, false) ? 1 : 0;
  }
};
CATCH_REGISTER_LISTENER(Count)

}  // namespace

void test_program::skip() {
  skips = true;
  throw Catch::TestFailureException();  // ends the test case, which fails by assertions alone
}

int main(int argc, char** argv) {
  const int code = Catch::Session().run(argc, argv);
  if (code == 0 && skipped > 0 && skipped == test_cases) return 4;
  // Four assertions that failed are no skip.
  return code == 4 ? 1 : code;
}
#else
int main(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}
#endif
