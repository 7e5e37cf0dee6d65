#include "http/router.hpp"

#include <utility>

namespace agon::serve {

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
