#include "http/assets.hpp"

#include <string>

#include "http/exchange.hpp"

namespace agon::serve {

Response asset_response(const Asset& asset, const Request& asked) {
  Response response{.content_type = std::string(asset.content_type),
                    .headers = {{"ETag", std::string(asset.etag)},
                                // Kept, and asked about each time: a new version counts at once.
                                {"Cache-Control", "no-cache"}}};
  if (asked.if_none_match.find(asset.etag) != std::string::npos)
    response.status = 304;
  else
    response.body = asset.bytes;
  return response;
}

void add_assets(Router& router) {
  // Browsers ask for it on their own.
  router.get("/favicon.ico", [](const Exchange& exchange) {
    exchange.respond(asset_response(*asset("icon.svg"), exchange.request));
  });
  router.get("/assets/*", [](const Exchange& exchange) {
    const std::string_view prefix = "/assets/";
    const Asset* found = asset(std::string_view(exchange.request.path).substr(prefix.size()));
    exchange.respond(found == nullptr ? text_response(404, "there is no such file")
                                      : asset_response(*found, exchange.request));
  });
}

}  // namespace agon::serve
