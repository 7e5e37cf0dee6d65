#include "llm/provider/batches.hpp"

#include <agon/error.hpp>
#include <set>

#include "catch.hpp"
#include "costs/costs.hpp"
#include "rig.hpp"

namespace {

using namespace llm_tests;

/// NotesInMemory of batches in memory; the run around them does nothing by itself.
class NotesInMemory final : public BatchNotes {
 public:
  [[nodiscard]] std::vector<std::string> all() const override { return notes; }
  void add(const std::string& note) override { notes.push_back(note); }
  [[nodiscard]] bool is_idle() const override { return true; }
  [[nodiscard]] bool is_over() const override { return over; }

  std::vector<std::string> notes;
  bool over = false;
};

constexpr const char* kBidOfBatch =
    R"({"type":"object","properties":{"bid":{"type":"integer","minimum":0,"maximum":9}},)"
    R"("required":["bid"],"additionalProperties":false})";

/// A rig whose calls go out in batches; the same calls by themselves beside it.
class BatchRig : public Rig {
 public:
  explicit BatchRig(const std::string& provider, const MockSpec& mock = first(),
                    mock::BatchFaults faults = {})
      : Rig(provider, mock, batched(), faults) {}

  static MockSpec first() {
    MockSpec mock;
    mock.answers = MockAnswers::first;
    return mock;
  }
  static ModelSpec batched() {
    ModelSpec spec;
    spec.batch = true;
    spec.max_tokens = 200;
    return spec;
  }
  static ModelRequest request(const std::string& text) {
    ModelRequest request;
    request.purpose = "answer";
    request.messages = {{"system", "You play."}, {"user", text}};
    request.schema = kBidOfBatch;
    return request;
  }
  ModelResult ask(const std::string& name) {
    return provider().call_in_batch(request("Your bid?"), {name, notes}, Provider::Time::max(),
                                    Dice(1));
  }
  /// How many requests of this method went to this path, or below it.
  [[nodiscard]] std::size_t count(const std::string& method, const std::string& path) const {
    std::size_t n = 0;
    for (const SeenRequest& s : seen()) n += s.method == method && s.path.starts_with(path);
    return n;
  }
  /// Batches that were made.
  [[nodiscard]] std::size_t made() const {
    std::size_t n = 0;
    for (const SeenRequest& s : seen())
      n += s.method == "POST" && (s.path == "/v1/batches" || s.path == "/v1/messages/batches");
    return n;
  }

  std::shared_ptr<NotesInMemory> notes = std::make_shared<NotesInMemory>();
};

TEST_CASE("a call in a batch is answered as one by itself, and says so", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "openai-responses", "anthropic");
  CAPTURE(provider);
  BatchRig rig(provider, BatchRig::first(), {.looks = 3});
  REQUIRE(rig.provider().takes_batches(BatchRig::request("")));
  const ModelResult alone =
      rig.provider().call(BatchRig::request("Your bid?"), Provider::Time::max(), Dice(1));
  REQUIRE(alone.call.fault == Fault::ok);
  CHECK(rig.made() == 0);
  const ModelResult batched = rig.ask("m-1-0-0");
  INFO(batched.call.problem);
  REQUIRE(batched.call.fault == Fault::ok);
  CHECK(rig.made() == 1);
  CHECK(batched.call.text == alone.call.text);
  CHECK(batched.call.usage.input == alone.call.usage.input);
  CHECK(batched.call.usage.output == alone.call.usage.output);
  CHECK(batched.call.tries == 1);
  CHECK(is_batched(batched.call));
  CHECK_FALSE(is_batched(alone.call));
  // Two notes: that the batch is made, and its id.
  REQUIRE(rig.notes->notes.size() == 2);
  CHECK(rig.notes->notes[0].find("m-1-0-0-") != std::string::npos);
  CHECK(rig.notes->notes[1].find("batch_1") != std::string::npos);
}

