#include "report/agent_levels.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::report {

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

AgentLevels levels_of(const archive::AgentRow& row) {
  const boost::json::value factors = json::parse(row.factors, "factors");
  if (!factors.is_object() || factors.get_object().empty()) return levels_of_name(row.name);
  AgentLevels out;
  out.family = row.base;
  for (const auto& member : factors.get_object())
    out.levels.emplace_back(std::string(member.key()),
                            member.value().is_string() ? std::string(member.value().get_string())
                                                       : json::write(member.value()));
  return out;
}

}  // namespace agon::report
