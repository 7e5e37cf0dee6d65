#include "results/backgrounds_apart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace agon::report {
namespace {

/// Whom an agent of this name met, by the label of the line-up, which begins with the agent that it
/// is about; empty if nobody.
std::string_view background(std::string_view line_up, std::string_view name) {
  constexpr std::string_view joint = " + ";
  if (!line_up.starts_with(name)) return {};
  line_up.remove_prefix(name.size());
  if (!line_up.starts_with(joint)) return {};
  return line_up.substr(joint.size());
}

std::string name_end_of(const std::set<std::string>& backgrounds) {
  constexpr std::size_t most = 3;
  const auto end = std::next(backgrounds.begin(),
                             static_cast<std::ptrdiff_t>(std::min(most, backgrounds.size())));
  std::string text = fmt::format(" (against {}", fmt::join(backgrounds.begin(), end, " or "));
  if (backgrounds.size() > most) text += fmt::format(" or {} more", backgrounds.size() - most);
  return text + ")";
}

}  // namespace

void BackgroundsApart::note(const archive::MatchKey& key, std::int64_t focal,
                            const std::string& name) {
  names_.try_emplace(focal, name);
  met_[key.scenario][focal].emplace(background(key.line_up, name));
}

void BackgroundsApart::close(std::map<std::int64_t, archive::AgentRow>& agents) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> made;
  for (const auto& [scenario, met] : met_) {
    Met of_all = met.begin()->second;
    for (const auto& [agent, own] : met)
      std::erase_if(of_all, [&](const std::string& other) { return !own.contains(other); });
    for (const auto& [agent, own] : met) {
      Met others;
      std::set_difference(own.begin(), own.end(), of_all.begin(), of_all.end(),
                          std::inserter(others, others.end()));
      if (others.empty()) continue;
      const std::string name_end = name_end_of(others);
      const auto [row, is_new] = made.try_emplace({agent, name_end}, agents.rbegin()->first + 1);
      if (is_new) {
        agents.emplace(row->second, agents.at(agent));
        own_.emplace(row->second, Own{agent, name_end});
      }
      for (const std::string& other : others) rows_[{scenario, agent, other}] = row->second;
    }
  }
}

std::int64_t BackgroundsApart::row(const archive::MatchKey& key, std::int64_t focal) const {
  if (rows_.empty()) return focal;
  const auto name = names_.find(focal);
  if (name == names_.end()) return focal;
  const auto at =
      rows_.find({key.scenario, focal, std::string(background(key.line_up, name->second))});
  return at == rows_.end() ? focal : at->second;
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
