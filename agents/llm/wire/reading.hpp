#pragma once

#include <agon/model/provider.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/http/transport.hpp"

namespace agon::llm {

/// What one try of a call came to, whatever the wire format.
enum class Sort : std::uint8_t {
  answered,       ///< the model spoke; the call's fault says how it went
  rate_limited,   ///< too much at once: wait, and ask for less at a time
  out_of_money,   ///< nothing more on this account: the run stops
  transient,      ///< may well work the next time
  loading,        ///< the server is there and its model not yet
  unsupported,    ///< the endpoint does not know `parameter`: it can be left out
  rejected,       ///< this request will never work; others may
  configuration,  ///< no request will: wrong key, wrong URL, unknown model
};

struct CallOutcome {
  Sort sort = Sort::answered;
  int status = 0;                          ///< of HTTP
  std::optional<double> retry_after_ms{};  ///< as the endpoint wishes
  std::string parameter{};                 ///< of `unsupported`, as it is called on the wire
  std::string problem{};                   ///< what to tell people
  /// Of `configuration`: the endpoint says so in its own words. Else it may have been something on
  /// the way to it, such as a page of a content network.
  bool is_plain = true;
  /// Of `configuration`: it is a setting of this model that is not taken; others may ask otherwise.
  bool is_setting = false;
  bool is_slow = false;  ///< of `transient`: it was reached, and nothing came in time
};

/// What is to be done about an error. `status` is that of HTTP; of an error inside a reply with
/// status 200, its code where that is a number, else 0. `is_structured`: the request asked for
/// structured output. A refusal sets `call`'s fault and is `answered`, as is a prompt that is too
/// long (`finish` "context_length", fault truncated).
[[nodiscard]] CallOutcome classify(int status, const WireError& error, bool is_structured,
                                   ModelCall& call);

/// Part of an outside text, short, on one line and without keys, for messages.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t length = 200);

}  // namespace agon::llm

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
/// The objects in the list at a member; none if there is none or it is something else.
[[nodiscard]] std::vector<const boost::json::object*> entries_at(const boost::json::object& object,
                                                                 std::string_view name);
/// What such a list begins with; null if that is no object, or if there is no list.
[[nodiscard]] const boost::json::object* first_at(const boost::json::object& object,
                                                  std::string_view name);
/// The text at a member; where the member is a list of parts, the texts of these.
[[nodiscard]] std::string words_at(const boost::json::object& object, std::string_view name);
/// The member, or null if it is not there or is null.
[[nodiscard]] const boost::json::value* value_at(const boost::json::object& object,
                                                 std::string_view name);

/// How deep replies are, at most.
inline constexpr std::size_t kDeepest = 128;

/// Whether there are only letters, digits, hyphens and underscores in a name.
[[nodiscard]] bool is_plain(std::string_view name);

/// A JSON object at most so deep; nothing for any other text.
[[nodiscard]] std::optional<boost::json::object> object_in(std::string_view text,
                                                           std::size_t deepest = kDeepest);
/// A reply that must be a JSON object. Throws Error for any other.
[[nodiscard]] boost::json::object object_of(std::string_view reply);

/// The reply as a JSON object; nothing if it is none, and then `outcome` says what to do.
[[nodiscard]] std::optional<boost::json::object> body_of(const HttpReply& reply,
                                                         CallOutcome& outcome, ModelCall& call);

/// The JSON of a reply's member, digit by digit as it came; empty if it cannot be had.
[[nodiscard]] std::string json_at(std::string_view reply, std::string_view member);

/// Sets the fault of an answer that was refused, in these words if there are some, or by the
/// endpoint's filter (`finish` "content_filter"), or that was cut (`finish` is `cut`).
void set_fault(ModelCall& call, const std::string& refusal, std::string_view cut);

/// Whether a reply came piece by piece, as server-sent events.
[[nodiscard]] bool is_stream(std::string_view reply);
/// The data of the first event of such a stream; empty if there is none. Of a reply with the status
/// of an error this is the error.
[[nodiscard]] std::string first_event(std::string_view stream);
/// The reply that such a stream is of, as its endpoint would have sent it in one piece; an error
/// where that stands in it. Throws Error for a stream that broke off.
[[nodiscard]] std::string join_stream(std::string_view stream);

/// Puts what the model thought beside its text; true if no words remain, and the answer may be
/// elsewhere.
[[nodiscard]] bool says_nothing(ModelCall& call);

/// The error in a reply, in whatever form; nothing if there is none.
[[nodiscard]] std::optional<WireError> error_in(const boost::json::object& body, int status);

/// The status to class an error by: that of HTTP, or, inside a reply with 200, the error's code.
[[nodiscard]] int status_of(const HttpReply& reply, const WireError& error);

/// Who served a reply that is as OpenAI's are, and what the call took.
void read_openai_account(const boost::json::object& body, ModelCall& call);

}  // namespace agon::llm::wire
