#include "meta/meta_base.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "results/agent_levels.hpp"

namespace agon::report {
namespace {

/// The model that an agent calls; empty if it calls none.
std::string model_of(const archive::AgentRow& row) {
  const boost::json::value spec = json::parse(row.spec, "spec");
  const auto member = [](const boost::json::value* of, const char* name) {
    return of != nullptr && of->is_object() ? of->get_object().if_contains(name) : nullptr;
  };
  const boost::json::value* model = member(member(&spec, "params"), "model");
  for (const char* name : {"model", "provider"}) {
    const boost::json::value* text = member(model, name);
    if (text != nullptr && text->is_string() && !text->get_string().empty())
      return std::string(text->get_string());
  }
  return {};
}

}  // namespace

std::optional<MetaAgent> meta_agent(const archive::AgentRow& row, const std::string& factor) {
  std::optional<MetaAgent> found;
  std::string others;
  for (const auto& [name, level] : all_levels_of(row)) {
    if (name == factor) {
      found.emplace().level = level;
    } else {
      others += (others.empty() ? "" : ", ") + name + " " + level;
    }
  }
  if (!found) return found;
  const bool made_by_factors = !row.base.empty() && row.base != row.name;
  if (made_by_factors)
    found->base = row.base + (others.empty() ? "" : ", " + others);
  else
    found->base = others.empty() ? model_of(row) : others;
  return found;
}

}  // namespace agon::report
