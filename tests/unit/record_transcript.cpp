// What a record is told as, whatever it holds.
#include <agon/describe.hpp>

#include "catch.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "record/transcript.hpp"

namespace record_transcript_test {

using namespace agon;
using namespace agon::record;

/// Told without any shape being known.
const RecordedTypes kNone([](const hash::Digest&) { return std::nullopt; });

TEST_CASE("transcript: a telling of any lines is told, the further ones indented") {
  Entry event;
  event.name = "said";
  event.audience = ~std::uint32_t{0};
  const auto told = [&](const char* telling) { return entry_line(event, kNone, {}, telling); };
  CHECK(told("one") == "  [all] one");
  CHECK(told("one\ntwo") == "  [all] one\n      two");
  CHECK(told("\n") == "  [all] ");
  CHECK(told("\none") == "  [all] \n      one");
}

TEST_CASE("transcript: a thought of any lines is told") {
  Entry question;
  question.what = Entry::What::question;
  question.name = "bid";
  question.thought = "\n";
  CHECK(entry_line(question, kNone, {}, "").ends_with("thought: "));
  question.thought = "one\ntwo";
  CHECK(entry_line(question, kNone, {}, "")
            .ends_with("thought: one\n" + std::string(15, ' ') + "two"));
}

TEST_CASE("transcript: of a long attempt the beginning is shown, whatever its bytes are") {
  Entry question;
  question.what = Entry::What::question;
  question.name = "bid";
  const std::string bytes(500, '\x80');
  question.attempts.push_back({Fault::illegal, Form::json, bytes, "no"});
  CHECK(entry_line(question, kNone, {}, "").find("[500 bytes more]: no") != std::string::npos);
}

TEST_CASE("transcript: a view that is no JSON does not pass for entries") {
  Entry question;
  question.what = Entry::What::question;
  question.name = "bid";
  question.view = R"({"pie": 10})";
  CHECK(entry_json(question, kNone).find(R"("view":{"pie": 10},)") != std::string::npos);
  question.view = R"(1},{"entry":"outcome")";
  const std::string json = entry_json(question, kNone);
  CHECK(json.find("outcome") == std::string::npos);
  CHECK(json.find(R"("view":null)") != std::string::npos);
}

}  // namespace record_transcript_test
