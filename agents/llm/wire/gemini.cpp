// Google's Gemini API in its own words: generateContent.
#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <optional>

#include "llm/wire/dialogue.hpp"
#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

/// Stands in for a signature that is not known: Google's own word for calls that its models did not
/// make in this dialogue.
constexpr std::string_view kNoSignature = "skip_thought_signature_validator";

/// A call of a function that a result belongs to.
struct CalledFunction {
  std::string name;
  bool has_id = false;  ///< the model gave it one; else ids are ours, and not sent
};
using CalledFunctions = std::map<std::string, CalledFunction, std::less<>>;

/// What a model said with calls of functions: part by part as it came, with the signatures of its
/// thoughts, without which newer models refuse to go on.
void write_called(JsonWriter& w, const std::string& text, CalledFunctions& called) {
  for (const ToolCall& call : read_tool_calls(text)) called[call.id] = {.name = call.name};
  if (const std::string turn = read_tool_turn(text); turn.starts_with('[')) {
    const JsonDocument parts(turn, "");
    for (std::size_t i = 0; i < parts.root().size(); ++i) {
      const JsonNode part = parts.root()[i];
      w.json(part.write());
      if (const auto call = part.find("functionCall"))
        if (const auto id = call->find("id")) called[std::string(id->text())].has_id = true;
    }
    return;
  }
  bool is_first = true;
  for (const ToolCall& call : read_tool_calls(text)) {
    w.open_object().name("functionCall").open_object().name("name").text(call.name);
    w.name("args").json(call.arguments.starts_with('{') ? call.arguments : "{}").close_object();
    if (is_first) w.name("thoughtSignature").text(kNoSignature);
    w.close_object();
    is_first = false;
  }
}

void write_function_result(JsonWriter& w, const std::string& text, const CalledFunctions& called) {
  const ToolResult result = read_tool_result(text);
  const auto of = called.find(result.id);
  w.open_object().name("functionResponse").open_object();
  if (of != called.end() && of->second.has_id) w.name("id").text(result.id);
  w.name("name").text(of == called.end() ? result.id : of->second.name);
  w.name("response").open_object().name("result").text(result.text).close_object();
  w.close_object().close_object();
}

void write_gemini_dialogue(JsonWriter& w, const WireRequest& request) {
  const Dialogue d = dialogue_of(request.messages);
  if (!d.system.empty()) {
    w.name("systemInstruction").open_object().name("parts").open_list();
    w.open_object().name("text").text(d.system).close_object().close_list().close_object();
  }
  CalledFunctions called;
  w.name("contents").open_list();
  for (const Said& turn : d.turns) {
    w.open_object().name("role").text(turn.role == "assistant" ? "model" : "user");
    w.name("parts").open_list();
    for (const ChatMessage& block : turn.blocks)
      if (block.role == kToolCalls)
        write_called(w, block.text, called);
      else if (block.role == kToolResult)
        write_function_result(w, block.text, called);
      else
        w.open_object().name("text").text(block.text).close_object();
    w.close_list().close_object();
  }
  w.close_list();
}

/// How much it is to think: Gemini 2.5 takes a budget in tokens, later models take a word. The
/// budgets are those that Google's endpoint of OpenAI's format has for the words.
void write_effort(JsonWriter& w, const WireRequest& request) {
  static constexpr std::array<std::pair<std::string_view, int>, 5> kBudgets{
      {{"none", 0}, {"minimal", 1024}, {"low", 1024}, {"medium", 8192}, {"high", 24576}}};
  const auto* const budget = std::find_if(kBudgets.begin(), kBudgets.end(), [&](const auto& one) {
    return one.first == request.reasoning_effort;
  });
  w.name("thinkingConfig").open_object();
  if (request.model.find("gemini-2.5") != std::string_view::npos && budget != kBudgets.end())
    w.name("thinkingBudget").number(budget->second);
  else
    w.name("thinkingLevel").text(request.reasoning_effort);
  w.name("includeThoughts").truth(true).close_object();
}

std::string generation_config(const WireRequest& request) {
  JsonWriter w;
  w.open_object();
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("topP").number(*request.top_p);
  if (request.seed) w.name("seed").number(*request.seed);
  if (request.max_tokens > 0) w.name("maxOutputTokens").number(request.max_tokens);
  if (!request.stop.empty()) write_texts(w.name("stopSequences"), request.stop);
  if (!request.reasoning_effort.empty()) write_effort(w, request);
  if (request.form != WireForm::text) w.name("responseMimeType").text("application/json");
  if (request.form == WireForm::schema) w.name("responseJsonSchema").json(request.schema);
  return w.close_object().take();
}

void write_gemini_parameters(JsonWriter& w, const WireRequest& request) {
  if (const std::string config = generation_config(request); config.size() > 2)
    w.name("generationConfig").json(config);
  if (request.tools.empty()) return;
  w.name("tools").open_list().open_object().name("functionDeclarations").open_list();
  for (const ModelTool& tool : request.tools) {
    w.open_object().name("name").text(tool.name).name("description").text(tool.doc);
    w.name("parametersJsonSchema").json(tool.schema).close_object();
  }
  w.close_list().close_object().close_list();
  w.name("toolConfig").open_object().name("functionCallingConfig").open_object();
  w.name("mode").text(request.must_answer ? "NONE" : "AUTO").close_object().close_object();
}

