#pragma once

#include <agon/agent.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agon::external {

/// Version of the protocol. It is raised when an agent written for the last one would break; new
/// kinds of messages and new members are no such change.
inline constexpr int kProtocol = 1;

// ---- what the arena says: each is one line with its line break -------------------------------

[[nodiscard]] std::string hello_line();
/// The match that all messages until the next one belong to. `options` is a JSON object.
[[nodiscard]] std::string match_line(const OwnedQuestion& question, std::string_view options);
/// Something that the seat was told, asked or has answered.
[[nodiscard]] std::string delivery_line(const Delivery& delivery);
/// `limit` is how long the answer may take; max() for no limit. `rendered`: the messages that a
/// model would be sent, JSON; empty: the agent did not ask for them.
[[nodiscard]] std::string question_line(const OwnedQuestion& question,
                                        std::chrono::milliseconds limit,
                                        std::string_view rendered = {});
/// How the match ended for the seat.
[[nodiscard]] std::string over_line(const MatchEnding& ending);
[[nodiscard]] std::string ping_line(std::string_view id);
[[nodiscard]] std::string end_line();

/// What tells a question apart from all others of its match, attempts included: "12.0".
[[nodiscard]] std::string id_of(const OwnedQuestion& question);

/// What a seat was told of its match, so that it is told everything once.
class Told {
 public:
  /// The lines of what is new in the seat's history.
  [[nodiscard]] std::string news(const SeatHistory& history);
  /// It is being asked this question, which is then no news to it.
  void asked(const OwnedQuestion& question) { numbers_.insert(question.number); }

 private:
  std::size_t told_ = 0;
  std::set<std::uint32_t> numbers_;
};

/// What writes `rendered`, for an agent that `asked`; else null. Throws Error where there is none.
[[nodiscard]] RenderQuestion renderer_of(bool asked, const AgentServices& services);
/// Sets `rendered`, if there is a `render`. What goes wrong is the reply to the question.
[[nodiscard]] std::optional<Reply> put_rendered(std::string& rendered, const RenderQuestion& render,
                                                const OwnedQuestion& question);

// ---- what an agent says ----------------------------------------------------------------------

/// What an option may be.
enum class OptionKind : std::uint8_t { boolean, integer, number, text };

/// An option that an agent declares in its hello.
struct OptionCard {
  std::string name;
  OptionKind kind = OptionKind::text;
  std::string fallback;  ///< the default, as JSON
  std::string doc{};
};

/// One message of an agent.
struct Message {
  enum class What : std::uint8_t { hello, answer, decline, failed, pong };
  What what = What::hello;
  std::string id{};  ///< of the question or the ping; empty for hello
  // hello
  std::int64_t protocol = 0;
  std::string name{};
  std::vector<OptionCard> options{};
  // answer
  std::string json{};  ///< the answer exactly as it was written; empty if there was none
  std::string thought{};
  std::optional<std::string> memo{};
  // failed
  std::string problem{};
};

/// A line that was read: a message, or what is wrong with it.
struct Reading {
  std::optional<Message> message;
  std::string problem{};  ///< a sentence without a final stop
};
[[nodiscard]] Reading read_line(std::string_view line);

/// Most bytes of an answer, a thought or a memo: a question with several of them has room in a
/// record.
inline constexpr std::size_t kLongestPart = std::size_t{1} << 20;

/// What an answer, a decline or a failure means for a question. `probe`: it is one; `who` says it,
/// for messages.
[[nodiscard]] Reply reply_of(Message message, bool probe, const std::string& who);

/// The values of an agent's options: those given (JSON by name) over the declared defaults, as a
/// JSON object. Throws Error for a name that is not declared and a value of another type.
[[nodiscard]] std::string option_values(const std::vector<OptionCard>& declared,
                                        const std::map<std::string, std::string>& given,
                                        const std::string& agent);

/// The member `name` of a JSON object that is known to be well formed, exactly as it was written;
/// empty if there is none. Of members with the same name, the last.
[[nodiscard]] std::string_view raw_member(std::string_view object, std::string_view name);

/// The beginning of a text, fit for a message.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 120);

}  // namespace agon::external
