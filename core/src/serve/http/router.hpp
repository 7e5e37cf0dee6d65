#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

#include "http/exchange.hpp"

namespace agon::serve {

/// Which handler a path has. Made before the server starts, and then only read.
class AGON_API Router {
 public:
  /// Paths are exact, or end with / and * for all that begins so; the longest that fits wins.
  void get(std::string path, Handler handler);
  void post(std::string path, Handler handler);

  /// Calls the handler, or answers 404, or 405 where the path is known by another method.
  void handle(Exchange exchange) const;

 private:
  struct Route {
    std::string method;
    std::string path;
    bool all = false;
    Handler handler;
  };
  void add(std::string method, std::string path, Handler handler);
  std::vector<Route> routes_;
};

}  // namespace agon::serve
