#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>

namespace agon::serve {

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
  /// Those that are full are as good as new. If all are in use, somebody makes up names: all begin
  /// anew then.
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

}  // namespace agon::serve
