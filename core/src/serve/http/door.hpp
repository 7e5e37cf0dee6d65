#pragma once

#include <agon/export.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "http/exchange.hpp"

namespace agon::serve {

/// A key that nobody guesses: 192 random bits of the system, as 32 letters, digits, - and _. Throws
/// Error (failure) if the system has none.
AGON_API std::string random_key();

/// What is kept of a key: its SHA-256 as hexadecimal digits. The key has too many bits to be tried
/// out, so a plain digest keeps it.
AGON_API std::string key_digest(std::string_view key);

/// True if the texts are the same; takes as long whatever they hold.
AGON_API bool same_key(std::string_view a, std::string_view b);

/// A rate that may be exceeded for a while: a bucket holds `most` tokens and gets `per_second` of
/// them (token bucket). One for each name that asks.
class Buckets {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Buckets(double most, double per_second) : most_(most), per_second_(per_second) {}

  /// Takes a token of the bucket of that name; false if it has none.
  bool take(const std::string& name, Time now) {
    if (buckets_.size() >= kMostNames) forget(now);
    Bucket& bucket = buckets_.try_emplace(name, Bucket{most_, now}).first->second;
    fill(bucket, now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

 private:
  static constexpr std::size_t kMostNames = 8192;
  struct Bucket {
    double tokens;
    Time filled;
  };
  void fill(Bucket& bucket, Time now) const {
    const double passed = std::chrono::duration<double>(now - bucket.filled).count();
    bucket.tokens = std::min(most_, bucket.tokens + passed * per_second_);
    bucket.filled = now;
  }
  /// Those that are full are as good as new. If all are in use, somebody makes up names: then all
  /// begin again.
  void forget(Time now) {
    for (auto at = buckets_.begin(); at != buckets_.end();) {
      fill(at->second, now);
      at = at->second.tokens >= most_ ? buckets_.erase(at) : std::next(at);
    }
    if (buckets_.size() >= kMostNames) buckets_.clear();
  }
  double most_;
  double per_second_;
  std::unordered_map<std::string, Bucket> buckets_;
};

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
