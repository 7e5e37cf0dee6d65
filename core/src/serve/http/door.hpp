#pragma once

#include <agon/export.hpp>
#include <deque>
#include <mutex>
#include <string>

#include "http/bucket.hpp"
#include "http/exchange.hpp"
#include "http/router.hpp"

namespace agon::serve {

/// Lets in who has a key. A key is part of a link, "/login?key=K", and opens once; the browser that
/// used it has a cookie from then on, until it is closed or the server ends. Only digests of keys
/// and cookies are kept. Its functions may be called from any thread.
class AGON_API Door {
 public:
  /// A new key. Of those that were not used yet the last 16 open.
  [[nodiscard]] std::string new_key();
  /// Where a key opens: "/login?key=K".
  [[nodiscard]] std::string new_link() { return "/login?key=" + new_key(); }

  /// True if the browser has been let in.
  [[nodiscard]] bool may_enter(const Request& asked) const;
  /// The handler for those who were let in; all others are told how to get in. The door must
  /// outlive it.
  [[nodiscard]] Handler guard(Handler handler) const;
  /// Adds /login.
  void add_routes(Router& router);

 private:
  void log_in(const Exchange& exchange);
  [[nodiscard]] bool use(const std::string& key);

  mutable std::mutex mutex_;
  std::deque<std::string> keys_;      ///< digests, the oldest first
  std::deque<std::string> browsers_;  ///< digests of their cookies
  Buckets wrong_{20, 0.2};
};

}  // namespace agon::serve
