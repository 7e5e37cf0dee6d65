#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "llm/wire/call_outcome.hpp"
#include "llm/wire/formats.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

void write_openai_dialogue(JsonWriter& w, const WireRequest& request) {
  w.name("model").text(request.model).name("messages").open_list();
  for (const ChatMessage& m : request.messages)
    w.open_object().name("role").text(m.role).name("content").text(m.text).close_object();
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

void write_openai_parameters(JsonWriter& w, const WireRequest& request) {
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (request.seed) w.name("seed").number(*request.seed);
  if (request.max_tokens > 0)
    w.name(request.is_completion_limit ? "max_completion_tokens" : "max_tokens")
        .number(request.max_tokens);
  if (!request.stop.empty()) {
    w.name("stop").open_list();
    for (const std::string& stop : request.stop) w.text(stop);
    w.close_list();
  }
  if (!request.reasoning_effort.empty()) w.name("reasoning_effort").text(request.reasoning_effort);
  if (request.form != WireForm::text) write_form(w, request);
}

/// The text of a content that is a string or a list of parts.
std::string content_text(const bj::value& content) {
  if (content.is_string()) return std::string(content.get_string());
  std::string text;
  if (!content.is_array()) return text;
  for (const bj::value& part : content.get_array())
    if (part.is_object()) text += text_at(part.get_object(), "text");
  return text;
}

std::string reasoning_of(const bj::object& message) {
  for (const std::string_view name : {"reasoning_content", "reasoning"}) {
    std::string text = text_at(message, name);
    if (!text.empty()) return text;
  }
  std::string text;
  const bj::value* details = value_at(message, "reasoning_details");
  if (details != nullptr && details->is_array())
    for (const bj::value& part : details->get_array())
      if (part.is_object()) {
        text += text_at(part.get_object(), "text");
        text += text_at(part.get_object(), "summary");
      }
  return text;
}

/// The arguments of the tool calls: a string of JSON each, or in some servers the object itself.
std::string tool_arguments(const bj::object& message) {
  std::string all;
  const bj::value* calls = value_at(message, "tool_calls");
  if (calls == nullptr || !calls->is_array()) return all;
  for (const bj::value& made : calls->get_array()) {
    const bj::object* function =
        made.is_object() ? object_at(made.get_object(), "function") : nullptr;
    const bj::value* arguments = function == nullptr ? nullptr : value_at(*function, "arguments");
    if (arguments == nullptr) continue;
    all += (all.empty() ? "" : "\n");
    all +=
        arguments->is_string() ? std::string(arguments->get_string()) : bj::serialize(*arguments);
  }
  return all;
}

std::optional<WireError> read_openai(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::value* choices = value_at(body, "choices");
  const bj::object* choice = nullptr;
  if (choices != nullptr && choices->is_array() && !choices->get_array().empty() &&
      choices->get_array()[0].is_object())
    choice = &choices->get_array()[0].get_object();
  const bj::object* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (choice != nullptr)
    if (auto error = error_in(*choice, 0)) return error;
  if (message == nullptr) throw Error(ErrorKind::invalid, "the reply holds no message");

  read_openai_account(body, call);
  call.finish = text_at(*choice, "finish_reason");
  if (call.finish == "error")
    return WireError{.message = "the endpoint ended the answer with an error"};
  if (const bj::value* content = value_at(*message, "content")) call.text = content_text(*content);
  call.reasoning = reasoning_of(*message);

  // Where nothing but thoughts was said, the answer may be elsewhere.
  const std::string refusal = text_at(*message, "refusal");
  if (says_nothing(call)) {
    std::string other = tool_arguments(*message);
    if (other.empty()) other = refusal;
    if (!other.empty()) call.reasoning += call.text, call.text = std::move(other);
  }

  if (!refusal.empty()) {
    call.fault = Fault::refused;
    call.problem = "an answer was refused: " + excerpt(refusal);
  } else if (call.finish == "content_filter") {
    call.fault = Fault::refused;
    call.problem = "the endpoint's filter held the answer back";
  } else if (call.finish == "length") {
    call.fault = Fault::truncated;
  }
  return std::nullopt;
}

}  // namespace

const WireFormat& openai_wire() {
  static constexpr WireFormat wire{.call_path = "/chat/completions",
                                   .models_path = "/models",
                                   .has_reasoning_models = true,
                                   .write_dialogue = &write_openai_dialogue,
                                   .write_parameters = &write_openai_parameters,
                                   .read = &read_openai};
  return wire;
}

}  // namespace agon::llm