TEST_CASE("half of the price, or what the file of prices says", "[llm][batches]") {
  const PriceList prices = PriceList::parse(
      R"({"format": "agon.prices", "models": {
        "p/half": {"input": 2, "output": 4}, "p/fifth": {"input": 2, "output": 4, "batch": 0.2}}})",
      "prices.json");
  ModelCall call;
  call.provider = "p";
  call.usage = {.input = 100, .output = 50};
  for (const auto& [model, share] : {std::pair{"half", 0.5}, {"fifth", 0.2}}) {
    call.model = model;
    call.parameters = R"({"seed":1})";
    CHECK(prices.cost(call) == 400'000);
    call.parameters = R"({"seed":1,"batched":true})";
    CHECK(prices.cost(call) == static_cast<std::int64_t>(400'000 * share));
    CHECK(prices.of(ModelName{"p", model})->output == 4'000'000);
    CHECK(prices.of(ModelName{"p", model, false, true})->output ==
          static_cast<std::int64_t>(4'000'000 * share));
  }
}

TEST_CASE("what was sent before a kill is not sent again", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  const bool knows_id = GENERATE(true, false);
  CAPTURE(provider, knows_id);
  BatchRig rig(provider);
  // The first run ends when its batch is made: before or after the note of its id.
  REQUIRE(rig.ask("m-7-0-0").call.fault == Fault::ok);
  std::vector<std::string> left = rig.notes->notes;
  REQUIRE(left.size() == 2);
  if (!knows_id) left.pop_back();
  rig.notes = std::make_shared<NotesInMemory>();
  rig.notes->notes = left;
  const ModelResult found = rig.ask("m-7-0-0");
  INFO(found.call.problem);
  CHECK(found.call.fault == Fault::ok);
  CHECK(rig.made() == 1);
  // Another call, or another request in its place, is in no batch yet.
  CHECK(rig.ask("m-8-0-0").call.fault == Fault::ok);
  CHECK(rig.made() == 2);
}

TEST_CASE("a batch that was noted and not made is made by the next run", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  BatchRig rig(provider);
  REQUIRE(rig.ask("m-7-0-0").call.fault == Fault::ok);
  std::string note = rig.notes->notes.front();
  // Of another key and call: no batch of the endpoint's is it.
  const std::size_t key = note.find("\"key\":\"") + 7;
  note[key] = note[key] == '0' ? '1' : '0';
  const std::size_t call = note.find("m-7-0-0");
  note.replace(call, 7, "m-9-0-0");
  rig.notes = std::make_shared<NotesInMemory>();
  rig.notes->notes = {note};
  CHECK(rig.ask("m-9-0-0").call.fault == Fault::ok);
  CHECK(rig.made() == 2);
}

TEST_CASE("calls that were not worked on go out again", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  BatchRig rig(provider, BatchRig::first(), {.expired = 0.6});
  for (int i = 0; i < 12; ++i) {
    const ModelResult result = rig.ask("m-" + std::to_string(i) + "-0-0");
    CHECK(result.call.fault == Fault::ok);
    CHECK(result.call.tries == 1);  // nothing failed, and nothing is charged
  }
  CHECK(rig.made() > 12);
}

TEST_CASE("an error of one call in a batch is handled as of a call by itself", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  MockSpec mock = BatchRig::first();
  SECTION("what may work the next time is tried again") {
    mock.server_error = 0.4;
    BatchRig rig(provider, mock);
    rig.spec.structured = Structured::schema;  // an error is no lesson on schemas
    int tries = 0;
    for (int i = 0; i < 12; ++i) {
      const ModelResult result = rig.ask("m-" + std::to_string(i) + "-0-0");
      tries += result.call.tries;
    }
    CHECK(tries > 12);
    CHECK(rig.made() == static_cast<std::size_t>(tries));
  }
  SECTION("a refusal is an answer") {
    mock.refused = 1;
    BatchRig rig(provider, mock);
    const ModelResult result = rig.ask("m-1-0-0");
    CHECK(result.call.fault == Fault::refused);
    CHECK(result.call.tries == 1);
  }
}

TEST_CASE("an error in a batch of an earlier run is no answer to the next", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  MockSpec mock = BatchRig::first();
  mock.server_error = 1;
  BatchRig rig(provider, mock);
  rig.spec.structured = Structured::schema;
  rig.spec.tries = 1;
  CHECK(rig.ask("m-1-0-0").call.fault == Fault::provider_failed);
  CHECK(rig.made() == 1);
  const std::vector<std::string> left = rig.notes->notes;
  rig.notes = std::make_shared<NotesInMemory>();
  rig.notes->notes = left;
  CHECK(rig.ask("m-1-0-0").call.fault == Fault::provider_failed);
  CHECK(rig.made() == 2);  // it was asked again
}

TEST_CASE("a batch that is turned down is what its calls are told", "[llm][batches]") {
  BatchRig rig("anthropic");
  rig.spec.structured = Structured::text;
  rig.then(400,
           R"({"type":"error","error":{"type":"invalid_request_error","message":"no, thanks"}})");
  const ModelResult result = rig.ask("m-1-0-0");
  CHECK(result.call.fault == Fault::provider_failed);
  CHECK(result.call.problem.find("no, thanks") != std::string::npos);
  // It is noted that there is no such batch: the next run looks for none.
  REQUIRE(rig.notes->notes.size() == 2);
  CHECK(rig.notes->notes[1].find(R"("id":"")") != std::string::npos);
}

TEST_CASE("where it is not known whether a batch was made, none is made before that is",
          "[llm][batches]") {
  BatchRig rig("openai");
  // The upload comes through; the batch is made, and the reply is lost.
  rig.then(200, R"({"id":"file-9"})").then(502, "{}");
  const ModelResult result = rig.ask("m-1-0-0");
  INFO(result.call.problem);
  CHECK(result.call.fault == Fault::ok);
  const std::vector<SeenRequest> seen = rig.seen();
  REQUIRE(seen.size() > 3);
  CHECK(seen[1].path == "/v1/batches");
  CHECK(seen[2].method == "GET");  // the list, in which it is not
  CHECK(seen[2].path == "/v1/batches");
  CHECK(rig.made() == 2);
}

TEST_CASE("replies that cannot be read make no call go out twice", "[llm][batches]") {
  const std::string provider = GENERATE("openai", "anthropic");
  CAPTURE(provider);
  BatchRig rig(provider);
  REQUIRE(rig.ask("m-7-0-0").call.fault == Fault::ok);
  const std::vector<std::string> noted = rig.notes->notes;
  REQUIRE(noted.size() == 2);
  const std::string looked = provider == "openai"
                                 ? R"({"id":"batch_1","status":"completed","output_file_id":"f"})"
                                 : R"({"id":"batch_1","processing_status":"ended"})";
  rig.notes = std::make_shared<NotesInMemory>();
  SECTION("a page in the place of the list of batches") {
    rig.notes->notes = {noted.front()};
    rig.then(200, "<html>busy</html>");
  }
  SECTION("a list that does not have the batch yet") {
    rig.notes->notes = {noted.front()};
    rig.then(200, R"({"data":[],"has_more":false})");
  }
  SECTION("a page in the place of the results") {
    rig.notes->notes = noted;
    rig.then(200, looked).then(200, "<html>busy</html>");
  }
  SECTION("no results at all") {
    rig.notes->notes = noted;
    rig.then(200, looked).then(200, "");
  }
  const ModelResult result = rig.ask("m-7-0-0");
  INFO(result.call.problem);
  CHECK(result.call.fault == Fault::ok);
  CHECK(rig.made() == 1);
}

TEST_CASE("a batch that has ended is read once its files are there", "[llm][batches]") {
  BatchRig rig("openai");
  REQUIRE(rig.ask("m-7-0-0").call.fault == Fault::ok);
  const std::vector<std::string> noted = rig.notes->notes;
  rig.notes = std::make_shared<NotesInMemory>();
  rig.notes->notes = noted;
  rig.then(200, R"({"id":"batch_1","status":"completed"})");
  CHECK(rig.ask("m-7-0-0").call.fault == Fault::ok);
  CHECK(rig.made() == 1);
}

TEST_CASE("results that the endpoint does not give end the wait for them", "[llm][batches]") {
  BatchRig rig("openai");
  rig.spec.tries = 1;
  REQUIRE(rig.ask("m-7-0-0").call.fault == Fault::ok);
  std::vector<std::string> noted = rig.notes->notes;
  const std::string gone = R"({"error":{"message":"No such File object"}})";
  const std::string looked = R"({"id":"batch_1","status":"completed","output_file_id":"f"})";
  SECTION("of a batch of today: the call is told, and nothing is made") {
    rig.then(200, looked).then(404, gone);
    rig.notes = std::make_shared<NotesInMemory>();
    rig.notes->notes = noted;
    const ModelResult result = rig.ask("m-7-0-0");
    CHECK(result.call.fault == Fault::provider_failed);
    CHECK(result.call.problem.find("No such File object") != std::string::npos);
    CHECK(rig.made() == 1);
  }
  SECTION("with words that a call by itself would learn from: it stays the same call") {
    rig.notes = std::make_shared<NotesInMemory>();
    rig.notes->notes = noted;
    rig.then(200, looked).then(400, R"({"error":{"message":"no"}})");
    // Of another run: what the endpoint takes is not known yet.
    ModelSpec spec = rig.spec;
    spec.sampling = Sampling::yes;
    HttpProvider fresh(spec, provider_card("openai"), AgentServices{}, rig.clock);
    const ModelResult result = fresh.call_in_batch(
        BatchRig::request("Your bid?"), {"m-7-0-0", rig.notes}, Provider::Time::max(), Dice(1));
    CHECK(result.call.fault == Fault::provider_failed);
    CHECK(rig.made() == 1);
  }
  SECTION("of one that has been forgotten: the call goes out again") {
    rig.then(200, looked).then(404, gone);
    const std::size_t after = noted.front().find("\"after\":\"") + 9;
    noted.front().replace(after, 4, "2020");
    rig.notes = std::make_shared<NotesInMemory>();
    rig.notes->notes = noted;
    CHECK(rig.ask("m-7-0-0").call.fault == Fault::ok);
    CHECK(rig.made() == 2);
  }
}

TEST_CASE("a call that the run does not wait for is left to the next", "[llm][batches]") {
  BatchRig rig("openai");
  rig.notes->over = true;
  const ModelResult result = rig.ask("m-1-0-0");
  CHECK(result.call.fault == Fault::provider_failed);
  CHECK(result.call.tries == 0);  // nothing is recorded, nothing charged
  CHECK(rig.made() == 0);
}

TEST_CASE("batches are refused where there are none", "[llm][batches]") {
  ModelSpec spec;
  spec.provider = GENERATE("mock", "gemini", "ollama", "openrouter", "completions");
  spec.model = "m";
  spec.batch = true;
  CHECK_THROWS_AS(llm_tests::resolve(spec), Error);
  spec.batch = false;
  CHECK_NOTHROW(llm_tests::resolve(spec));
  spec.batch_calls = 5;
  CHECK_THROWS_AS(llm_tests::resolve(spec), Error);
}

TEST_CASE("results are read by their ids, and other lines are left out", "[llm][batches]") {
  const BatchFormat& openai = *batch_format_of(provider_card("openai"));
  const auto results = read_results(
      openai,
      "{\"custom_id\":\"b\",\"response\":{\"status_code\":200,\"body\":{\"x\":1.5}},\"error\":"
      "null}\n"
      "no JSON\n\n{\"custom_id\":\"\"}\n"
      "{\"custom_id\":\"a\",\"response\":null,\"error\":{\"code\":\"batch_expired\"}}\n"
      "{\"custom_id\":\"c\",\"response\":null,\"error\":{\"code\":\"odd\",\"message\":\"why\"}}");
  REQUIRE(results.size() == 3);
  CHECK(results[0].id == "b");
  REQUIRE(results[0].reply);
  CHECK(results[0].reply->status == 200);
  CHECK(results[0].reply->body == R"({"x":1.5})");
  CHECK_FALSE(results[1].reply);
  REQUIRE(results[2].reply);
  CHECK(results[2].reply->status == 500);
  CHECK(results[2].reply->body.find("why") != std::string::npos);

  const BatchFormat& anthropic = *batch_format_of(provider_card("anthropic"));
  const auto others = read_results(
      anthropic, R"({"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":)"
                 R"({"type":"overloaded_error","message":"later"}}}})"
                 "\n"
                 R"({"custom_id":"b","result":{"type":"canceled"}})");
  REQUIRE(others.size() == 2);
  REQUIRE(others[0].reply);
  CHECK(others[0].reply->status == 529);
  CHECK_FALSE(others[1].reply);
  // An id becomes part of a path, and leads to no other.
  CHECK(batch_id_in(R"({"id":"batch_1-a"})") == "batch_1-a");
  CHECK(batch_id_in(R"({"id":"../v1/files"})").empty());
}

}  // namespace
