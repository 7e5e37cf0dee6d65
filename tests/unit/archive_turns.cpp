#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <sstream>

#include "archive/export/export.hpp"
#include "archive/export/turns.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "json/parse.hpp"

using namespace archive_samples;

namespace {

using TurnRows = std::vector<boost::json::object>;

/// Records of these tests are entries, one a line.
const RecordEntries kEntries = [](std::string_view record, const auto& each) {
  std::istringstream lines{std::string(record)};
  for (std::string line; std::getline(lines, line);) each(line);
};

std::string question(int number, int seat, const std::string& attempts, const std::string& value,
                     const std::string& more = "") {
  return R"({"entry":"question","name":"offer","seat":)" + std::to_string(seat) + R"(,"number":)" +
         std::to_string(number) + R"(,"probe":false,"forced":)" +
         (more == "forced" ? "true" : "false") + R"(,"attempts":[)" + attempts + R"(],"value":)" +
         value + "}\n";
}

const std::string kOk = R"({"class":"ok"})", kIllegal = R"({"class":"illegal"})";

/// An archive with matches of its own, and calls.
class TurnBook {
 public:
  TurnBook() : writer_(folder_ / "run.agon"), numbers_(add_rows(writer_)) {
    writer_.begin_run({});
    for (const char* role : {"system", "user", "assistant"})
      prompt_.push_back(message({role, std::string("as ") + role}));
  }

  agon::hash::Digest message(const agon::ChatMessage& m) {
    return writer_.store("message", message_bytes(m));
  }

  /// A match in block 1 whose buyer gains `gain` of 100; both seats are `first`'s.
  MatchRow match(int i, double gain, const std::string& record) {
    MatchRow row = sample_match(numbers_, i);
    row.key.block = 1;
    row.key.repeat = i;
    row.record = record;
    for (SeatRow& seat : row.seats) seat.agent = numbers_.first;
    row.seats[0].payoff = 50 + gain;
    row.seats[0].disagreement = 50;
    row.seats[0].ideal = 150;
    row.seats[1].ideal = std::nan("");
    return row;
  }

  void call(const MatchRow& match, int question, int attempt, int place, const std::string& text,
            const std::string& finish = "stop", const std::string& parameters = "{}") {
    CallRow row{.match = match.key.id, .question = question, .attempt = attempt, .place = place};
    row.run = 1;
    row.call.provider = "openai";
    row.call.model = "tiny";
    row.call.purpose = place == 0 ? "notebook" : "answer";
    row.call.text = text;
    row.call.finish = finish;
    row.call.started = match.created - 5;
    row.call.latency_ms = 2;
    row.call.usage = {.input = 7, .output = 3};
    row.cost = 1'500'000;
    row.messages = prompt_;
    row.parameters = writer_.store("parameters", parameters);
    writer_.save_call(row);
  }

  [[nodiscard]] Writer& writer() { return writer_; }
  [[nodiscard]] const Numbers& numbers() const { return numbers_; }
  [[nodiscard]] std::vector<agon::hash::Digest>& prompt() { return prompt_; }

  Archive read() {
    writer_.close();
    return Archive::open(folder_ / "run.agon");
  }

 private:
  Folder folder_;
  Writer writer_;
  Numbers numbers_;
  std::vector<agon::hash::Digest> prompt_;
};

TurnRows rows_of(const std::string& text) {
  TurnRows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    rows.push_back(agon::json::parse(line, "line").as_object());
  for (const boost::json::object& row : rows) {
    REQUIRE(row.size() == rows[0].size());
    for (std::size_t i = 0; i < row.size(); ++i)
      CHECK((row.begin() + i)->key() == (rows[0].begin() + i)->key());
  }
  return rows;
}

TurnRows turns_of(const Archive& archive, WithoutTurns* without = nullptr) {
  std::ostringstream out;
  TurnReader turns(archive, kEntries);
  export_jsonl(archive, out, {.rows = ExportRows::turns, .turns = &turns});
  if (without != nullptr) *without = turns.without_turns();
  return rows_of(out.str());
}

TurnRows trl(const Archive& archive, TrlLayout layout) {
  std::ostringstream out;
  TurnReader turns(archive, kEntries);
  export_trl(archive, out, turns, layout);
  return rows_of(out.str());
}

std::string text_of(const boost::json::value& value) {
  return std::string(value.as_string());
}

boost::json::array spans(const Archive& archive) {
  std::ostringstream out;
  TurnReader turns(archive, kEntries);
  export_otlp(archive, out, turns, SpanEncoding::json);
  boost::json::array all;
  const boost::json::value read = agon::json::parse(out.str(), "spans");
  for (const auto& resource : read.at("resourceSpans").as_array())
    for (const auto& span : resource.at("scopeSpans").at(0).at("spans").as_array())
      all.push_back(span);
  return all;
}

}  // namespace

