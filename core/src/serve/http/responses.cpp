#include "http/responses.hpp"

#include <boost/json/value.hpp>
#include <utility>

#include "json/write.hpp"
#include "report/plot/markup.hpp"
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

}  // namespace

Response text_response(int status, std::string_view sentence) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = std::string(sentence) + "\n"};
}

Response json_response(int status, boost::json::object body) {
  return {.status = status, .body = json::write(boost::json::value(std::move(body)))};
}

Response error_response(const Error& error) {
  return json_response(status_of(error.kind()), {{"error",
                                                  {{"problem", text::printable(error.problem())},
                                                   {"where", text::printable(error.where())},
                                                   {"mend", text::printable(error.mend())}}}});
}

std::pair<std::string, std::string> set_cookie(const Request& asked, std::string_view name,
                                               std::string_view value, const CookieReach& reach) {
  std::string cookie = std::string(name) + "=" + std::string(value) + "; Path=" + reach.path;
  if (reach.lasts.count() > 0) cookie += "; Max-Age=" + std::to_string(reach.lasts.count());
  cookie += reach.behind_links ? "; HttpOnly; SameSite=Lax" : "; HttpOnly; SameSite=Strict";
  return {"Set-Cookie", cookie + (asked.secure ? "; Secure" : "")};
}

Response redirect(std::string to) {
  return {.status = 303,
          .content_type = "text/plain; charset=utf-8",
          .headers = {{"Location", std::move(to)}, {"Cache-Control", "no-store"}}};
}

Response go_on(std::string_view path) {
  const std::string there = report::markup(path);
  return {.content_type = "text/html; charset=utf-8",
          .body =
              "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "<meta http-equiv=\"refresh\" content=\"0; url=" +
              there + "\"><title>Agon</title></head><body><p><a href=\"" + there +
              "\">Go on</a></p></body></html>\n"};
}

}  // namespace agon::serve
