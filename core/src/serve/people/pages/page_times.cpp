#include "people/pages/page_times.hpp"

#include <algorithm>
#include <vector>

namespace agon::serve {
namespace {

constexpr std::size_t kFewest = 3;
/// Of the last visits to a page.
constexpr std::size_t kMostVisits = 500;

}  // namespace

void PageTimes::at(const std::string& participant, const std::string& page, std::int64_t now,
                   std::int64_t time) {
  Visit& visit = now_[participant];
  if (visit.page == page) return;
  if (!visit.page.empty()) {
    std::deque<PastVisit>& visits = before_[visit.page];
    visits.push_back({participant, now - visit.began});
    if (visits.size() > kMostVisits) visits.pop_front();
  }
  visit = {page, now, time};
}

std::int64_t PageTimes::since(const std::string& participant) const {
  const auto at = now_.find(participant);
  return at == now_.end() ? 0 : at->second.time;
}

std::optional<std::int64_t> PageTimes::usual(const std::string& participant,
                                             std::int64_t now) const {
  const auto mine = now_.find(participant);
  if (mine == now_.end()) return {};
  std::vector<std::int64_t> lasted;
  if (const auto past = before_.find(mine->second.page); past != before_.end())
    for (const PastVisit& visit : past->second)
      if (visit.participant != participant) lasted.push_back(visit.lasted);
  for (const auto& [id, visit] : now_)
    if (id != participant && visit.page == mine->second.page) lasted.push_back(now - visit.began);
  if (lasted.size() < kFewest) return {};
  const auto middle = lasted.begin() + static_cast<std::ptrdiff_t>(lasted.size() / 2);
  std::nth_element(lasted.begin(), middle, lasted.end());
  return *middle;
}

}  // namespace agon::serve