TEST_CASE("turns: calls by what became of them, and answers without one") {
  TurnBook book;
  const MatchRow match = book.match(1, 30,
                                    question(0, 0, kIllegal + "," + kOk, R"({"give":3})") +
                                        question(1, 1, kOk, R"({"take":1})") +
                                        question(2, 0, kIllegal, R"({"give":0})", "forced"));
  book.call(match, 0, 0, 0, "a note");
  book.call(match, 0, 0, 1, "refused");
  book.call(match, 0, 1, 1, "taken");
  book.call(match, 2, 0, 1, "refused too");
  book.writer().write_finished(match);
  const TurnRows rows = turns_of(book.read());
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].at("purpose") == "notebook");
  CHECK(rows[0].at("fault").is_null());
  CHECK(rows[0].at("answer").is_null());
  CHECK(rows[1].at("completion") == "refused");
  CHECK(rows[1].at("fault") == "illegal");
  CHECK(rows[1].at("answer").is_null());
  CHECK(rows[1].at("fallback").is_null());
  CHECK(rows[2].at("completion") == "taken");
  CHECK(rows[2].at("attempt") == 1);
  CHECK(rows[2].at("answer") == boost::json::object{{"give", 3}});
  CHECK(rows[2].at("fallback") == 0);
  CHECK(rows[2].at("prompt").at(1) ==
        boost::json::object{{"role", "user"}, {"content", "as user"}});
  CHECK(rows[2].at("input_tokens") == 7);
  CHECK(rows[2].at("cached_tokens").is_null());
  CHECK(rows[2].at("cost_usd") == "0.0015");
  CHECK(rows[2].at("payoff") == "0.80");
  CHECK(rows[2].at("reward") == 0.3);
  CHECK(rows[3].at("seat") == 1);
  CHECK(rows[3].at("prompt").is_null());
  CHECK(rows[3].at("answer") == boost::json::object{{"take", 1}});
  CHECK(rows[3].at("reward").is_null());  // no surplus
  CHECK(rows[3].at("advantage").is_null());
  CHECK(rows[4].at("fault") == "illegal");
  CHECK(rows[4].at("fallback") == 1);
  CHECK(rows[4].at("answer") == boost::json::object{{"give", 0}});
}

TEST_CASE("turns: the advantage is over all seats of a role with the same draws") {
  TurnBook book;
  const std::string record = question(0, 0, kOk, "1");
  MatchRow other = book.match(4, 90, record);
  other.key.block = 2;
  MatchRow broken = book.match(5, 90, record);
  broken.status = MatchStatus::game_error;
  for (const MatchRow& match : {book.match(1, 30, record), book.match(2, 60, record),
                                book.match(3, 0, record), other, broken})
    book.writer().write_finished(match);
  const TurnRows rows = turns_of(book.read());
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].at("advantage").as_double() == Approx(0.0).margin(1e-12));
  CHECK(rows[1].at("advantage").as_double() == Approx(0.3));
  CHECK(rows[2].at("advantage").as_double() == Approx(-0.3));
  CHECK(rows[3].at("reward").is_null());  // the game broke
  CHECK(rows[4].at("advantage").as_double() == Approx(0.0).margin(1e-12));
  CHECK(rows[0].at("group") == rows[2].at("group"));
  CHECK(rows[0].at("group") != rows[4].at("group"));
}

