#include "http/door.hpp"

#include <sys/random.h>

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "http/exchange.hpp"
#include "text/hash.hpp"

namespace agon::serve {

std::string random_key() {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::uint8_t, 32> bytes{};
  // As few bytes are given whole or not at all.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorKind::failure, "the system gives no random numbers");
  std::string key;
  for (const std::uint8_t byte : bytes) key += kLetters[byte % kLetters.size()];
  return key;
}

std::string key_digest(std::string_view key) {
  return hash::hex(hash::sha256(key));
}

bool same_key(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differs == 0;
}

namespace {

constexpr std::size_t kMostKeys = 16;
constexpr std::size_t kMostBrowsers = 64;

/// Cookies are sent to all ports of a machine, so each server has one of its own.
std::string cookie_name(const Request& asked) {
  return "agon-" + std::to_string(asked.port);
}

/// Looks at all of them, so that the time it takes tells nothing.
auto find_key(std::deque<std::string>& digests, const std::string& digest) {
  auto found = digests.end();
  for (auto at = digests.begin(); at != digests.end(); ++at)
    if (same_key(*at, digest)) found = at;
  return found;
}

void add_key(std::deque<std::string>& digests, const std::string& key, std::size_t most) {
  digests.push_back(key_digest(key));
  if (digests.size() > most) digests.pop_front();
}

}  // namespace

std::string Door::new_key() {
  std::string key = random_key();
  const std::lock_guard lock(mutex_);
  add_key(keys_, key, kMostKeys);
  return key;
}

bool Door::may_enter(const Request& asked) const {
  const auto cookie = asked.cookies.find(cookie_name(asked));
  if (cookie == asked.cookies.end()) return false;
  const std::string digest = key_digest(cookie->second);
  const std::lock_guard lock(mutex_);
  return std::count_if(browsers_.begin(), browsers_.end(),
                       [&](const std::string& known) { return same_key(known, digest); }) > 0;
}

Handler Door::guard(Handler handler) const {
  return [this, handler = std::move(handler)](Exchange exchange) {
    if (may_enter(exchange.request)) return handler(std::move(exchange));
    exchange.respond(text_response(
        403,
        "This page is for the person who started the server: open the link that 'agon serve' "
        "printed. It opens once; when it was used, start the server again for a new one, or "
        "make one in a browser that is in."));
  };
}

void Door::add_routes(Router& router) {
  router.get("/login", [this](const Exchange& exchange) { log_in(exchange); });
}

bool Door::use(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = find_key(keys_, key_digest(key));
  if (found == keys_.end()) return false;
  keys_.erase(found);
  return true;
}

void Door::log_in(const Exchange& exchange) {
  const Request& asked = exchange.request;
  // The link may be opened again by the browser that used it.
  if (may_enter(asked)) return exchange.respond(go_on("/"));
  const auto key = asked.query.find("key");
  if (key != asked.query.end() && use(key->second)) {
    const std::string cookie = random_key();
    {
      const std::lock_guard lock(mutex_);
      add_key(browsers_, cookie, kMostBrowsers);
    }
    Response in = go_on("/");
    in.headers.push_back(set_cookie(asked, cookie_name(asked), cookie, {}));
    return exchange.respond(std::move(in));
  }
  bool often = false;
  {
    const std::lock_guard lock(mutex_);
    often = !wrong_.take(asked.peer, Buckets::Time::clock::now());
  }
  if (often) {
    Response refused = text_response(429, "too many wrong keys; wait a moment");
    refused.headers.emplace_back("Retry-After", "5");
    return exchange.respond(std::move(refused));
  }
  exchange.respond(text_response(
      403,
      "This link opens nothing: it was used already, or is of a server that has ended. A "
      "new one is printed when 'agon serve' starts."));
}

}  // namespace agon::serve
