#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "llm/http/transport.hpp"
#include "llm/wire/call_outcome.hpp"

/// Reading replies that may hold anything: nothing here throws, whatever the JSON.
namespace agon::llm::wire {

/// The text at a member; empty if there is none or it is something else.
[[nodiscard]] std::string text_at(const boost::json::object& object, std::string_view name);
/// The count at a member, also one that is written as a double; -1 if there is none or it is beyond
/// a billion.
[[nodiscard]] std::int64_t count_at(const boost::json::object& object, std::string_view name);
/// The object at a member, or null.
[[nodiscard]] const boost::json::object* object_at(const boost::json::object& object,
                                                   std::string_view name);
/// The member, or null if it is not there or is null.
[[nodiscard]] const boost::json::value* value_at(const boost::json::object& object,
                                                 std::string_view name);

/// A reply that must be a JSON object. Throws Error for any other.
[[nodiscard]] boost::json::object object_of(std::string_view reply);

/// The reply as a JSON object; nothing if it is none, and then `outcome` says what to do.
[[nodiscard]] std::optional<boost::json::object> body_of(const HttpReply& reply,
                                                         CallOutcome& outcome, ModelCall& call);

/// Puts what the model thought beside its text; true if no words remain, and the answer may be
/// elsewhere.
[[nodiscard]] bool says_nothing(ModelCall& call);

/// A message of the role kToolResult in its two parts.
struct ToolResult {
  std::string id;
  std::string text;
};
[[nodiscard]] ToolResult tool_result_in(std::string_view text);

/// The error in a reply, in whatever form; nothing if there is none.
[[nodiscard]] std::optional<WireError> error_in(const boost::json::object& body, int status);

/// The status to class an error by: that of HTTP, or, inside a reply with 200, the error's code.
[[nodiscard]] int status_of(const HttpReply& reply, const WireError& error);

/// Who served a reply that is as OpenAI's are, and what the call took.
void read_openai_account(const boost::json::object& body, ModelCall& call);

}  // namespace agon::llm::wire
