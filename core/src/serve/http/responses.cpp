#include "http/responses.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "text/utf8.hpp"

namespace agon::serve {
namespace {

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::invalid:
      return 400;
    case ErrorKind::not_found:
      return 404;
    case ErrorKind::unfinished:
    case ErrorKind::preflight:
    case ErrorKind::budget:
      return 409;
    case ErrorKind::failure:
      return 500;
  }
  return 500;
}

/// `text` for the value of an attribute.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

}  // namespace

Response text_response(int status, std::string_view sentence) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = std::string(sentence) + "\n"};
}

Response error_response(const Error& error) {
  boost::json::object told{{"error",
                            {{"problem", text::printable(error.problem())},
                             {"where", text::printable(error.where())},
                             {"mend", text::printable(error.mend())}}}};
  return {.status = status_of(error.kind()), .body = boost::json::serialize(told)};
}

std::pair<std::string, std::string> set_cookie(const Request& asked, std::string_view name,
                                               std::string_view value, std::string_view path) {
  return {"Set-Cookie", std::string(name) + "=" + std::string(value) +
                            "; Path=" + std::string(path) + "; HttpOnly; SameSite=Strict" +
                            (asked.secure ? "; Secure" : "")};
}

Response go_on(std::string_view path) {
  const std::string there = quoted(path);
  return {.content_type = "text/html; charset=utf-8",
          .body =
              "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "<meta http-equiv=\"refresh\" content=\"0; url=" +
              there + "\"><title>Agon</title></head><body><p><a href=\"" + there +
              "\">Go on</a></p></body></html>\n"};
}

}  // namespace agon::serve
