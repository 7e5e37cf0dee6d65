#include "llm/provider/breaker.hpp"

namespace agon::llm {

bool Breaker::admits(Clock::Time now) {
  const std::lock_guard lock(mutex_);
  if (!is_open_) return true;
  if (now < closed_until_) return false;
  closed_until_ = now + kPause;  // this call is the one that looks
  return true;
}

void Breaker::recovered() {
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  is_open_ = false;
  signature_.clear();
}

void Breaker::failed(const std::string& signature, Clock::Time now) {
  const std::lock_guard lock(mutex_);
  if (failures_ == 0 || signature != signature_) {
    signature_ = signature;
    failures_ = 0;
    first_ = now;
    is_open_ = false;
  }
  ++failures_;
  // A thousand calls in flight fail at once in one hiccup: it takes time, too.
  if (!is_open_ && failures_ >= kFailures && now - first_ >= kPatience) {
    is_open_ = true;
    closed_until_ = now + kPause;
  }
}

std::string Breaker::signature() const {
  const std::lock_guard lock(mutex_);
  return signature_;
}

}  // namespace agon::llm
