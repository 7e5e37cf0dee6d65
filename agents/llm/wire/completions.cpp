#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "llm/wire/call_outcome.hpp"
#include "llm/wire/formats.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

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
}

std::optional<WireError> read_completion(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::value* choices = value_at(body, "choices");
  if (choices == nullptr || !choices->is_array() || choices->get_array().empty() ||
      !choices->get_array()[0].is_object())
    throw Error(ErrorKind::invalid, "the reply holds no completion");
  const bj::object& choice = choices->get_array()[0].get_object();
  if (auto error = error_in(choice, 0)) return error;
  const bj::value* text = value_at(choice, "text");
  if (text == nullptr || !text->is_string())
    throw Error(ErrorKind::invalid,
                choice.contains("message")
                    ? "the reply is a chat completion, and a completion of text was asked for"
                    : "the reply holds no text");
  read_openai_account(body, call);
  call.text = text_at(choice, "text");
  call.finish = text_at(choice, "finish_reason");
  if (call.finish == "content_filter") {
    call.fault = Fault::refused;
    call.problem = "the endpoint's filter held the answer back";
  } else if (call.finish == "length") {
    call.fault = Fault::truncated;
  }
  return std::nullopt;
}

}  // namespace

const WireFormat& completions_wire() {
  static constexpr WireFormat wire{.call_path = "/completions",
                                   .models_path = "/models",
                                   .write_dialogue = &write_completions_dialogue,
                                   .write_parameters = &write_completions_parameters,
                                   .read = &read_completion};
  return wire;
}

}  // namespace agon::llm
