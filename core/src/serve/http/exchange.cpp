#include "http/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/json/value.hpp>
#include <ctime>
#include <string_view>
#include <utility>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/render/render.hpp"
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
                                                   {"hint", text::printable(error.hint())}}}});
}

JsonBody::JsonBody(const Request& request) {
  boost::json::value body = json::parse(request.body, "the request");
  if (!body.is_object()) throw Error(ErrorKind::usage, "the request is no JSON object");
  members_ = std::move(body.as_object());
}

const boost::json::value* JsonBody::find(std::string_view name) const {
  return members_.if_contains(name);
}

std::string JsonBody::text(std::string_view name) const {
  const boost::json::value* value = find(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::optional<std::int64_t> JsonBody::number(std::string_view name) const {
  const boost::json::value* value = find(name);
  if (value == nullptr) return {};
  if (value->is_int64()) return value->as_int64();
  if (value->is_double() && value->as_double() >= 0 && value->as_double() < 1e15)
    return static_cast<std::int64_t>(value->as_double());
  return {};
}

bool JsonBody::flag(std::string_view name) const {
  const boost::json::value* value = find(name);
  return value != nullptr && value->is_bool() && value->as_bool();
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

namespace {

namespace http = boost::beast::http;

constexpr std::pair<std::string_view, std::string_view> kUsualHeaders[] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  return {text.data(),
          std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

}  // namespace

std::optional<std::string> head_of(const Response& response) {
  if (response.status < 200 || response.status > 599) return std::nullopt;
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\nDate: {}\r\n", response.status,
      std::string_view(http::obsolete_reason(static_cast<http::status>(response.status))), date());
  for (const auto& usual : kUsualHeaders)
    if (std::none_of(response.headers.begin(), response.headers.end(), [&](const auto& own) {
          return boost::beast::iequals(own.first, usual.first);
        }))
      head += fmt::format("{}: {}\r\n", usual.first, usual.second);
  for (const auto& [name, value] : response.headers) {
    if (!is_printable(name) || !is_printable(value)) return std::nullopt;
    head += fmt::format("{}: {}\r\n", name, value);
  }
  if (response.status != 204 && response.status != 304) {
    if (!is_printable(response.content_type)) return std::nullopt;
    head += fmt::format("Content-Type: {}\r\n", response.content_type);
  }
  return head;
}

void Router::get(std::string path, Handler handler) {
  add("GET", std::move(path), std::move(handler));
}

void Router::post(std::string path, Handler handler) {
  add("POST", std::move(path), std::move(handler));
}

void Router::add(std::string method, std::string path, Handler handler) {
  const bool all = path.ends_with("/*");
  if (all) path.pop_back();
  routes_.push_back({std::move(method), std::move(path), all, std::move(handler)});
}

void Router::handle(Exchange exchange) const {
  const Request& asked = exchange.request;
  const Route* found = nullptr;
  bool other_method = false;
  for (const Route& route : routes_) {
    if (route.all ? !asked.path.starts_with(route.path) : asked.path != route.path) continue;
    if (route.method != asked.method) {
      other_method = true;
    } else if (found == nullptr || route.path.size() > found->path.size()) {
      found = &route;
    }
  }
  if (found != nullptr) return found->handler(std::move(exchange));
  exchange.respond({.status = other_method ? 405 : 404,
                    .content_type = "text/plain; charset=utf-8",
                    .body = other_method ? "not this way\n" : "there is no such page\n"});
}

}  // namespace agon::serve