TEST_CASE("turns: matches with people and matches without a record are counted, and left out") {
  TurnBook book;
  MatchRow with = book.match(1, 30, question(0, 0, kOk, "1") + question(1, 1, kOk, "1"));
  book.writer().person({.session = "s", .pseudonym = "anna"});
  book.writer().person_answer({.session = "s", .match = with.key.id, .seat = 1, .question = 1});
  book.call(with, 0, 0, 1, "what a model said to a person");
  MatchRow without = book.match(2, 30, "");
  book.writer().write_finished(with);
  book.writer().write_finished(without);
  const Archive archive = book.read();
  WithoutTurns left_out;
  CHECK(turns_of(archive, &left_out).empty());
  CHECK(left_out.with_people == 1);
  CHECK(left_out.answers == 1);
  CHECK(left_out.unrecorded == 1);
  const boost::json::array all = spans(archive);
  REQUIRE(all.size() == 1);  // of the other match, itself
  CHECK(text_of(all[0].at("traceId")) == without.key.id.hex());
}

TEST_CASE("turns: data sets for trainers have what was played") {
  TurnBook book;
  const std::string record = question(0, 0, kIllegal + "," + kOk, "1");
  int gain = 30;
  for (const int i : {1, 2, 3}) {
    const MatchRow match = book.match(i, gain, record);
    book.call(match, 0, 0, 1, "refused");
    book.call(match, 0, 1, 1, "answer " + std::to_string(i));
    book.writer().write_finished(match);
    gain = i == 1 ? 90 : 0;
  }
  const Archive archive = book.read();
  const TurnRows messages = trl(archive, TrlLayout::messages);
  REQUIRE(messages.size() == 3);
  const boost::json::object said{{"role", "assistant"}, {"content", "answer 1"}};
  REQUIRE(messages[0].at("messages").as_array().size() == 4);
  CHECK(messages[0].at("messages").at(3) == said);
  const TurnRows completions = trl(archive, TrlLayout::prompt_completion);
  REQUIRE(completions.size() == 3);
  CHECK(completions[0].at("prompt").as_array().size() == 3);
  CHECK(completions[0].at("completion") == boost::json::array{said});
  CHECK(completions[1].at("reward") == 0.9);
  CHECK(completions[1].at("advantage").as_double() == Approx(0.5));
  CHECK(completions[1].at("tools").is_null());
  const TurnRows pairs = trl(archive, TrlLayout::preference);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].at("chosen").at(0).at("content") == "answer 2");
  CHECK(pairs[0].at("rejected").at(0).at("content") == "answer 3");
  CHECK(pairs[0].at("chosen_advantage").as_double() == Approx(0.5));
  CHECK(pairs[0].at("group") == completions[0].at("group"));
}

TEST_CASE("turns: a distribution is shown whole, and training data has the label drawn") {
  TurnBook book;
  const MatchRow match = book.match(1, 30, question(0, 0, kOk, "1"));
  const std::string text = R"({"options":[{"label":"A","answer":{"x":1},"probability":0.25},)"
                           R"({"label":"B","answer":{"x":2},"probability":0.75}],)"
                           R"("outside":0.1,"samples":0,"said":"A","drawn":"B"})";
  book.call(match, 0, 0, 1, text, "distribution");
  book.writer().write_finished(match);
  const Archive archive = book.read();
  CHECK(text_of(turns_of(archive).at(0).at("completion")) == text);
  const TurnRows rows = trl(archive, TrlLayout::prompt_completion);
  REQUIRE(rows.size() == 1);
  CHECK(text_of(rows[0].at("completion").at(0).at("content")) == "B");
}

