// Google's generateContent, as the mock server speaks it. What Google's refuses, it refuses.
#include <fmt/format.h>

#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <initializer_list>

#include "llm/mock/server.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

namespace bj = boost::json;
using namespace wire;

/// What Google says of a member that it does not know; empty: it knows all of them.
std::string unknown_in(const bj::object& object, std::initializer_list<std::string_view> known,
                       const std::string& place) {
  for (const auto& member : object)
    if (std::find(known.begin(), known.end(), std::string_view(member.key())) == known.end())
      return fmt::format("Invalid JSON payload received. Unknown name \"{}\"{}: Cannot find field.",
                         std::string_view(member.key()),
                         place.empty() ? "" : " at '" + place + "'");
  return {};
}

/// What is wrong with a turn, and otherwise its texts, appended to `text`.
std::string read_turn(const bj::object& turn, const std::string& place, std::string& text) {
  std::string wrong = unknown_in(turn, {"role", "parts"}, place);
  if (!wrong.empty()) return wrong;
  const std::string role = text_at(turn, "role");
  if (!role.empty() && role != "user" && role != "model")
    return "Please use a valid role: user, model.";
  const bj::value* parts = value_at(turn, "parts");
  if (parts == nullptr || !parts->is_array() || parts->get_array().empty())
    return "GenerateContentRequest.contents: contents is not specified";
  bool is_signed = false;
  for (const bj::value& one : parts->get_array()) {
    if (!one.is_object()) return "a part is no object";
    const bj::object& part = one.get_object();
    wrong = unknown_in(part,
                       {"text", "thought", "thoughtSignature", "functionCall", "functionResponse"},
                       place + ".parts");
    if (!wrong.empty()) return wrong;
    is_signed = is_signed || part.contains("thoughtSignature");
    if (part.contains("functionCall") && !is_signed)
      return "Function call is missing a thought_signature in functionCall parts.";
    if (const bj::object* result = object_at(part, "functionResponse");
        result != nullptr &&
        (text_at(*result, "name").empty() || object_at(*result, "response") == nullptr))
      return "GenerateContentRequest.contents.parts.function_response: name or response is missing";
    text += text_at(part, "text");
  }
  return {};
}

void read_functions(const bj::object& body, ParsedCall& call) {
  const bj::object* config = object_at(body, "toolConfig");
  if (config != nullptr) config = object_at(*config, "functionCallingConfig");
  if (config != nullptr && text_at(*config, "mode") == "NONE") return;
  for (const bj::object* tool : entries_at(body, "tools"))
    for (const bj::object* function : entries_at(*tool, "functionDeclarations")) {
      const bj::value* schema = value_at(*function, "parametersJsonSchema");
      call.tools.push_back({text_at(*function, "name"), text_at(*function, "description"),
                            schema == nullptr ? "{}" : bj::serialize(*schema)});
    }
}

}  // namespace

std::string read_gemini_call(std::string_view path, std::string_view text, ParsedCall& call) {
  const std::optional<bj::object> read = object_in(text, 64);
  if (!read) return "Invalid JSON payload received.";
  const bj::object& body = *read;
  call.wire = Spoken::gemini;
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  call.model = path.substr(0, path.find(':'));
  call.stream = path.ends_with(":streamGenerateContent");
  if (!call.stream && !path.ends_with(":generateContent")) return "There is no such method.";
  std::string wrong = unknown_in(
      body, {"contents", "systemInstruction", "generationConfig", "tools", "toolConfig"}, "");
  if (const bj::object* system = object_at(body, "systemInstruction"); system && wrong.empty()) {
    call.messages.push_back({"system", ""});
    wrong = read_turn(*system, "system_instruction", call.messages.back().text);
  }
  const bj::value* contents = value_at(body, "contents");
  if (contents == nullptr || !contents->is_array() || contents->get_array().empty())
    return wrong.empty() ? "GenerateContentRequest.contents: contents is not specified" : wrong;
  for (const bj::value& turn : contents->get_array()) {
    if (!turn.is_object() || !wrong.empty()) break;
    const bool is_model = text_at(turn.get_object(), "role") == "model";
    call.messages.push_back({is_model ? "assistant" : "user", ""});
    wrong = read_turn(turn.get_object(), "contents", call.messages.back().text);
  }
  if (const bj::object* config = object_at(body, "generationConfig"); config && wrong.empty()) {
    wrong = unknown_in(*config,
                       {"temperature", "topP", "topK", "seed", "maxOutputTokens", "stopSequences",
                        "responseMimeType", "responseJsonSchema", "thinkingConfig"},
                       "generation_config");
    call.max_tokens = std::max<std::int64_t>(0, count_at(*config, "maxOutputTokens"));
    if (const bj::value* schema = value_at(*config, "responseJsonSchema")) {
      call.schema = bj::serialize(*schema);
      if (text_at(*config, "responseMimeType") != "application/json")
        wrong = "response_json_schema needs the response mime type application/json";
    }
  }
  read_functions(body, call);
  return wrong;
}

std::string gemini_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  JsonWriter w;
  w.open_object().name("candidates").open_list().open_object();
  w.name("content").open_object().name("role").text("model").name("parts").open_list();
  bool is_first = true;
  for (const ToolCall& tool : speech.calls) {
    w.open_object().name("functionCall").open_object().name("id").text(tool.id);
    w.name("name").text(tool.name).name("args").json(tool.arguments).close_object();
    if (is_first) w.name("thoughtSignature").text("bW9jaw==");
    w.close_object();
    is_first = false;
  }
  if (speech.calls.empty() && speech.fate != Fate::empty && speech.fate != Fate::refused)
    w.open_object().name("text").text(speech.text).close_object();
  w.close_list().close_object().name("finishReason");
  w.text(speech.fate == Fate::truncated ? "MAX_TOKENS"
         : speech.fate == Fate::refused ? "SAFETY"
                                        : "STOP");
  w.name("index").number(0).close_object().close_list();
  w.name("usageMetadata").open_object().name("promptTokenCount").number(speech.usage.input);
  w.name("candidatesTokenCount").number(speech.usage.output - speech.usage.thought);
  w.name("thoughtsTokenCount").number(speech.usage.thought).close_object();
  w.name("modelVersion").text(call.model).name("responseId").text(fmt::format("mock{}", number));
  return w.close_object().take();
}

std::string gemini_stream(std::string_view text) {
  const bj::value whole = bj::parse(bj::string_view(text.data(), text.size()));
  bj::object last = whole.as_object();
  bj::object& end = last["candidates"].as_array()[0].as_object();
  const bj::array parts = end["content"].as_object()["parts"].as_array();
  end["content"].as_object()["parts"] = bj::array{bj::object{{"text", ""}}};
  std::string stream;
  const auto add = [&](const bj::value& event) {
    stream += "data: " + bj::serialize(event) + "\r\n\r\n";
  };
  const auto add_part = [&](bj::object part) {
    const bj::object content{{"role", "model"}, {"parts", bj::array{std::move(part)}}};
    add(bj::object{{"candidates", bj::array{bj::object{{"content", content}, {"index", 0}}}}});
  };
  for (const bj::value& part : parts)
    if (const bj::value* said = value_at(part.as_object(), "text"))
      for (const std::string_view piece : pieces_of(said->as_string())) add_part({{"text", piece}});
    else
      add_part(part.as_object());
  add(last);
  return stream;
}

}  // namespace agon::llm::mock
