#include "llm/provider/traffic.hpp"

#include <map>
#include <tuple>

namespace agon::llm {

void Traffic::stop(CallOutcome outcome) {
  const std::lock_guard lock(mutex_);
  stopped_ = std::move(outcome);
}
std::optional<CallOutcome> Traffic::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

std::shared_ptr<Traffic> Traffic::shared(const std::string& base_url, std::uint64_t key_hash,
                                         const std::string& model, int most_in_flight) {
  using Place = std::tuple<std::string, std::uint64_t, std::string>;
  static std::mutex mutex;
  static std::map<Place, std::weak_ptr<Traffic>> all;
  const std::lock_guard lock(mutex);
  auto& place = all[Place{base_url, key_hash, model}];
  std::shared_ptr<Traffic> traffic = place.lock();
  if (traffic == nullptr)
    place = traffic = std::make_shared<Traffic>(most_in_flight);
  else
    traffic->limiter.bound(most_in_flight);
  return traffic;
}

}  // namespace agon::llm
