#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

/// What of the assistant's message goes back as it came: words beside the calls, and thoughts,
/// without which some endpoints refuse to go on (DeepSeek's reasoning_content, OpenRouter's
/// reasoning_details, Gemini's signatures in tool_calls). Not all servers take other members.
std::string turn_of(std::string_view reply) {
  try {
    const JsonDocument document(std::string(reply), "");
    const JsonNode message = document.root()["choices"][0]["message"];
    JsonWriter w;
    w.open_object().name("role").text("assistant");
    for (const std::string_view name :
         {"content", "reasoning_content", "reasoning_details", "tool_calls"})
      if (const auto member = message.find(name); member && member->kind() != JsonNode::Kind::null)
        w.name(name).json(member->write());
      else if (name == "content")  // some want it beside calls
        w.name(name).null();
    return w.close_object().take();
  } catch (const Error&) {
    return {};
  }
}

void write_calls(JsonWriter& w, std::string_view text) {
  if (const std::string turn = read_tool_turn(text); turn.starts_with('{')) {
    w.json(turn);
    return;
  }
  w.open_object();
  w.name("role").text("assistant").name("content").null().name("tool_calls").open_list();
  for (const ToolCall& call : read_tool_calls(text)) {
    w.open_object().name("id").text(call.id).name("type").text("function");
    w.name("function").open_object().name("name").text(call.name);
    w.name("arguments").text(call.arguments).close_object().close_object();
  }
  w.close_list().close_object();
}

void write_result(JsonWriter& w, std::string_view text) {
  const ToolResult result = read_tool_result(text);
  w.name("role").text("tool").name("tool_call_id").text(result.id);
  w.name("content").text(result.text);
}

void write_tools(JsonWriter& w, const WireRequest& request) {
  w.name("tools").open_list();
  for (const ModelTool& tool : request.tools) {
    w.open_object().name("type").text("function").name("function").open_object();
    w.name("name").text(tool.name).name("description").text(tool.doc);
    w.name("parameters").json(tool.schema).close_object().close_object();
  }
  w.close_list();
  w.name("tool_choice").text(request.must_answer ? "none" : "auto");
}

void write_openai_dialogue(JsonWriter& w, const WireRequest& request) {
  w.name("model").text(request.model).name("messages").open_list();
  for (const ChatMessage& m : request.messages) {
    if (m.role == kToolCalls) {
      write_calls(w, m.text);
      continue;
    }
    w.open_object();
    if (m.role == kToolResult)
      write_result(w, m.text);
    else
      w.name("role").text(m.role).name("content").text(m.text);
    w.close_object();
  }
  w.close_list();
}

void write_form(JsonWriter& w, const WireRequest& request) {
  w.name("response_format").open_object();
  if (request.form == WireForm::object) {
    w.name("type").text("json_object");
  } else {
    w.name("type").text("json_schema").name("json_schema").open_object();
    w.name("name").text("answer").name("strict").truth(true);
    w.name("schema").json(request.schema).close_object();
  }
  w.close_object();
}

void write_stream(JsonWriter& w, const WireRequest& request) {
  if (!request.stream) return;
  w.name("stream").truth(true);
  if (request.counts_stream)
    w.name("stream_options").open_object().name("include_usage").truth(true).close_object();
}

void write_choices(JsonWriter& w, const WireRequest& request) {
  if (request.choices > 0) w.name("n").number(request.choices);
}

void write_openai_parameters(JsonWriter& w, const WireRequest& request) {
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (request.seed) w.name("seed").number(*request.seed);
  if (request.max_tokens > 0)
    w.name(request.is_completion_limit ? "max_completion_tokens" : "max_tokens")
        .number(request.max_tokens);
  if (!request.stop.empty()) write_texts(w.name("stop"), request.stop);
  if (!request.reasoning_effort.empty()) w.name("reasoning_effort").text(request.reasoning_effort);
  write_stream(w, request);
  if (request.likely > 0)
    w.name("logprobs").truth(true).name("top_logprobs").number(request.likely);
  write_choices(w, request);
  if (request.form != WireForm::text) write_form(w, request);
  if (!request.tools.empty()) write_tools(w, request);
}

