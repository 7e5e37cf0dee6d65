#include "results/backgrounds_apart.hpp"

#include <algorithm>

namespace agon::report {

Background background_of(std::int64_t focal, std::vector<std::int64_t> seats) {
  if (const auto own = std::find(seats.begin(), seats.end(), focal); own != seats.end())
    seats.erase(own);
  std::sort(seats.begin(), seats.end());
  return seats;
}

Background background_of(std::int64_t focal, const std::vector<archive::SeatRow>& seats) {
  std::vector<std::int64_t> agents;
  for (const archive::SeatRow& seat : seats) agents.push_back(seat.agent);
  return background_of(focal, std::move(agents));
}

std::string background_words(const Background& background,
                             const std::map<std::int64_t, archive::AgentRow>& agents,
                             const std::map<std::int64_t, std::string>& ends) {
  std::string words;
  for (const std::int64_t agent : background)
    words += (words.empty() ? "" : " + ") + agents.at(agent).name + ends.at(agent);
  return words;
}

void BackgroundsApart::note(const archive::MatchKey& key, std::int64_t focal,
                            Background background) {
  met_[key.scenario][focal][std::move(background)].insert(key.block);
}

/// By background, the blocks where somebody who played did not meet it.
std::map<Background, BackgroundsApart::Blocks> BackgroundsApart::unlike(const Met& met) {
  std::map<std::int64_t, Blocks> played;
  std::map<Background, Blocks> unlike;
  Blocks by_some;
  for (const auto& [agent, own] : met)
    for (const auto& [background, blocks] : own) {
      played[agent] += blocks;
      by_some += blocks;
      unlike[background];
    }
  Blocks by_all = by_some;
  for (const auto& [agent, blocks] : played) by_all &= blocks;
  for (auto& [background, blocks] : unlike) {
    for (const auto& [agent, own] : met) {
      const auto at = own.find(background);
      blocks += at == own.end() ? by_some : played[agent] - at->second;
    }
    // A block that not all played must not bring in what does not count elsewhere.
    if (boost::icl::intersects(blocks, by_all)) blocks += by_some - by_all;
  }
  return unlike;
}

void BackgroundsApart::close(std::map<std::int64_t, archive::AgentRow>& agents,
                             const std::map<std::int64_t, std::string>& ends) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> made;
  for (const auto& [scenario, met] : met_) {
    const std::map<Background, Blocks> unlike_here = unlike(met);
    for (const auto& [agent, own] : met)
      for (const auto& [background, blocks] : own) {
        const Blocks& unlike_blocks = unlike_here.at(background);
        if (!boost::icl::intersects(blocks, unlike_blocks)) continue;
        const std::string name_end =
            " (against " + background_words(background, agents, ends) + ")";
        const auto [row, is_new] = made.try_emplace({agent, name_end}, agents.rbegin()->first + 1);
        if (is_new) {
          agents.emplace(row->second, agents.at(agent));
          own_.emplace(row->second, Own{agent, name_end});
        }
        rows_.emplace(std::tuple(scenario, agent, background),
                      std::pair(row->second, unlike_blocks));
      }
  }
  met_.clear();
}

std::int64_t BackgroundsApart::row(const archive::MatchKey& key, std::int64_t focal,
                                   const Background& background) const {
  const auto at = rows_.find({key.scenario, focal, background});
  if (at == rows_.end() || !boost::icl::contains(at->second.second, key.block)) return focal;
  return at->second.first;
}

std::int64_t BackgroundsApart::agent(std::int64_t row) const {
  const auto at = own_.find(row);
  return at == own_.end() ? row : at->second.agent;
}

std::string BackgroundsApart::name_end(std::int64_t row) const {
  const auto at = own_.find(row);
  return at == own_.end() ? "" : at->second.name_end;
}

}  // namespace agon::report
