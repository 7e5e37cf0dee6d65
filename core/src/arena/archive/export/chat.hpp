#pragma once

#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace agon::archive {

/// Members that the messages of a file have.
enum class ChatMembers {
  needed,  ///< role and content; of messages about tools also tool_calls or tool_call_id
  all,     ///< all four in every message, null where it has none: readers of columns need it
};

/// Appends a message as chat templates read it, as JSON: {role, content}. Calls of tools are an
/// assistant's `tool_calls`, their arguments JSON text; a result has its `tool_call_id`.
AGON_API void append_chat_message(std::string& out, const ChatMessage& message,
                                  ChatMembers members = ChatMembers::needed);

/// What the model said as such a message.
[[nodiscard]] AGON_API ChatMessage said_message(const ModelCall& call);

/// The id of the call that a message of the role kToolResult belongs to, and what it gave.
struct ToolResultText {
  std::string_view id;
  std::string_view text;
};
[[nodiscard]] ToolResultText tool_result_of(const ChatMessage& message);

/// Tools that a call offered, as a JSON list of functions ({"type": "function", "function":
/// {"name", "description", "parameters"}}), whatever the provider's form; empty without any. An
/// answer that is asked for as a tool is none.
[[nodiscard]] AGON_API std::string tools_json(const ModelCall& call);

}  // namespace agon::archive
