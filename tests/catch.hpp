#pragma once

// Debian 12 ships Catch2 version 2; version 3 has other header names.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
namespace Catch {
using Matchers::EndsWith;
using Matchers::StartsWith;
// What version 2 calls Contains looks in a text; version 3 has that name for elements of a range.
using Matchers::ContainsSubstring;
}  // namespace Catch
#define Contains ContainsSubstring
#else
#include <catch2/catch.hpp>

// SKIP("why" << what) as version 3 has it: ends the test case, which CTest then calls skipped.
#define AGON_TEST_OWN_SKIP
namespace test_program {
[[noreturn]] void skip();
}
#define SKIP(why)             \
  do {                        \
    WARN("skipped: " << why); \
    test_program::skip();     \
  } while (false)
#endif