void read_gemini_account(const bj::object& body, ModelCall& call) {
  call.served_model = text_at(body, "modelVersion");
  if (call.request_id.empty()) call.request_id = text_at(body, "responseId");
  const bj::object* usage = object_at(body, "usageMetadata");
  if (usage == nullptr) return;
  call.usage.input = count_at(*usage, "promptTokenCount");
  call.usage.cached = count_at(*usage, "cachedContentTokenCount");
  call.usage.thought = count_at(*usage, "thoughtsTokenCount");
  // Here the output leaves out the thoughts; where there was nothing else, it is not named.
  const std::int64_t said = count_at(*usage, "candidatesTokenCount");
  if (said >= 0 || call.usage.thought >= 0)
    call.usage.output =
        std::max<std::int64_t>(0, said) + std::max<std::int64_t>(0, call.usage.thought);
}

/// Where nothing was said, the output is left out of the account: it is none.
void count_silence(ModelCall& call) {
  if (call.usage.input >= 0 && call.usage.output < 0) call.usage.output = 0;
}

/// Sets the fault by the reason that the answer ended for.
void judge_finish(const bj::object& candidate, ModelCall& call) {
  static constexpr std::array<std::string_view, 6> kFiltered{
      "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"};
  const std::string message = text_at(candidate, "finishMessage");
  const std::string why = call.finish + (message.empty() ? "" : ": " + excerpt(message));
  if (call.finish == "MAX_TOKENS") {
    call.fault = Fault::truncated;
  } else if (std::find(kFiltered.begin(), kFiltered.end(), call.finish) != kFiltered.end()) {
    call.fault = Fault::refused;
    call.problem = fmt::format("the endpoint's filter held the answer back ({})", why);
  } else if (call.finish != "STOP" && !call.finish.empty() && says_nothing(call)) {
    // Such as MALFORMED_FUNCTION_CALL: what was said cannot be had.
    call.problem = fmt::format("nothing was said ({})", why);
  }
}

std::optional<WireError> read_gemini(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::object* candidate = first_at(body, "candidates");
  const bj::object* feedback = object_at(body, "promptFeedback");
  const std::string blocked = feedback == nullptr ? "" : text_at(*feedback, "blockReason");
  if (candidate == nullptr && blocked.empty())
    throw Error(ErrorKind::invalid, "the reply holds no candidate");
  read_gemini_account(body, call);
  if (candidate == nullptr) {
    count_silence(call);
    call.fault = Fault::refused;
    call.finish = blocked;
    call.problem = fmt::format("the endpoint refused the prompt ({})", blocked);
    return std::nullopt;
  }
  call.finish = text_at(*candidate, "finishReason");
  bool calls_tool = false;
  if (const bj::object* content = object_at(*candidate, "content"))
    for (const bj::object* part : entries_at(*content, "parts")) {
      calls_tool = calls_tool || part->contains("functionCall");
      const bj::value* thought = value_at(*part, "thought");
      (thought != nullptr && *thought == true ? call.reasoning : call.text) +=
          text_at(*part, "text");
    }
  if (call.text.empty() && call.reasoning.empty() && !calls_tool) count_silence(call);
  judge_finish(*candidate, call);
  return std::nullopt;
}

WireToolCalls read_gemini_tools(std::string_view reply) {
  WireToolCalls made;
  const JsonDocument document(std::string(reply), "");
  const auto candidates = document.root().find("candidates");
  if (!candidates || candidates->size() == 0) return made;
  const auto content = (*candidates)[0].find("content");
  const auto parts = content ? content->find("parts") : std::nullopt;
  if (!parts) return made;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const JsonNode part = (*parts)[i];
    const auto thought = part.find("thought");
    if (const auto text = part.find("text"); text && !(thought && thought->truth()))
      made.said += text->text();
    const auto call = part.find("functionCall");
    if (!call) continue;
    const auto id = call->find("id");
    const auto arguments = call->find("args");
    // Older models tell calls apart by their order alone.
    made.calls.push_back({id ? std::string(id->text()) : fmt::format("call{}", i),
                          std::string((*call)["name"].text()),
                          arguments ? arguments->write() : "{}"});
  }
  if (!made.calls.empty()) made.turn = parts->write();
  return made;
}

}  // namespace

const WireFormat& gemini_wire() {
  static constexpr WireFormat wire{.call_path = "/models/{model}:generateContent",
                                   .stream_path = "/models/{model}:streamGenerateContent?alt=sse",
                                   .models_path = "/models?pageSize=1000",
                                   .write_dialogue = &write_gemini_dialogue,
                                   .write_parameters = &write_gemini_parameters,
                                   .read = &read_gemini,
                                   .read_tools = &read_gemini_tools};
  return wire;
}

}  // namespace agon::llm
