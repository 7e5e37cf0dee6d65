#include <agon/model/tool.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <optional>
#include <utility>

#include "archive/export/export.hpp"
#include "archive/export/output.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::archive {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000;  // of a millisecond
/// The last time, and the longest duration: in nanoseconds they can be added.
constexpr std::int64_t kMostMilliseconds = 4'000'000'000'000;

std::int64_t time_of(Time milliseconds) {
  return std::clamp<Time>(milliseconds, 0, kMostMilliseconds) * kNanoseconds;
}

std::int64_t duration_of(double milliseconds) {
  if (!(milliseconds > 0)) return 0;
  return std::llround(std::min(milliseconds, static_cast<double>(kMostMilliseconds)) *
                      static_cast<double>(kNanoseconds));
}

Span::Id span_id(const MatchId& match, const std::string& what) {
  const hash::Digest digest = hash::sha256("agon " + match.hex() + " " + what);
  Span::Id id{};
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

std::string question_name(std::int64_t question) {
  return "question " + std::to_string(question);
}

// Leaves out what is not known.
void set(Span& span, std::string_view name, SpanValue value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* number = std::get_if<double>(&value);
  if ((text != nullptr && text->empty()) || (number != nullptr && !std::isfinite(*number))) return;
  span.attributes.emplace_back(name, std::move(value));
}

void set_count(Span& span, std::string_view name, std::int64_t count) {
  if (count >= 0) set(span, name, count);
}

void append_part(std::string& out, std::string_view type, std::string_view name,
                 std::string_view text, std::string_view more = {}) {
  if (out.back() != '[') out += ',';
  out += R"({"type":")";
  out.append(type).append("\"").append(more).append(",\"").append(name).append("\":");
  json::append_string(out, text);
  out += '}';
}

// What a message holds, as the conventions for generative models have it.
void append_parts(std::string& out, const ChatMessage& message) {
  const auto member = [](std::string_view name, std::string_view text) {
    std::string written = ",\"" + std::string(name) + "\":";
    json::append_string(written, text);
    return written;
  };
  if (message.role == kToolCalls) {
    for (const ToolCall& call : read_tool_calls(message.text))
      append_part(out, "tool_call", "arguments", call.arguments,
                  member("id", call.id) + member("name", call.name));
  } else if (message.role == kToolResult) {
    const ToolResult result = read_tool_result(message.text);
    append_part(out, "tool_call_response", "response", result.text, member("id", result.id));
  } else {
    append_part(out, "text", "content", message.text);
  }
}

std::string input_messages(const ModelCall& call) {
  std::string out = "[";
  for (const ChatMessage& message : call.messages) {
    out += out.size() > 1 ? R"(,{"role":)" : R"({"role":)";
    json::append_string(out,
                        message.role == kToolCalls ? "assistant" : std::string_view(message.role));
    out += R"(,"parts":[)";
    append_parts(out, message);
    out += "]}";
  }
  return out + "]";
}

std::string output_messages(const ModelCall& call) {
  std::string out = R"([{"role":"assistant","parts":[)";
  if (!call.reasoning.empty()) append_part(out, "reasoning", "content", call.reasoning);
  append_parts(out, said_message(call));
  out += R"(],"finish_reason":)";
  json::append_string(out, call.finish == kToolCalls ? "tool_call" : std::string_view(call.finish));
  return out + "}]";
}

void set_parameters(Span& span, const ModelCall& call) {
  const boost::json::value sent = json::parse(call.parameters, "parameters");
  const boost::json::object* all = sent.if_object();
  const std::pair<const char*, std::string_view> names[] = {
      {"temperature", "gen_ai.request.temperature"},
      {"top_p", "gen_ai.request.top_p"},
      {"max_tokens", "gen_ai.request.max_tokens"},
      {"seed", "gen_ai.request.seed"}};
  for (const auto& [name, attribute] : names) {
    const boost::json::value* value = all == nullptr ? nullptr : all->if_contains(name);
    if (value != nullptr && value->is_int64()) set(span, attribute, value->get_int64());
    if (value != nullptr && value->is_double()) set(span, attribute, value->get_double());
  }
}

