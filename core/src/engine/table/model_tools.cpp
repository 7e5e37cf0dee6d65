#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <agon/model/tool.hpp>
#include <optional>

namespace agon {
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

std::string write_tool_calls(const std::vector<ToolCall>& calls) {
  JsonWriter json;
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
  return json.close_list().take();
}

std::vector<ToolCall> read_tool_calls(std::string_view text) {
  std::vector<ToolCall> calls;
  try {
    const JsonDocument document(std::string(text), "");
    for (std::size_t i = 0; i < document.root().size(); ++i) {
      const JsonNode call = document.root()[i];
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

}  // namespace agon