TEST_CASE("turns: tools are functions, their calls an assistant's") {
  TurnBook book;
  book.writer().agent({agon::hash::sha256("with"), "with", R"({"agent":"llm","tools":"x"})"});
  const std::string calls = R"([{"id":"c1","name":"sum","arguments":"{\"a\":1}"}])";
  book.prompt().push_back(book.message({"tool_calls", calls}));
  book.prompt().push_back(book.message({"tool", "c1\n2"}));
  const MatchRow match = book.match(1, 30, question(0, 0, kOk, "1"));
  const std::string tools =
      R"({"tools":[{"name":"sum","description":"adds","input_schema":{"type":"object"}},
                   {"name":"answer","input_schema":{}}]})";
  book.call(match, 0, 0, 0, calls, "tool_calls", tools);
  book.call(match, 0, 0, 1, "done", "stop", tools);
  book.writer().write_finished(match);
  const Archive archive = book.read();
  const auto functions = agon::json::parse(
      R"([{"type":"function","function":{"name":"sum","description":"adds",
           "parameters":{"type":"object"}}}])",
      "tools");
  CHECK(turns_of(archive)[0].at("tools") == functions);
  const TurnRows rows = trl(archive, TrlLayout::prompt_completion);
  REQUIRE(rows.size() == 2);
  CHECK(agon::json::parse(rows[0].at("tools").as_string(), "tools") == functions);
  const auto made = agon::json::parse(
      R"([{"id":"c1","type":"function","function":{"name":"sum","arguments":"{\"a\":1}"}}])", "");
  const boost::json::object called{
      {"role", "assistant"}, {"content", ""}, {"tool_calls", made}, {"tool_call_id", nullptr}};
  CHECK(rows[0].at("completion").at(0) == called);
  CHECK(rows[1].at("prompt").at(3) == called);
  const boost::json::object result{
      {"role", "tool"}, {"content", "2"}, {"tool_calls", nullptr}, {"tool_call_id", "c1"}};
  CHECK(rows[1].at("prompt").at(4) == result);
}

TEST_CASE("turns: spans lie within one another, and are the same every time") {
  TurnBook book;
  const MatchRow match =
      book.match(1, 30, question(0, 0, kOk, "1") + question(1, 1, kOk, R"({"take":1})"));
  book.call(match, 0, 0, 1, "said");
  book.writer().write_finished(match);
  const Archive archive = book.read();
  const boost::json::array all = spans(archive);
  REQUIRE(all.size() == 4);  // a call, its question, another question, the match
  CHECK(spans(archive) == all);
  const auto& root = all[3];
  CHECK_FALSE(root.as_object().contains("parentSpanId"));
  CHECK(all[0].at("parentSpanId") == all[1].at("spanId"));
  CHECK(all[1].at("parentSpanId") == root.at("spanId"));
  CHECK(all[2].at("parentSpanId") == root.at("spanId"));
  CHECK(all[0].at("name") == "chat tiny");
  CHECK(text_of(all[0].at("startTimeUnixNano")) == std::to_string(match.created - 5) + "000000");
  CHECK(text_of(all[0].at("endTimeUnixNano")) == std::to_string(match.created - 3) + "000000");
  CHECK(all[2].at("startTimeUnixNano") == all[2].at("endTimeUnixNano"));
  CHECK(root.at("startTimeUnixNano") == all[0].at("startTimeUnixNano"));
  for (const auto& span : all) CHECK(text_of(span.at("traceId")) == match.key.id.hex());
}

TEST_CASE("turns: spans of matches beyond the time that nanoseconds can hold") {
  TurnBook book;
  MatchRow match = book.match(1, 30, question(0, 0, kOk, "1"));
  match.created = kLastTime;
  match.wall_ms = 1e300;
  book.writer().write_finished(match);
  const boost::json::array all = spans(book.read());
  REQUIRE(all.size() == 2);
  CHECK(text_of(all[1].at("startTimeUnixNano")) == "0");
  CHECK(text_of(all[1].at("endTimeUnixNano")) == "4000000000000000000");
}

TEST_CASE("turns: a span in protobuf") {
  Span span{.name = "n", .start = 1, .end = 258};
  span.trace.fill(1);
  span.id.fill(2);
  span.attributes = {{"a", std::int64_t{300}}, {"b", std::string("\xff")}};
  std::string bytes;
  append_span(bytes, span, SpanEncoding::protobuf);
  const auto text = [](std::string_view of) { return std::string(of); };
  const std::string attributes = text(
                                     "\x4a\x08\x0a\x01"
                                     "a"
                                     "\x12\x03\x18\xac\x02") +
                                 text(
                                     "\x4a\x0a\x0a\x01"
                                     "b"
                                     "\x12\x05\x0a\x03\xef\xbf\xbd");
  const std::string inner = "\x0a\x10" + std::string(16, '\x01') + "\x12\x08" +
                            std::string(8, '\x02') + "\x2a\x01n" + "\x30\x01" + "\x39" +
                            std::string("\x01\0\0\0\0\0\0\0", 8) + "\x41" +
                            std::string("\x02\x01\0\0\0\0\0\0", 8) + attributes;
  CHECK(bytes == std::string("\x12") + static_cast<char>(inner.size()) + inner);
}
