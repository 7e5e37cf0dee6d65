#include "archive/export/turns.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/model/distribution.hpp>
#include <agon/model/tool.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <span>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "table/contract.hpp"

namespace agon::archive {
namespace {

ExportCell text_or_absent(std::string_view text) {
  return text.empty() ? ExportCell(Absent{}) : ExportCell(std::string(text));
}

ExportCell json_or_absent(std::string text) {
  return text.empty() ? ExportCell(Absent{}) : ExportCell(ExportJson{std::move(text)});
}

std::string prompt_json(const ModelCall& call) {
  std::string out;
  for (const ChatMessage& message : call.messages) {
    out += out.empty() ? '[' : ',';
    append_chat_message(out, message);
  }
  return out.empty() ? "[]" : out + "]";
}

void append_tool_calls(std::string& out, std::string_view text) {
  char before = '[';
  for (const ToolCall& call : read_tool_calls(text)) {
    out += before;
    out += R"({"id":)";
    json::append_string(out, call.id);
    out += R"(,"type":"function","function":{"name":)";
    json::append_string(out, call.name);
    out += R"(,"arguments":)";
    json::append_string(out, call.arguments);
    out += "}}";
    before = ',';
  }
  out += before == '[' ? "[]" : "]";
}

}  // namespace

double normalised_score(const MatchRow& match, const SeatRow& seat) {
  if (match.status != MatchStatus::finished) return std::numeric_limits<double>::quiet_NaN();
  return normalized({seat.payoff, seat.disagreement, seat.ideal, seat.rank, {}});
}

TurnReader::TurnReader(const Archive& archive, RecordEntries entries)
    : archive_(archive),
      entries_(std::move(entries)),
      agents_(archive.agents()),
      scenarios_(archive.scenarios()) {
  for (const auto& [seat, pseudonym] : archive.people()) people_.insert(seat);
  // In order, so that sums do not depend on which match ended first.
  archive.matches().each({}, [&](std::int64_t, const MatchRow& match) {
    for (const SeatRow& seat : match.seats) {
      const double score = normalised_score(match, seat);
      if (std::isnan(score)) continue;
      Mean& mean = means_[group_of(match, seat)];
      mean.sum += score;
      ++mean.count;
    }
    return true;
  });
}

TurnReader::Group TurnReader::group_of(const MatchRow& match, const SeatRow& seat) {
  return {match.key.scenario, match.key.block, match.key.position, seat.role};
}

// The same draws have the same id in every archive.
std::string TurnReader::id_of(const Group& group) const {
  const auto& [number, block, position, role] = group;
  const ScenarioRow& scenario = archive_.row(scenarios_, number);
  std::string text = hash::hex(scenario.settings);
  for (const std::string& part :
       {scenario.seed ? std::to_string(*scenario.seed) : "", std::to_string(block),
        std::to_string(position), scenario.treatment, scenario.name, role})
    text += "\n" + part;
  const hash::Digest digest = hash::sha256(text);
  return hash::hex(std::span(digest).first(16));
}

TurnReader::Questions TurnReader::questions_of(const MatchRow& match) const {
  Questions questions;
  entries_(match.record, [&](std::string_view line) {
    const boost::json::value read = json::parse(line, archive_.path().string());
    const boost::json::object& entry = read.as_object();
    if (entry.at("entry").as_string() != "question") return;
    RecordedQuestion asked;
    asked.seat = static_cast<int>(entry.at("seat").as_int64());
    if (asked.seat < 0 || static_cast<std::size_t>(asked.seat) >= match.seats.size())
      archive_.damaged("the record of a match is of more seats than it has");
    if (const auto* stage = entry.if_contains("name")) asked.stage = stage->as_string();
    asked.probe = entry.at("probe").as_bool();
    asked.forced = entry.at("forced").as_bool();
    asked.by_rules = entry.contains("by_rules");
    for (const boost::json::value& attempt : entry.at("attempts").as_array())
      asked.attempts.emplace_back(attempt.at("class").as_string());
    if (const auto* value = entry.if_contains("value"); value != nullptr && !value->is_null())
      asked.value = json::write(*value);
    questions[entry.at("number").as_int64()] = std::move(asked);
  });
  return questions;
}

bool TurnReader::has_people(const MatchRow& match, const Questions& questions) {
  const auto first = people_.lower_bound({match.key.id, 0});
  if (first == people_.end() || first->first != match.key.id) return false;
  ++without_.with_people;
  for (const auto& [number, asked] : questions)
    if (people_.contains({match.key.id, asked.seat})) ++without_.answers;
  return true;
}

void TurnReader::set_seats(const MatchRow& match) {
  groups_.clear();
  seats_.clear();
  for (const SeatRow& seat : match.seats) groups_.push_back(id_of(group_of(match, seat)));
  for (const SeatRow& seat : match.seats) {
    Turn& turn = seats_.emplace_back();
    turn.seat = static_cast<int>(seats_.size()) - 1;
    turn.agent = archive_.row(agents_, seat.agent).name;
    turn.group = groups_[seats_.size() - 1];
    turn.reward = normalised_score(match, seat);
    const auto mean = means_.find(group_of(match, seat));
    if (mean != means_.end())
      turn.advantage = turn.reward - mean->second.sum / static_cast<double>(mean->second.count);
  }
}

Turn TurnReader::turn_of(const RecordedQuestion& asked, std::int64_t number,
                         std::size_t attempt) const {
  Turn turn = seats_[static_cast<std::size_t>(asked.seat)];
  turn.stage = asked.stage;
  turn.question = number;
  turn.attempt = static_cast<std::int64_t>(attempt);
  turn.probe = asked.probe;
  if (attempt < asked.attempts.size()) turn.fault = asked.attempts[attempt];
  if (attempt + 1 >= asked.attempts.size()) {
    turn.answer = asked.value;
    turn.fallback = asked.forced;
  }
  return turn;
}

// Takes the questions away for which a model was called.
void TurnReader::each_call(const MatchRow& match, Questions& questions,
                           const std::function<void(const Turn&)>& each) const {
  std::optional<CallRow> held;  // until it is known whether another one follows in its attempt
  const auto hand_out = [&](const CallRow* next) {
    if (!held) return;
    const auto asked = questions.find(held->question);
    if (asked == questions.end() || asked->second.seat != held->seat) return;
    Turn turn = turn_of(asked->second, held->question, static_cast<std::size_t>(held->attempt));
    turn.call = &*held;
    turn.gives_attempt =
        next == nullptr || next->question != held->question || next->attempt != held->attempt;
    if (!turn.gives_attempt) {
      turn.fault.clear();
      turn.answer.reset();
      turn.fallback.reset();
    }
    each(turn);
  };
  const auto is_before = [](std::int64_t number, const CallRow* next) {
    return next == nullptr || number < next->question;
  };
  // Those without a call come where their numbers are.
  const auto hand_out_others = [&](const CallRow* next) {
    while (!questions.empty() && is_before(questions.begin()->first, next)) {
      const auto& [number, asked] = *questions.begin();
      const bool had_call = held && held->question == number;
      if (!had_call && !asked.by_rules && asked.value)
        each(turn_of(asked, number, asked.attempts.empty() ? 0 : asked.attempts.size() - 1));
      questions.erase(questions.begin());
    }
  };
  archive_.calls().each(&match.key.id, [&](const CallRow& call) {
    if (!call.answered) return;
    hand_out(&call);
    hand_out_others(&call);
    held = call;
  });
  hand_out(nullptr);
  hand_out_others(nullptr);
}

void TurnReader::each(const MatchRow& match, const std::function<void(const Turn&)>& each) {
  if (match.record.empty()) {
    without_.unrecorded += match.status == MatchStatus::quarantined ? 0 : 1;
    return;
  }
  Questions questions = questions_of(match);
  if (has_people(match, questions)) return;
  set_seats(match);
  each_call(match, questions, each);
}

NamedCells turn_cells(const Turn& turn, const SeatRow& seat, int score_decimals) {
  static const CallRow none;
  const CallRow& row = turn.call == nullptr ? none : *turn.call;
  const ModelCall& c = row.call;
  const bool is_call = turn.call != nullptr;
  return {
      {"seat", std::int64_t{turn.seat}},
      {"seat_name", seat.name},
      {"role", seat.role},
      {"agent", turn.agent},
      {"question", turn.question},
      {"attempt", turn.attempt},
      {"place", is_call ? ExportCell(row.place) : ExportCell(Absent{})},
      {"stage", std::string(turn.stage)},
      {"probe", std::int64_t{turn.probe}},
      {"purpose", is_call ? ExportCell(c.purpose) : ExportCell(Absent{})},
      {"prompt", is_call ? ExportCell(ExportJson{prompt_json(c)}) : ExportCell(Absent{})},
      {"completion", is_call ? ExportCell(c.text) : ExportCell(Absent{})},
      {"tools", json_or_absent(tools_json(c))},
      {"reasoning", text_or_absent(c.reasoning)},
      {"answer", json_or_absent(turn.answer.value_or(""))},
      {"fault", text_or_absent(turn.fault)},
      {"fallback", turn.fallback ? ExportCell(std::int64_t{*turn.fallback}) : ExportCell(Absent{})},
      {"input_tokens", cell_if_known(c.usage.input)},
      {"output_tokens", cell_if_known(c.usage.output)},
      {"cached_tokens", cell_if_known(c.usage.cached)},
      {"reasoning_tokens", cell_if_known(c.usage.thought)},
      {"cost_usd", money_cell(row.cost)},
      {"payoff", decimal(seat.payoff, score_decimals)},
      {"reward", turn.reward},
      {"advantage", turn.advantage},
      {"group", std::string(turn.group)}};
}

void append_chat_message(std::string& out, const ChatMessage& message, ChatMembers members) {
  const bool calls = message.role == kToolCalls, result = message.role == kToolResult;
  out += R"({"role":)";
  json::append_string(out, calls ? "assistant" : std::string_view(message.role));
  out += R"(,"content":)";
  json::append_string(out, calls    ? std::string_view()
                           : result ? read_tool_result(message.text).text
                                    : std::string_view(message.text));
  if (calls) {
    out += R"(,"tool_calls":)";
    append_tool_calls(out, message.text);
  } else if (members == ChatMembers::all) {
    out += R"(,"tool_calls":null)";
  }
  if (result) {
    out += R"(,"tool_call_id":)";
    json::append_string(out, read_tool_result(message.text).id);
  } else if (members == ChatMembers::all) {
    out += R"(,"tool_call_id":null)";
  }
  out += '}';
}

ChatMessage said_message(const ModelCall& call) {
  if (call.finish == kDistribution) {
    AnswerDistribution distribution;
    const bool is_read = !read_json(distribution, call.text, Missing::keeps);
    return {"assistant", is_read ? distribution.drawn : call.text};
  }
  return {call.finish == kToolCalls ? std::string(kToolCalls) : "assistant", call.text};
}

std::string tools_json(const ModelCall& call) {
  if (call.parameters.find("\"tools\"") == std::string::npos) return {};
  const boost::json::value sent = json::parse(call.parameters, "parameters");
  const boost::json::object* object = sent.if_object();
  const boost::json::value* tools = object == nullptr ? nullptr : object->if_contains("tools");
  if (tools == nullptr || !tools->is_array()) return {};
  boost::json::array out;
  for (const boost::json::value& tool : tools->get_array()) {
    const boost::json::object* one = tool.if_object();
    if (one == nullptr) continue;
    if (const boost::json::value* inner = one->if_contains("function")) one = inner->if_object();
    const boost::json::value* name = one == nullptr ? nullptr : one->if_contains("name");
    if (name == nullptr || (name->is_string() && name->get_string() == "answer")) continue;
    boost::json::object function{{"name", *name}};
    if (const auto* doc = one->if_contains("description")) function["description"] = *doc;
    for (const char* schema : {"parameters", "input_schema"})
      if (const auto* arguments = one->if_contains(schema)) function["parameters"] = *arguments;
    out.push_back(boost::json::object{{"type", "function"}, {"function", std::move(function)}});
  }
  return out.empty() ? std::string() : json::write(boost::json::value(std::move(out)));
}

}  // namespace agon::archive
