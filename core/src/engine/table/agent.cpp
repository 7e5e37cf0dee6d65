#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/tool.hpp>
#include <agon/question.hpp>
#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "describe/value.hpp"
#include "table/mailbox.hpp"

namespace agon {

Agent::~Agent() = default;
WaitingAgent::~WaitingAgent() = default;
ModelAgent::~ModelAgent() = default;
CallLedger::~CallLedger() = default;
BatchNotes::~BatchNotes() = default;

void Agent::ask(OwnedQuestion, Completion done) const {
  done({.status = Fault::crashed, .problem = "this agent answers at once or not at all"});
}

std::shared_ptr<const Agent> Agent::in_block(std::string_view, std::uint64_t) const {
  return nullptr;
}

std::vector<Finding> ModelAgent::preflight(const Game&, const PromptSet*, const Expected&) const {
  return {};
}

std::string ModelAgent::said(const OwnedQuestion&) const {
  return {};
}

std::optional<Reply> ModelAgent::probe_model(const ModelProbe&, CallLedger&) const {
  return std::nullopt;
}

void Agent::match_ended(MatchEnding) const {}

void Agent::match_over(const void*) const noexcept {}

void WaitingAgent::answer(Question& question) const {
  question.decline();
}

Completion::Completion(std::shared_ptr<Mailbox> box, std::uint32_t number, int attempt)
    : box_(std::move(box)), number_(number), attempt_(attempt) {}

void Completion::operator()(Reply reply) const {
  box_->deliver(number_, attempt_, std::move(reply));
}

void Completion::hold() const {
  box_->hold(number_, attempt_);
}

void Completion::begin() const {
  box_->begin(number_, attempt_);
}

bool Completion::abandoned() const {
  return !box_->wanted(number_, attempt_);
}

bool ends_match(const OwnedQuestion& question, std::string_view json) {
  if (question.ends == nullptr) return false;
  Value answer(*question.answer_type);
  if (read_json(*question.answer_type, answer.get(), json, question.limits.get())) return false;
  try {
    return question.ends(answer.get());
  } catch (...) {
    // A fault of the game, not of who answers: the table comes upon it when it judges.
    return false;
  }
}

struct OwnedLimits::Storage {
  std::vector<LimitData> limits;
  std::vector<std::vector<int>> each;
  std::vector<std::vector<std::string>> texts;
  std::vector<std::vector<std::string_view>> names;
};

OwnedLimits::OwnedLimits(std::span<const LimitData> limits) {
  auto storage = std::make_shared<Storage>();
  storage->limits.assign(limits.begin(), limits.end());
  // Reserved, so that what the limits point to stays where it is.
  storage->each.reserve(limits.size());
  storage->texts.reserve(limits.size());
  storage->names.reserve(limits.size());
  for (LimitData& limit : storage->limits) {
    if (limit.kind == LimitKind::each) {
      storage->each.emplace_back(limit.each, limit.each + limit.n);
      limit.each = storage->each.back().data();
    } else if (limit.kind == LimitKind::names) {
      auto& texts = storage->texts.emplace_back(limit.names, limit.names + limit.n);
      auto& names = storage->names.emplace_back(texts.begin(), texts.end());
      limit.names = names.data();
    }
  }
  storage_ = std::move(storage);
}

std::span<const LimitData> OwnedLimits::get() const {
  return storage_ == nullptr ? std::span<const LimitData>{} : storage_->limits;
}

void Question::draw_checked(Question& q) {
  Dice dice = q.dice();
  q.drawn_ = false;
  // Rejection keeps the draw uniform over what the check lets pass.
  constexpr int kTries = 64;
  for (int i = 0; i < kTries; ++i) {
    detail::draw_value(*q.stage_->answer, nullptr, q.answer_, 0, q.limits_, dice);
    if (q.check_(q.asking_, q.answer_).empty()) return;
  }
  reset_value(*q.stage_->answer, q.answer_, q.fallback_);
}

void ModelRequest::append_user(std::string_view text) {
  if (messages.back().role == "user")
    messages.back().text.append("\n\n").append(text);
  else
    messages.push_back({"user", std::string(text)});
}

TurnHistory::~TurnHistory() = default;
ModelTurn::~ModelTurn() = default;
Part::~Part() = default;

std::vector<PromptUse> Part::prompts() const {
  return {};
}

std::size_t Memory::from(const ModelTurn& turn) const {
  return turn.history().news_from();
}

std::string Memory::notes(ModelTurn&) const {
  return {};
}

std::string AnswerForm::written(std::string_view json) const {
  return std::string(json);
}

bool Reasoning::answers_probe(const OwnedQuestion&) const {
  return false;
}

namespace {

/// The text as a JSON object on one line; nothing if it is none.
std::optional<std::string> as_object(const std::string& text) {
  try {
    const JsonDocument document(text, "");
    if (document.root().kind() == JsonNode::Kind::object) return document.root().write();
  } catch (const Error&) {
  }
  return {};
}

}  // namespace

std::string write_tool_calls(const std::vector<ToolCall>& calls, std::string_view turn) {
  JsonWriter json;
  if (!turn.empty()) json.open_object().name("calls");
  json.open_list();
  for (const ToolCall& call : calls) {
    json.open_object().name("id").text(call.id).name("name").text(call.name).name("arguments");
    // What is no object stands as the text that it is.
    if (const auto object = as_object(call.arguments))
      json.json(*object);
    else
      json.text(call.arguments);
    json.close_object();
  }
  json.close_list();
  if (!turn.empty()) json.name("turn").json(turn).close_object();
  return json.take();
}

std::vector<ToolCall> read_tool_calls(std::string_view text) {
  std::vector<ToolCall> calls;
  try {
    const JsonDocument document(std::string(text), "");
    const JsonNode list = document.root().kind() == JsonNode::Kind::object
                              ? document.root()["calls"]
                              : document.root();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonNode call = list[i];
      const JsonNode arguments = call["arguments"];
      calls.push_back({std::string(call["id"].text()), std::string(call["name"].text()),
                       arguments.kind() == JsonNode::Kind::text ? std::string(arguments.text())
                                                                : arguments.write()});
    }
  } catch (const Error&) {
    return {};
  }
  return calls;
}

ToolResult read_tool_result(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

std::string read_tool_turn(std::string_view text) {
  if (!text.starts_with('{')) return {};
  try {
    return JsonDocument(std::string(text), "").root()["turn"].write();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace agon