void set_seat(Span& span, const MatchRow& match, const Turn& turn) {
  set(span, "gen_ai.conversation.id", match.key.id.hex() + "/" + std::to_string(turn.seat));
  set(span, "gen_ai.agent.name", turn.agent);
  set(span, "agon.match", match.key.id.hex());
  set(span, "agon.seat", std::int64_t{turn.seat});
  set(span, "agon.stage", std::string(turn.stage));
  set(span, "agon.question", turn.question);
  set(span, "agon.attempt", turn.attempt);
  set(span, "agon.fault", turn.fault);
}

Span call_span(const MatchRow& match, const Turn& turn) {
  const CallRow& row = *turn.call;
  const ModelCall& call = row.call;
  Span span{.trace = match.key.id.bytes,
            .id = span_id(match.key.id, "call " + std::to_string(row.question) + " " +
                                            std::to_string(row.attempt) + " " +
                                            std::to_string(row.place)),
            .parent = span_id(match.key.id, question_name(turn.question)),
            .name = "chat " + call.model,
            .kind = Span::SpanKind::client,
            .start = time_of(call.started)};
  span.end = span.start + duration_of(call.waited_ms + call.latency_ms);
  set(span, "gen_ai.operation.name", "chat");
  set(span, "gen_ai.provider.name", call.provider);
  set(span, "gen_ai.request.model", call.model);
  set_parameters(span, call);
  set(span, "gen_ai.response.model", call.served_model);
  set(span, "gen_ai.response.id", call.request_id);
  if (!call.finish.empty()) set(span, "gen_ai.response.finish_reasons", std::vector{call.finish});
  set_count(span, "gen_ai.usage.input_tokens", call.usage.input);
  set_count(span, "gen_ai.usage.output_tokens", call.usage.output);
  set_count(span, "gen_ai.usage.cache_read.input_tokens", call.usage.cached);
  set_count(span, "gen_ai.usage.reasoning.output_tokens", call.usage.thought);
  set(span, "gen_ai.input.messages", input_messages(call));
  set(span, "gen_ai.output.messages", output_messages(call));
  set(span, "gen_ai.tool.definitions", tools_json(call));
  set_seat(span, match, turn);
  set(span, "agon.purpose", call.purpose);
  if (row.is_from_cache()) set(span, "agon.from_cache", std::int64_t{1});
  if (row.cost && *row.cost >= 0) set(span, "agon.cost_usd", static_cast<double>(*row.cost) / 1e9);
  if (call.fault != Fault::ok) {
    const std::string fault(name_of(call.fault));
    set(span, "error.type", fault);
    span.error = call.problem.empty() ? fault : call.problem;
  }
  return span;
}

// The spans of the matches of an archive, one match after the other.
class Spans {
 public:
  Spans(const Archive& archive, std::ostream& out, SpanEncoding encoding)
      : output_(out),
        encoding_(encoding),
        games_(archive.games()),
        scenarios_(archive.scenarios()),
        agents_(archive.agents()),
        archive_(archive) {
    if (encoding == SpanEncoding::json) output_.line() += R"({"resourceSpans":[)";
  }

  void match(const MatchRow& match, TurnReader& turns) {
    const std::int64_t people = turns.without_turns().with_people;
    root_ = root_span(match);
    last_ = root_.start;
    turns.each(match, [&](const Turn& turn) { add(match, turn); });
    end_question();
    root_.end = std::max(root_.end, last_);
    if (turns.without_turns().with_people == people) append(root_);
    flush();
  }

  void end() {
    if (encoding_ == SpanEncoding::json) output_.line() += "]}\n";
    output_.flush();
  }

 private:
  // A question lasts from its first call to the end of its last one. Of others the time is not
  // known; they are where the one before ended.
  void add(const MatchRow& match, const Turn& turn) {
    if (question_ && number_ != turn.question) end_question();
    if (!question_) {
      number_ = turn.question;
      question_ = Span{.trace = match.key.id.bytes,
                       .id = span_id(match.key.id, question_name(turn.question)),
                       .parent = root_.id,
                       .name = "invoke_agent " + turn.agent,
                       .start = last_,
                       .end = last_};
      set(*question_, "gen_ai.operation.name", "invoke_agent");
    }
    if (turn.call != nullptr) {
      const Span call = call_span(match, turn);
      question_->start = has_call_ ? std::min(question_->start, call.start) : call.start;
      question_->end = has_call_ ? std::max(question_->end, call.end) : call.end;
      has_call_ = true;
      append(call);
    }
    if (turn.fallback) set_answer(match, turn);
  }

