#pragma once

// Debian 12 ships Catch2 version 2; version 3 has other header names.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
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
