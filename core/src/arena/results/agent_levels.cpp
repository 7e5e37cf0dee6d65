#include "results/agent_levels.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::report {

namespace {

/// Whether the name says this part: "llm/memory=whole,planning=none" says "planning=none".
bool named_after(std::string_view name, std::string_view part) {
  for (std::size_t at = name.find(part); at != std::string_view::npos;
       at = name.find(part, at + 1)) {
    if (at > 0 && (name[at - 1] == '/' || name[at - 1] == ',')) return true;
  }
  return false;
}

}  // namespace

AgentLevels levels_of_name(std::string_view name) {
  AgentLevels out;
  const std::size_t slash = name.find('/');
  out.family = std::string(name.substr(0, slash));
  if (slash == std::string_view::npos) return out;
  std::string_view rest = name.substr(slash + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      if (out.levels.empty()) return {std::string(name), {}};
      out.levels.back().second += "," + std::string(part);
      continue;
    }
    out.levels.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  if (out.levels.empty()) return {std::string(name), {}};
  return out;
}

std::vector<std::pair<std::string, std::string>> all_levels_of(const archive::AgentRow& row) {
  std::vector<std::pair<std::string, std::string>> all;
  const boost::json::value factors = json::parse(row.factors, "factors");
  if (!factors.is_object()) return all;
  for (const auto& member : factors.get_object())
    all.emplace_back(std::string(member.key()), member.value().is_string()
                                                    ? std::string(member.value().get_string())
                                                    : json::write(member.value()));
  return all;
}

AgentLevels levels_of(const archive::AgentRow& row) {
  const boost::json::value factors = json::parse(row.factors, "factors");
  if (!factors.is_object() || factors.get_object().empty()) return levels_of_name(row.name);
  AgentLevels out;
  out.family = row.base;
  for (const auto& [name, level] : all_levels_of(row))
    if (named_after(row.name, name + "=" + level)) out.levels.emplace_back(name, level);
  if (out.levels.empty()) out.family = row.name;
  return out;
}

}  // namespace agon::report