std::string reasoning_of(const bj::object& message) {
  for (const std::string_view name : {"reasoning_content", "reasoning"}) {
    std::string text = text_at(message, name);
    if (!text.empty()) return text;
  }
  std::string text;
  for (const bj::object* part : entries_at(message, "reasoning_details"))
    text += text_at(*part, "text") + text_at(*part, "summary");
  return text;
}

/// The calls of tools: their arguments are a string of JSON each, or in some servers the object
/// itself.
std::vector<ToolCall> tool_calls_in(const bj::object& message) {
  std::vector<ToolCall> all;
  for (const bj::object* made : entries_at(message, "tool_calls")) {
    const bj::object* function = object_at(*made, "function");
    if (function == nullptr) continue;
    ToolCall& call = all.emplace_back();
    call.id = text_at(*made, "id");
    call.name = text_at(*function, "name");
    if (const bj::value* arguments = value_at(*function, "arguments"))
      call.arguments =
          arguments->is_string() ? std::string(arguments->get_string()) : bj::serialize(*arguments);
  }
  return all;
}

/// Their arguments alone, as where an answer stands in them.
std::string tool_arguments(const bj::object& message) {
  std::string all;
  for (const ToolCall& call : tool_calls_in(message))
    if (!call.arguments.empty()) all += (all.empty() ? "" : "\n") + call.arguments;
  return all;
}

WireToolCalls read_openai_tools(std::string_view reply) {
  const bj::object body = object_of(reply);
  const bj::object* choice = first_at(body, "choices");
  const bj::object* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (message == nullptr) return {};
  WireToolCalls made{.calls = tool_calls_in(*message)};
  made.said = words_at(*message, "content");
  // What is no call of a function gets no result: then the calls alone go back.
  const bj::value* all = value_at(*message, "tool_calls");
  if (!made.calls.empty() && made.calls.size() == all->get_array().size())
    made.turn = turn_of(reply);
  return made;
}

std::optional<WireError> read_openai(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::object* choice = first_at(body, "choices");
  const bj::object* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (choice != nullptr)
    if (auto error = error_in(*choice, 0)) return error;
  if (message == nullptr) throw Error(ErrorKind::invalid, "the reply holds no message");

  read_openai_account(body, call);
  call.finish = text_at(*choice, "finish_reason");
  if (call.finish == "error")
    return WireError{.message = "the endpoint ended the answer with an error"};
  call.text = words_at(*message, "content");
  call.reasoning = reasoning_of(*message);

  // Where nothing but thoughts was said, the answer may be elsewhere.
  const std::string refusal = text_at(*message, "refusal");
  if (says_nothing(call)) {
    std::string other = tool_arguments(*message);
    if (other.empty()) other = refusal;
    if (!other.empty()) call.reasoning += call.text, call.text = std::move(other);
  }

  set_fault(call, refusal, "length");
  return std::nullopt;
}

/// The probability of a logarithm; 0 for what is none.
double probability_of(const bj::value* logarithm) {
  if (logarithm == nullptr || !logarithm->is_number()) return 0;
  return std::exp(std::min(0.0, logarithm->to_number<double>()));
}

/// Tokens of `content`, a list of {"token", "logprob", "top_logprobs"}.
std::vector<WireToken> tokens_in(const bj::object& logprobs) {
  std::vector<WireToken> tokens;
  for (const bj::object* entry : entries_at(logprobs, "content")) {
    WireToken& token = tokens.emplace_back();
    token.text = text_at(*entry, "token");
    token.probability = probability_of(value_at(*entry, "logprob"));
    for (const bj::object* other : entries_at(*entry, "top_logprobs"))
      token.likely.emplace_back(text_at(*other, "token"),
                                probability_of(value_at(*other, "logprob")));
  }
  return tokens;
}

/// Tokens of the lists `tokens`, `token_logprobs` and `top_logprobs`, as completions first had
/// them.
std::vector<WireToken> listed_tokens(const bj::object& lists) {
  const auto list = [&](std::string_view name) -> const bj::array& {
    static const bj::array none;
    const bj::value* found = value_at(lists, name);
    return found != nullptr && found->is_array() ? found->get_array() : none;
  };
  const bj::array &texts = list("tokens"), &own = list("token_logprobs"),
                  &top = list("top_logprobs");
  std::vector<WireToken> tokens;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    WireToken& token = tokens.emplace_back();
    if (texts[i].is_string()) token.text = texts[i].get_string();
    if (i < own.size()) token.probability = probability_of(&own[i]);
    if (i < top.size() && top[i].is_object())
      for (const auto& other : top[i].get_object())
        token.likely.emplace_back(other.key(), probability_of(&other.value()));
  }
  return tokens;
}

