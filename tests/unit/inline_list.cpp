#include <agon/inline_list.hpp>
#include <memory>
#include <optional>
#include <string>

#include "catch.hpp"

namespace {

using agon::InlineList;
using Shared = InlineList<std::shared_ptr<int>, 4>;

}  // namespace

TEST_CASE("An inline list holds just the objects that are in it") {
  const auto one = std::make_shared<int>(1);
  {
    Shared list;
    list.push_back(one);
    list.resize(3, one);
    CHECK(one.use_count() == 4);
    const Shared copy = list;
    CHECK(one.use_count() == 7);
    CHECK(copy == list);
    list.pop_back();
    CHECK(one.use_count() == 6);
    list.resize(1);
    CHECK(one.use_count() == 5);
    list = copy;
    CHECK(one.use_count() == 7);
    list.clear();
    CHECK(list.empty());
    CHECK(one.use_count() == 4);
  }
  CHECK(one.use_count() == 1);
}

TEST_CASE("An inline list that is assigned to itself stays") {
  InlineList<std::string, 3> list{"a", "b"};
  const auto& same = list;
  list = same;
  CHECK(list == InlineList<std::string, 3>{"a", "b"});
}

TEST_CASE("An inline list starts new elements as they are by default") {
  InlineList<std::optional<int>, 4> list;
  list.push_back(7);
  list.resize(3);
  CHECK(list[0] == 7);
  CHECK_FALSE(list[1].has_value());
  list.clear();
  list.resize_for_overwrite(1);
  CHECK_FALSE(list[0].has_value());
}

TEST_CASE("An inline list takes what cannot be copied, built where it stays") {
  struct Stays {
    explicit Stays(int n) : number(n), itself(this) {}
    Stays(const Stays&) = delete;
    Stays& operator=(const Stays&) = delete;
    ~Stays() { *counter += 1; }
    int number;
    const Stays* itself;
    int* counter = nullptr;
  };
  int ended = 0;
  {
    InlineList<Stays, 2> list;
    for (const int n : {4, 5}) {
      Stays& made = list.push_back_made([&] { return Stays(n); });
      made.counter = &ended;
      CHECK(made.itself == &made);
    }
    CHECK(list[1].number == 5);
    CHECK_THROWS_AS(list.push_back_made([] { return Stays(6); }), std::length_error);
  }
  CHECK(ended == 2);
}

TEST_CASE("An inline list is never longer than its room") {
  InlineList<std::string, 2> list(2, "x");
  CHECK_THROWS_AS(list.push_back("y"), std::length_error);
  CHECK_THROWS_AS(list.resize(3), std::length_error);
  CHECK_THROWS_AS(list.resize_for_overwrite(3), std::length_error);
  CHECK(list.size() == 2);
}
