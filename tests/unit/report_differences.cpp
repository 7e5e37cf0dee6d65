#include "catch.hpp"
#include "json/parse.hpp"
#include "results/names.hpp"

namespace {

std::vector<std::string> told(const std::vector<std::string>& objects) {
  std::vector<boost::json::value> values;
  for (const std::string& text : objects) values.push_back(agon::json::parse(text, "test"));
  return agon::report::differences(values);
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("Objects are told apart by as few members as do it", "[report]") {
  CHECK(told({R"({"a": 1, "rounds": 5})", R"({"a": 1, "rounds": 7})"}) ==
        Words{"rounds 5", "rounds 7"});
  // One of several that differ is enough.
  CHECK(told({R"({"a": 1, "b": 1})", R"({"a": 2, "b": 2})"}) == Words{"a 1", "a 2"});
  CHECK(told({R"({"a": 1, "b": 1})", R"({"a": 1, "b": 2})", R"({"a": 2, "b": 1})"}) ==
        Words{"a 1, b 1", "a 1, b 2", "a 2, b 1"});
  // What tells all of them apart goes before what tells some.
  CHECK(told({R"({"a": 1, "b": 1})", R"({"a": 1, "b": 2})", R"({"a": 2, "b": 3})"}) ==
        Words{"b 1", "b 2", "b 3"});
}

TEST_CASE("Members of members are told by their own name, if that is clear", "[report]") {
  CHECK(told({R"({"p": {"share": 0.2}})", R"({"p": {"share": 0.5}})"}) ==
        Words{"share 0.2", "share 0.5"});
  CHECK(told({R"({"p": {"x": 1}, "q": {"x": 1}})", R"({"p": {"x": 1}, "q": {"x": 2}})",
              R"({"p": {"x": 2}, "q": {"x": 1}})"}) ==
        Words{"p.x 1, q.x 1", "p.x 1, q.x 2", "p.x 2, q.x 1"});
}

TEST_CASE("What is not there, is long, or the same, has words too", "[report]") {
  CHECK(told({R"({"talk": "on"})", "{}"}) == Words{"talk on", "no talk"});
  CHECK(told({R"({"list": [1, 2]})", R"({"list": []})"}) == Words{"list [1,2]", "list []"});
  const std::string digest(64, 'a');
  CHECK(told({R"({"file": ")" + digest + R"("})", R"({"file": "b"})"}) ==
        Words{"file aaaaaa", "file b"});
  const auto of_long = told({R"({"t": ")" + std::string(50, 'x') + R"("})", R"({"t": "y"})"});
  CHECK(of_long[0].size() == 8);  // the beginning of a digest
  CHECK(told({R"({"a": 1})", R"({"a": 1})"}) == Words{"", ""});
  CHECK(told({"[1]", "{}"}) == Words{"", ""});
  CHECK(told({R"({"a": 1})"}) == Words{""});
}