/// All answers of a reply in OpenAI's two formats; some servers write the tokens of completions as
/// those of chats.
std::vector<WireChoice> read_openai_choices(std::string_view reply) {
  std::vector<WireChoice> all;
  const bj::object body = object_of(reply);
  for (const bj::object* entry : entries_at(body, "choices")) {
    WireChoice& choice = all.emplace_back();
    choice.text = text_at(*entry, "text");
    if (const bj::object* message = object_at(*entry, "message"))
      if (value_at(*message, "content") != nullptr) choice.text = words_at(*message, "content");
    const bj::object* found = object_at(*entry, "logprobs");
    if (found == nullptr) continue;
    const bj::value* content = value_at(*found, "content");
    choice.tokens =
        content != nullptr && content->is_array() ? tokens_in(*found) : listed_tokens(*found);
  }
  return all;
}

}  // namespace

const WireFormat& openai_wire() {
  static constexpr WireFormat wire{.call_path = "/chat/completions",
                                   .models_path = "/models",
                                   .has_reasoning_models = true,
                                   .write_dialogue = &write_openai_dialogue,
                                   .write_parameters = &write_openai_parameters,
                                   .read = &read_openai,
                                   .read_tools = &read_openai_tools,
                                   .read_choices = &read_openai_choices};
  return wire;
}

namespace {

/// Endpoints end a completion after 16 tokens where nothing is said.
constexpr int kMostTokens = 512;

/// Who speaks, at the beginning of a line. What others wrote stands in quotes, and cannot begin
/// one.
constexpr std::string_view kUser = "User:", kAssistant = "Assistant:";

/// A model that was trained to go on with a text ends its turn by beginning another's.
constexpr std::array<std::string_view, 2> kStops{"\nUser:", "\nAssistant:"};

/// What the system says stands in front of the dialogue; the last line is the assistant's to end.
std::string plain_dialogue(std::span<const ChatMessage> messages) {
  std::string text;
  for (const ChatMessage& m : messages) {
    if (m.role != "system")
      text.append(m.role == "assistant" ? kAssistant : kUser).append(m.text.empty() ? "" : " ");
    text += m.text + "\n\n";
  }
  return text.append(kAssistant);
}

void write_completions_dialogue(JsonWriter& w, const WireRequest& request) {
  w.name("model").text(request.model).name("prompt").text(plain_dialogue(request.messages));
}

void write_completions_parameters(JsonWriter& w, const WireRequest& request) {
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (request.seed) w.name("seed").number(*request.seed);
  w.name("max_tokens").number(request.max_tokens > 0 ? request.max_tokens : kMostTokens);
  w.name("stop").open_list();
  for (const std::string_view stop : kStops) w.text(stop);
  for (const std::string& stop : request.stop) w.text(stop);
  w.close_list();
  write_stream(w, request);
  if (request.likely > 0) w.name("logprobs").number(request.likely);
  write_choices(w, request);
}

std::optional<WireError> read_completion(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::object* choice = first_at(body, "choices");
  if (choice == nullptr) throw Error(ErrorKind::invalid, "the reply holds no completion");
  if (auto error = error_in(*choice, 0)) return error;
  const bj::value* text = value_at(*choice, "text");
  if (text == nullptr || !text->is_string())
    throw Error(ErrorKind::invalid,
                choice->contains("message")
                    ? "the reply is a chat completion, and a completion of text was asked for"
                    : "the reply holds no text");
  read_openai_account(body, call);
  call.text = text_at(*choice, "text");
  call.finish = text_at(*choice, "finish_reason");
  set_fault(call, {}, "length");
  return std::nullopt;
}

}  // namespace

const WireFormat& completions_wire() {
  static constexpr WireFormat wire{.call_path = "/completions",
                                   .models_path = "/models",
                                   .write_dialogue = &write_completions_dialogue,
                                   .write_parameters = &write_completions_parameters,
                                   .read = &read_completion,
                                   .read_choices = &read_openai_choices};
  return wire;
}

}  // namespace agon::llm
