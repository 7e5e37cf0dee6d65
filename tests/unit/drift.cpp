#include <agon/error.hpp>

#include "catch.hpp"
#include "drift/questions.hpp"

using namespace agon;
using namespace agon::drift;

TEST_CASE("the distance of two answers") {
  CHECK(evened("  Two\n\twords. ") == "two words");
  CHECK(evened("") == "");
  CHECK(distance("", "") == 0);
  CHECK(distance("Yes.", " yes") == 0);
  CHECK(distance("abc", "") == 1);
  CHECK(distance("kitten", "sitting") == Approx(3.0 / 7));
  CHECK(distance("sitting", "kitten") == Approx(3.0 / 7));
  CHECK(distance("42", "43") == Approx(0.5));
  // Only the beginning of what never ends is compared.
  CHECK(distance(std::string(9000, 'a') + "b", std::string(9000, 'a') + "c") == 0);
}

TEST_CASE("right answers") {
  CHECK(is_right(" 391.\n", "391"));
  CHECK_FALSE(is_right("3910", "391"));
  CHECK(is_right("{ \"choice\" : \"B\" }", R"({"choice":"B"})"));
  CHECK_FALSE(is_right(R"({"choice":"A"})", R"({"choice":"B"})"));
  CHECK_FALSE(is_right("B", R"({"choice":"B"})"));
}

TEST_CASE("questions are read, and what is none is refused") {
  const DriftQuestions questions = DriftQuestions::parse(
      R"({"format": "agon.drift", "version": 1, "questions": [
        {"name": "a", "ask": "1 + 1?", "answer": "2"},
        {"name": "b", "ask": "Yes?", "schema": {"type": "object"}, "answer": {"x": 1}}]})",
      "q.json");
  REQUIRE(questions.all.size() == 2);
  CHECK(questions.all[0].probe.schema.empty());
  CHECK(questions.all[1].probe.schema == R"({"type":"object"})");
  CHECK(questions.all[1].answer == R"({"x":1})");
  for (
      const std::string text :
      {"[]", "{}", R"({"format": "agon.drift", "version": 2, "questions": [{}]})",
       R"({"format": "agon.drift", "version": 1, "questions": []})",
       R"({"format": "agon.drift", "version": 1, "questions": [{"name": "a"}]})",
       R"({"format": "agon.drift", "version": 1, "questions": [{"name": "a", "ask": "b", "x": 1}]})"}) {
    INFO(text);
    CHECK_THROWS_AS(DriftQuestions::parse(text, "q.json"), Error);
  }
}
