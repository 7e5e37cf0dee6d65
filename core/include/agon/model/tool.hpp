#pragma once

#include <agon/export.hpp>
#include <agon/model/kit.hpp>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Tools that a model may call before it answers. In the dialogue and on record a round of calls is
/// a message of the role kToolCalls, whose text is a JSON list of ToolCall, or an object of such
/// `calls` and the `turn` that they are of, followed by a message of the role kToolResult for each:
/// the id of the call on the first line, below it what it gave.
namespace agon {

/// A tool as a model is told of it.
struct ModelTool {
  std::string name;    ///< letters, digits and underscores; not "answer"
  std::string doc;     ///< what it does, in a sentence or two
  std::string schema;  ///< JSON Schema of its arguments, whose root is an object
};

/// A call of a tool, as the model made it.
struct ToolCall {
  std::string id;         ///< by which the result is told to belong to it
  std::string name;       ///< of the tool; may be one that is not there
  std::string arguments;  ///< meant to be a JSON object; may be anything
};

/// What came of a call of a tool.
struct ToolResult {
  std::string_view id;    ///< of the call
  std::string_view text;  ///< what it gave
};

/// Bytes of a tool's result that a model is shown where nothing else is set.
inline constexpr std::size_t kLongestToolResult = 16000;
/// Role of a message that holds what a model asks of tools, and the `finish` of its call.
inline constexpr std::string_view kToolCalls = "tool_calls";
/// Role of a message that holds what came of one of them.
inline constexpr std::string_view kToolResult = "tool";

/// Calls as the text of a message of the role kToolCalls. `turn`: JSON of all that the model said
/// with them, as its endpoint wants it back; empty: it wants the calls alone.
[[nodiscard]] AGON_API std::string write_tool_calls(const std::vector<ToolCall>& calls,
                                                    std::string_view turn = {});
/// The other way round; empty for a text that is none.
[[nodiscard]] AGON_API std::vector<ToolCall> read_tool_calls(std::string_view text);
/// The turn that such a text holds; empty: none.
[[nodiscard]] AGON_API std::string read_tool_turn(std::string_view text);
/// The text of a message of the role kToolResult in its two parts, which live as long as it.
[[nodiscard]] AGON_API ToolResult read_tool_result(std::string_view text);

}  // namespace agon
