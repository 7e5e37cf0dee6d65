#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "llm/wire/formats.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

constexpr int kDefaultMaxTokens = 4096;

/// The tool that a schema becomes.
constexpr std::string_view kTool = "answer";

/// Only users and the assistant speak, in turn, and a user begins; what the system says goes first.
struct Dialogue {
  std::string system;
  std::vector<ChatMessage> turns;
  bool keeps_system = false;
  std::size_t stable_turns = 0;  ///< so many come again at the front of later requests
};

Dialogue dialogue_of(std::span<const ChatMessage> messages, std::size_t stable) {
  Dialogue d;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& m = messages[i];
    if (m.role == "system" && d.turns.empty()) {
      d.system += (d.system.empty() ? "" : "\n\n") + m.text;
      d.keeps_system = i < stable;
      continue;
    }
    const std::string role = m.role == "assistant" ? "assistant" : "user";
    if (d.turns.empty() && role == "assistant") d.turns.push_back({"user", "Begin."});
    if (!d.turns.empty() && d.turns.back().role == role) {
      d.turns.back().text += "\n\n" + m.text;
      // What was stable up to its middle is not stable at its end.
      if (i >= stable && d.stable_turns == d.turns.size()) --d.stable_turns;
    } else {
      d.turns.push_back({role, m.text});
    }
    if (i < stable) d.stable_turns = d.turns.size();
  }
  if (d.turns.empty()) d.turns.push_back({"user", "Begin."});
  return d;
}

/// A text, with the mark up to which a cache is to keep the request.
void write_kept_text(JsonWriter& w, const std::string& text) {
  w.open_list().open_object().name("type").text("text").name("text").text(text);
  w.name("cache_control").open_object().name("type").text("ephemeral").close_object();
  w.close_object().close_list();
}

void write_anthropic_parameters(JsonWriter& w, const WireRequest& request) {
  w.name("max_tokens").number(request.max_tokens > 0 ? request.max_tokens : kDefaultMaxTokens);
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (!request.stop.empty()) {
    w.name("stop_sequences").open_list();
    for (const std::string& stop : request.stop) w.text(stop);
    w.close_list();
  }
  if (request.form != WireForm::schema) return;
  w.name("tools").open_list().open_object();
  w.name("name").text(kTool).name("description").text("Give your answer.");
  w.name("input_schema").json(request.schema);
  w.close_object().close_list();
  w.name("tool_choice").open_object().name("type").text("tool").name("name").text(kTool);
  w.close_object();
}

void write_anthropic_dialogue(JsonWriter& w, const WireRequest& request) {
  const Dialogue d = dialogue_of(request.messages, request.stable);
  w.name("model").text(request.model);
  if (!d.system.empty()) {
    w.name("system");
    if (d.keeps_system)
      write_kept_text(w, d.system);
    else
      w.text(d.system);
  }
  w.name("messages").open_list();
  for (std::size_t i = 0; i < d.turns.size(); ++i) {
    w.open_object().name("role").text(d.turns[i].role).name("content");
    if (i + 1 == d.stable_turns && d.turns.size() > 1)
      write_kept_text(w, d.turns[i].text);
    else
      w.text(d.turns[i].text);
    w.close_object();
  }
  w.close_list();
}

/// The input of a tool as JSON text, its numbers digit by digit as they came.
std::string tool_input(std::string_view reply, const bj::value& input, std::size_t block) {
  try {
    const JsonDocument document(std::string(reply), "");
    return document.root()["content"][block]["input"].write();
  } catch (const Error&) {
    return bj::serialize(input);
  }
}

void read_content(std::string_view reply, const bj::array& content, ModelCall& call) {
  std::string answer;  // what went into the tool for it
  std::string other;   // into tools that nobody offered
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (!content[i].is_object()) continue;
    const bj::object& block = content[i].get_object();
    const std::string type = text_at(block, "type");
    if (type == "text") {
      call.text += text_at(block, "text");
    } else if (type == "thinking") {
      call.reasoning += text_at(block, "thinking");
    } else if (type == "tool_use") {
      std::string& inputs = text_at(block, "name") == kTool ? answer : other;
      if (const bj::value* input = value_at(block, "input"))
        inputs += (inputs.empty() ? "" : "\n") + tool_input(reply, *input, i);
    }
  }
  if (answer.empty() && says_nothing(call)) answer = std::move(other);
  if (answer.empty()) return;
  // What was said beside the answer is thought.
  call.reasoning += call.text;
  call.text = std::move(answer);
}

void read_anthropic_usage(const bj::object& body, ModelCall& call) {
  const bj::object* usage = object_at(body, "usage");
  if (usage == nullptr) return;
  call.usage.output = count_at(*usage, "output_tokens");
  call.usage.input = count_at(*usage, "input_tokens");
  call.usage.cached = count_at(*usage, "cache_read_input_tokens");
  call.usage.written = count_at(*usage, "cache_creation_input_tokens");
  if (call.usage.input < 0) return;
  // Here the input leaves out what is written to or read from the cache.
  call.usage.input += std::max<std::int64_t>(0, call.usage.cached);
  call.usage.input += std::max<std::int64_t>(0, call.usage.written);
}

std::optional<WireError> read_anthropic(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (call.request_id.empty()) call.request_id = text_at(body, "request_id");
  if (auto error = error_in(body, 200)) return error;
  const bj::value* content = value_at(body, "content");
  if (content == nullptr || !content->is_array())
    throw Error(ErrorKind::invalid, "the reply holds no content");
  call.served_model = text_at(body, "model");
  if (call.request_id.empty()) call.request_id = text_at(body, "id");
  call.finish = text_at(body, "stop_reason");
  read_anthropic_usage(body, call);
  read_content(reply, content->get_array(), call);
  if (call.finish == "refusal") call.fault = Fault::refused;
  if (call.finish == "max_tokens" || call.finish == "model_context_window_exceeded")
    call.fault = Fault::truncated;
  return std::nullopt;
}

}  // namespace

const WireFormat& anthropic_wire() {
  static constexpr WireFormat wire{.call_path = "/v1/messages",
                                   .models_path = "/v1/models",
                                   .write_dialogue = &write_anthropic_dialogue,
                                   .write_parameters = &write_anthropic_parameters,
                                   .read = &read_anthropic};
  return wire;
}

}  // namespace agon::llm
