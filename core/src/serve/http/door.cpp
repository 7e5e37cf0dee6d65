#include "http/door.hpp"

#include <algorithm>
#include <utility>

#include "http/keys.hpp"
#include "http/responses.hpp"

namespace agon::serve {
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
        "This page is for whoever started the server: open the link that 'agon serve' "
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