  void set_answer(const MatchRow& match, const Turn& turn) {
    const SeatRow& seat = match.seats[static_cast<std::size_t>(turn.seat)];
    set_seat(*question_, match, turn);
    set(*question_, "agon.seat_name", seat.name);
    set(*question_, "agon.role", seat.role);
    set(*question_, "agon.probe", turn.probe);
    set(*question_, "agon.fallback", *turn.fallback);
    set(*question_, "agon.answer", turn.answer.value_or(""));
    set(*question_, "agon.payoff", payoff(match, seat));
    set(*question_, "agon.reward", turn.reward);
    set(*question_, "agon.advantage", turn.advantage);
    if (*turn.fallback) question_->error = "a fallback answer was played";
  }

  void end_question() {
    if (question_) {
      root_.start = std::min(root_.start, question_->start);
      last_ = std::max(last_, question_->end);
      append(*question_);
    }
    question_.reset();
    has_call_ = false;
  }

  [[nodiscard]] double payoff(const MatchRow& match, const SeatRow& seat) const {
    const ScenarioRow& scenario = archive_.row(scenarios_, match.key.scenario);
    return seat.payoff / std::pow(10.0, archive_.row(games_, scenario.game).score_decimals);
  }

  [[nodiscard]] Span root_span(const MatchRow& match) const {
    const ScenarioRow& scenario = archive_.row(scenarios_, match.key.scenario);
    Span span{.trace = match.key.id.bytes,
              .id = span_id(match.key.id, "match"),
              .name = "match " + scenario.name,
              .end = time_of(match.created)};
    span.start = std::max<std::int64_t>(0, span.end - duration_of(match.wall_ms));
    set(span, "agon.match", match.key.id.hex());
    set(span, "agon.scenario", scenario.name);
    set(span, "agon.game", archive_.row(games_, scenario.game).name);
    set(span, "agon.treatment", scenario.treatment);
    set(span, "agon.block", match.key.block);
    set(span, "agon.repeat", match.key.repeat);
    set(span, "agon.line_up", match.key.line_up);
    set(span, "agon.status", std::string(name_of(match.status)));
    std::vector<std::string> names, agents;
    for (const SeatRow& seat : match.seats) {
      names.push_back(seat.name);
      agents.push_back(archive_.row(agents_, seat.agent).name);
    }
    set(span, "agon.seats", std::move(names));
    set(span, "agon.agents", std::move(agents));
    span.error = match.fault.value_or("");
    return span;
  }

  void append(const Span& span) {
    append_span(spans_, span, encoding_);
    if (spans_.size() >= kPiece) flush();
  }

  void flush() {
    if (spans_.empty()) return;
    if (encoding_ == SpanEncoding::json && any_) output_.line() += ",\n";
    output_.line() += resource_spans(spans_, encoding_);
    output_.line_done();
    spans_.clear();
    any_ = true;
  }

  static constexpr std::size_t kPiece = 1U << 16U;

  Output output_;
  SpanEncoding encoding_;
  std::map<std::int64_t, GameRow> games_;
  std::map<std::int64_t, ScenarioRow> scenarios_;
  std::map<std::int64_t, AgentRow> agents_;
  const Archive& archive_;
  std::string spans_;  // appended, not yet handed out
  bool any_ = false;
  Span root_;                     // of the match
  std::optional<Span> question_;  // that is not over
  std::int64_t number_ = 0;       // its number
  bool has_call_ = false;
  std::int64_t last_ = 0;  // when the question before it was over
};

}  // namespace

void export_otlp(const Archive& archive, std::ostream& out, TurnReader& turns,
                 SpanEncoding encoding) {
  Spans spans(archive, out, encoding);
  archive.matches().each({.record = true}, [&](std::int64_t, const MatchRow& match) {
    spans.match(match, turns);
    return true;
  });
  spans.end();
}

}  // namespace agon::archive
