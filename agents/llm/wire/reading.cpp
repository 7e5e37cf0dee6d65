#include "llm/wire/reading.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <charconv>

namespace agon::llm::wire {
namespace bj = boost::json;

const bj::value* value_at(const bj::object& object, std::string_view name) {
  const bj::value* found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string text_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::int64_t count_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  if (found == nullptr || !found->is_number()) return -1;
  const double count = found->to_number<double>();
  return count >= 0 && count < 9e15 ? static_cast<std::int64_t>(count) : -1;
}

const bj::object* object_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

std::optional<bj::object> body_of(const HttpReply& reply, Outcome& outcome, ModelCall& call) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 128;
  bj::value value = bj::parse(reply.body, code, {}, options);
  if (!code && value.is_object()) return std::move(value.get_object());

  const std::size_t begin = reply.body.find_first_not_of(" \t\r\n");
  const bool is_html = begin != std::string::npos && reply.body[begin] == '<';
  if (reply.status >= 300) {
    // Gateways speak HTML; the status says enough.
    outcome =
        classify(reply.status, {.message = is_html ? "a page of HTML" : reply.body}, false, call);
    return {};
  }
  outcome.status = reply.status;
  if (is_html) {
    outcome.sort = Sort::configuration;
    outcome.problem = "the reply is a page of HTML, not JSON: the URL is not that of an API";
  } else {
    outcome.sort = Sort::transient;
    outcome.problem = reply.body.empty() ? "the reply is empty"
                                         : "the reply is not JSON: " + excerpt(reply.body, 80);
  }
  return {};
}

std::optional<WireError> error_in(const bj::object& body, int status) {
  const bj::value* found = value_at(body, "error");
  if (found == nullptr) {
    if (status < 400 && text_at(body, "object") != "error" && text_at(body, "type") != "error")
      return {};
    // The error is the body itself, as older servers have it.
    WireError error{.type = text_at(body, "type"),
                    .code = text_at(body, "code"),
                    .param = text_at(body, "param"),
                    .message = text_at(body, "message")};
    if (error.message.empty()) error.message = text_at(body, "detail");
    return error;
  }
  WireError error;
  if (found->is_string()) {
    error.message = std::string(found->get_string());
    return error;
  }
  if (!found->is_object()) {
    error.message = "an error without a text";
    return error;
  }
  const bj::object& o = found->get_object();
  error.type = text_at(o, "type");
  error.code = text_at(o, "code");
  if (const std::int64_t number = count_at(o, "code"); number >= 0)
    error.code = fmt::format("{}", number);
  error.param = text_at(o, "param");
  error.message = text_at(o, "message");
  if (const bj::object* details = object_at(o, "details"))
    error.detail_code = text_at(*details, "error_code");
  return error;
}

int status_of(const HttpReply& reply, const WireError& error) {
  if (reply.status >= 300) return reply.status;
  int code = 0;
  const char* end = error.code.data() + error.code.size();
  if (std::from_chars(error.code.data(), end, code).ptr == end && code >= 400 && code < 600)
    return code;
  return 0;
}

}  // namespace agon::llm::wire
