// Replies that come piece by piece, as server-sent events (WHATWG HTML, section 9.2), made whole.
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <functional>
#include <vector>

#include "llm/wire/reading.hpp"

namespace agon::llm::wire {
namespace {

namespace bj = boost::json;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Calls `each` with the data of every event, in order, until it returns false. Endpoints write
/// each event's data into one line, and not all of them an empty line behind it.
void for_each_event(std::string_view stream, const std::function<bool(std::string_view)>& each) {
  if (stream.starts_with(kByteOrderMark)) stream.remove_prefix(kByteOrderMark.size());
  while (!stream.empty()) {
    std::string_view line = stream.substr(0, stream.find('\n'));
    stream.remove_prefix(std::min(line.size() + 1, stream.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.starts_with("data:")) continue;
    line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
    if (!line.empty() && !each(line)) return;
  }
}

void append_text(bj::object& to, std::string_view name, const bj::value& text) {
  if (!text.is_string()) return;
  bj::value& member = to[name];
  if (!member.is_string()) member.emplace_string();
  member.get_string().append(text.get_string());
}

/// The element of a list that an element of a piece goes on with: the last of the same index, type
/// and id, where both say one; of texts without an index the last. Else a new one at the end.
bj::object& continued(bj::array& list, const bj::object& piece) {
  const auto agree = [&](const bj::object& one, std::string_view member) {
    const bj::value* its = value_at(one, member);
    const bj::value* own = value_at(piece, member);
    const bool is_said = its != nullptr && own != nullptr && *own != "" && *its != "";
    return !is_said || *its == *own;
  };
  const bool is_numbered = value_at(piece, "index") != nullptr;
  const std::size_t looked_at = is_numbered ? list.size() : std::min<std::size_t>(list.size(), 1);
  for (std::size_t i = 0; i < looked_at; ++i) {
    bj::object& one = list[list.size() - 1 - i].get_object();
    const bool is_alike = is_numbered ? value_at(one, "index") != nullptr && agree(one, "index")
                                      : text_at(piece, "type") == "text" && one.contains("text");
    if (is_alike && agree(one, "type") && agree(one, "id")) return one;
  }
  return list.emplace_back(bj::object()).get_object();
}

/// A reply as far as it has come: all of it once it is complete, or an error in its place.
class PartialReply {
 public:
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 protected:
  /// Nothing more is to come.
  bool fail(bj::object error) {
    whole_ = std::move(error);
    is_error_ = is_complete_ = true;
    return false;
  }

  bj::object whole_;
  bool is_complete_ = false;
  bool is_error_ = false;
};

/// A reply of OpenAI's formats, from its chunks.
class ChunkedReply : public PartialReply {
 public:
  /// False: there is no more to come.
  bool add(std::string_view data) {
    if (data == "[DONE]") {
      is_complete_ = true;
      return false;
    }
    const bj::object chunk = object_of(data);
    if (value_at(chunk, "error") != nullptr) return fail(chunk);
    for (const auto& member : chunk)
      if (member.key() != "choices" && !member.value().is_null())
        whole_[member.key()] = member.value();
    for (const bj::object* choice : entries_at(chunk, "choices"))
      if (count_at(*choice, "index") <= 0) add_choice(*choice);
    return true;
  }

  [[nodiscard]] std::string whole() && {
    if (is_error_) return bj::serialize(whole_);
    if (bj::value* calls = message_.if_contains("tool_calls"); calls && calls->is_array())
      for (bj::value& call : calls->get_array()) call.get_object().erase("index");
    if (!message_.empty() || !choice_.contains("text")) {
      choice_.erase("text");  // some have it beside the message
      message_["role"] = "assistant";
      if (!message_.contains("content")) message_["content"] = nullptr;
      choice_["message"] = std::move(message_);
    }
    choice_["index"] = 0;
    whole_["choices"] = bj::array{std::move(choice_)};
    return bj::serialize(whole_);
  }

 private:
  void add_choice(const bj::object& choice) {
    for (const auto& member : choice) {
      if (member.key() == "text")
        append_text(choice_, "text", member.value());
      else if (member.key() != "delta" && !member.value().is_null())
        choice_[member.key()] = member.value();
    }
    if (!text_at(choice, "finish_reason").empty()) is_complete_ = true;
    const bj::object* delta = object_at(choice, "delta");
    if (delta == nullptr) return;
    for (const auto& member : *delta) {
      const bj::value* known = message_.if_contains(member.key());
      if (member.value().is_array())
        add_list(member.key(), member.value().get_array());
      else if (known != nullptr && known->is_array())  // words after parts of other kinds
        add_list(member.key(), {bj::object{{"type", "text"}, {"text", member.value()}}});
      else if (member.key() != "role")
        append_text(message_, member.key(), member.value());
    }
  }

  /// Calls of tools, details of reasoning, or parts of the content.
  void add_list(std::string_view name, const bj::array& pieces) {
    bj::value& member = message_[name];
    if (member.is_string())
      member = bj::array{bj::object{{"type", "text"}, {"text", std::move(member)}}};
    if (!member.is_array()) member.emplace_array();
    for (const bj::value& piece : pieces) {
      if (!piece.is_object()) continue;
      bj::object& to = continued(member.get_array(), piece.get_object());
      for (const auto& part : piece.get_object()) {
        if (part.value().is_null()) continue;
        if (part.key() == "function" && part.value().is_object())
          add_function(to, part.value().get_object());
        else if (part.key() == "text" || part.key() == "summary" || part.key() == "data")
          append_text(to, part.key(), part.value());
        else
          set(to, part);
      }
    }
  }

  /// What is said again as an empty text stays.
  static void set(bj::object& to, const bj::key_value_pair& part) {
    const bool is_empty = part.value().is_string() && part.value().get_string().empty();
    if (!is_empty || !to.contains(part.key())) to[part.key()] = part.value();
  }

  static void add_function(bj::object& call, const bj::object& piece) {
    bj::value& function = call["function"];
    if (!function.is_object()) function.emplace_object();
    for (const auto& part : piece)
      if (part.key() == "arguments")
        append_text(function.get_object(), "arguments", part.value());
      else if (!part.value().is_null())
        set(function.get_object(), part);
  }

  bj::object choice_, message_;
};

/// A reply of Anthropic's messages, from its events.
class BlockReply : public PartialReply {
 public:
  bool add(std::string_view data) {
    const bj::object event = object_of(data);
    const std::string type = text_at(event, "type");
    if (type == "error") return fail(event);
    if (type == "message_start") {
      if (const bj::object* message = object_at(event, "message")) whole_ = *message;
    } else if (type == "content_block_start") {
      if (const bj::object* block = object_at(event, "content_block"))
        blocks_.push_back({*block, {}});
    } else if (type == "content_block_delta") {
      if (const bj::object* delta = object_at(event, "delta"); delta && !blocks_.empty())
        add_delta(*delta);
    } else if (type == "message_delta") {
      for (const char* part : {"delta", "usage"})
        if (const bj::object* members = object_at(event, part)) {
          bj::value& usage = whole_["usage"];
          if (!usage.is_object()) usage.emplace_object();
          bj::object& to = part == std::string_view("usage") ? usage.get_object() : whole_;
          for (const auto& member : *members)
            if (!member.value().is_null()) to[member.key()] = member.value();
        }
    }
    is_complete_ = type == "message_stop";
    return !is_complete_;
  }

  [[nodiscard]] std::string whole() && {
    if (is_error_) return bj::serialize(whole_);
    whole_.erase("content");
    whole_["type"] = "message";
    std::string text = bj::serialize(whole_);
    text.back() = ',';
    text += "\"content\":[";
    for (Block& block : blocks_) {
      if (text.back() != '[') text += ',';
      if (!block.input.empty()) block.members.erase("input");
      text += bj::serialize(block.members);
      if (block.input.empty()) continue;
      // Its numbers digit by digit as they came.
      text.back() = ',';
      boost::system::error_code code;
      static_cast<void>(bj::parse(block.input, code));
      text += "\"input\":" + (code ? bj::serialize(bj::string(block.input)) : block.input) + "}";
    }
    return text + "]}";
  }

 private:
  struct Block {
    bj::object members;
    std::string input;  ///< of a tool, in JSON
  };

  /// Blocks come one after the other, so that a piece belongs to the last.
  void add_delta(const bj::object& delta) {
    Block& block = blocks_.back();
    block.input += text_at(delta, "partial_json");
    for (const char* name : {"text", "thinking", "signature"})
      if (const bj::value* text = value_at(delta, name)) append_text(block.members, name, *text);
  }

  std::vector<Block> blocks_;
};

/// A reply of OpenAI's responses: the event that ends the stream has all of it.
class LastEventReply : public PartialReply {
 public:
  bool add(std::string_view data) {
    const bj::object event = object_of(data);
    const std::string type = text_at(event, "type");
    if (type == "error")
      whole_ = object_at(event, "error") != nullptr ? event : bj::object{{"error", event}};
    if (type == "response.completed" || type == "response.incomplete" || type == "response.failed")
      if (const bj::object* response = object_at(event, "response")) whole_ = *response;
    is_complete_ = !whole_.empty();
    return !is_complete_;
  }

  [[nodiscard]] std::string whole() && { return bj::serialize(whole_); }
};

/// A reply of Google's generateContent: each piece is a reply with some of its parts.
class PartsReply : public PartialReply {
 public:
  bool add(std::string_view data) {
    const bj::object chunk = object_of(data);
    if (value_at(chunk, "error") != nullptr) return fail(chunk);
    for (const auto& member : chunk)
      if (member.key() != "candidates") whole_[member.key()] = member.value();
    if (const bj::object* feedback = object_at(chunk, "promptFeedback"))
      is_complete_ = is_complete_ || !text_at(*feedback, "blockReason").empty();
    const bj::object* candidate = first_at(chunk, "candidates");
    if (candidate == nullptr) return true;
    for (const auto& member : *candidate)
      if (member.key() != "content") candidate_[member.key()] = member.value();
    if (!text_at(candidate_, "finishReason").empty()) is_complete_ = true;
    add_parts(data);
    return true;
  }

  [[nodiscard]] std::string whole() && {
    if (is_error_ || candidate_.empty()) return bj::serialize(whole_);
    candidate_["content"] = bj::object{{"role", "model"}};
    std::string candidate = bj::serialize(candidate_);
    candidate.resize(candidate.size() - 2);  // content is its last member
    std::string text = bj::serialize(whole_);
    text.pop_back();
    if (text.size() > 1) text += ',';
    return text + "\"candidates\":[" + candidate + ",\"parts\":[" + parts_ + "]}}]}";
  }

 private:
  /// Part by part and digit by digit as they came: thoughts are signed.
  void add_parts(std::string_view data) {
    const JsonDocument document(std::string(data), "");
    const auto content = document.root()["candidates"][0].find("content");
    const auto parts = content ? content->find("parts") : std::nullopt;
    if (!parts) return;
    for (std::size_t i = 0; i < parts->size(); ++i)
      parts_ += (parts_.empty() ? "" : ",") + (*parts)[i].write();
  }

  bj::object candidate_;
  std::string parts_;
};

template <class Reply>
std::string joined(std::string_view stream) {
  Reply reply;
  for_each_event(stream, [&](std::string_view data) { return reply.add(data); });
  if (!reply.is_complete()) throw Error(ErrorKind::invalid, "the stream of the reply broke off");
  return std::move(reply).whole();
}

}  // namespace

bool is_stream(std::string_view reply) {
  if (reply.starts_with(kByteOrderMark)) reply.remove_prefix(kByteOrderMark.size());
  reply.remove_prefix(std::min(reply.find_first_not_of(" \t\r\n"), reply.size()));
  for (const std::string_view begin : {"data:", "event:", "id:", "retry:", ":"})
    if (reply.starts_with(begin)) return true;
  return false;
}

std::string first_event(std::string_view stream) {
  std::string first;
  for_each_event(stream, [&](std::string_view data) {
    first = data;
    return false;
  });
  return first;
}

std::string join_stream(std::string_view stream) {
  bj::object event;
  std::string first;
  for_each_event(stream, [&](std::string_view data) {
    if (data != "[DONE]") event = object_of(data);
    first = text_at(event, "type");
    return first == "ping";
  });
  const bool is_parts = event.contains("candidates") || event.contains("promptFeedback") ||
                        event.contains("usageMetadata");
  return first == "message_start"                             ? joined<BlockReply>(stream)
         : first == "error" || first.starts_with("response.") ? joined<LastEventReply>(stream)
         : is_parts                                           ? joined<PartsReply>(stream)
                                                              : joined<ChunkedReply>(stream);
}

}  // namespace agon::llm::wire
