#include "archive/export/chat.hpp"

#include <agon/model/tool.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::archive {
namespace {

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

ToolResultText tool_result_of(const ChatMessage& message) {
  const std::string_view text = message.text;
  const std::size_t end = std::min(text.find('\n'), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

void append_chat_message(std::string& out, const ChatMessage& message, ChatMembers members) {
  const bool calls = message.role == kToolCalls, result = message.role == kToolResult;
  out += R"({"role":)";
  json::append_string(out, calls ? "assistant" : std::string_view(message.role));
  out += R"(,"content":)";
  json::append_string(out, calls    ? std::string_view()
                           : result ? tool_result_of(message).text
                                    : std::string_view(message.text));
  if (calls) {
    out += R"(,"tool_calls":)";
    append_tool_calls(out, message.text);
  } else if (members == ChatMembers::all) {
    out += R"(,"tool_calls":null)";
  }
  if (result) {
    out += R"(,"tool_call_id":)";
    json::append_string(out, tool_result_of(message).id);
  } else if (members == ChatMembers::all) {
    out += R"(,"tool_call_id":null)";
  }
  out += '}';
}

ChatMessage said_message(const ModelCall& call) {
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
