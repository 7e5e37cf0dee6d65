#include "suite/line_ups.hpp"

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <boost/json/array.hpp>

#include "suite/suite_text.hpp"
#include "text/nearest.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

constexpr std::string_view kKinds[] = {"focal", "round_robin", "gauntlet", "fixed"};

/// `*` in a pattern stands for any run of characters.
bool matches_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i)
      if (matches_pattern(pattern.substr(1), name.substr(i))) return true;
    return false;
  }
  return !name.empty() && name.front() == pattern.front() &&
         matches_pattern(pattern.substr(1), name.substr(1));
}

}  // namespace

std::vector<int> DesignReader::agents(const bj::value& v, const json::Path& path) const {
  std::vector<std::string> patterns;
  if (v.is_string()) {
    patterns.push_back(suite_.text(v, path));
  } else {
    if (!v.is_array()) suite_.fail("must be an agent's name or a list of names", path);
    for (std::size_t i = 0; i < v.get_array().size(); ++i)
      patterns.push_back(suite_.text(v.get_array()[i], path[i]));
  }
  std::vector<int> found;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      if (!matches_pattern(pattern, names_[a])) continue;
      any = true;
      if (std::find(found.begin(), found.end(), static_cast<int>(a)) == found.end() ||
          pattern.find('*') == std::string::npos)
        found.push_back(static_cast<int>(a));
    }
    if (!any)
      suite_.fail("there is no agent '" + pattern + "'" + text::did_you_mean(pattern, names_),
                  path);
  }
  return found;
}

void DesignReader::check(const bj::object& d, const json::Path& path, bool whole) const {
  suite_.known(d, path,
               {"focal", "field", "round_robin", "gauntlet", "against", "fixed", "seats", "blocks",
                "repeats"});
  int kinds = 0;
  for (const std::string_view kind : kKinds) kinds += d.contains(kind) ? 1 : 0;
  if (kinds > 1) suite_.fail("a design is one of focal, round_robin, gauntlet and fixed", path);
  if (whole && kinds == 0 && !d.contains("seats") && !d.contains("blocks") &&
      !d.contains("repeats") && !d.empty())
    suite_.fail("a design needs one of focal, round_robin, gauntlet and fixed", path);
  if (d.contains("field") && !d.contains("focal"))
    suite_.fail("goes with focal only", path / "field");
  if (d.contains("against") && !d.contains("gauntlet"))
    suite_.fail("goes with gauntlet only", path / "against");
  if (d.contains("focal") && !d.contains("field"))
    suite_.fail("focal agents need a field to play in", path, "add \"field\": \"reference\"");
}

bj::object DesignReader::merged(bj::object design, const bj::object& own,
                                const json::Path& own_path, json::Path& path) const {
  check(own, own_path, false);
  if (std::any_of(std::begin(kKinds), std::end(kKinds),
                  [&](std::string_view kind) { return own.contains(kind); })) {
    for (const char* key : {"focal", "field", "round_robin", "gauntlet", "against", "fixed"})
      design.erase(key);
    path = own_path;
  }
  for (const auto& entry : own) design[entry.key()] = entry.value();
  return design;
}

LineUpDesign DesignReader::read(const bj::object& d, const json::Path& path) const {
  LineUpDesign design;
  if (const bj::value* focal = d.if_contains("focal")) {
    design.kind = LineUpDesign::Kind::focal;
    design.focal = agents(*focal, path / "focal");
    design.field = agents(d.at("field"), path / "field");
  } else if (const bj::value* challengers = d.if_contains("gauntlet")) {
    design.kind = LineUpDesign::Kind::gauntlet;
    design.focal = agents(*challengers, path / "gauntlet");
    if (const bj::value* others = d.if_contains("against"))
      design.agents = agents(*others, path / "against");
  } else if (const bj::value* fixed = d.if_contains("fixed")) {
    design.kind = LineUpDesign::Kind::fixed;
    if (!fixed->is_array() || fixed->get_array().empty())
      suite_.fail("must be a list of line-ups, each a list of agents", path / "fixed");
    for (std::size_t i = 0; i < fixed->get_array().size(); ++i)
      design.lists.push_back(agents(fixed->get_array()[i], (path / "fixed")[i]));
  } else {
    const bj::value* all = d.if_contains("round_robin");
    if (all != nullptr && !all->is_bool()) {
      design.agents = agents(*all, path / "round_robin");
    } else {
      if (all != nullptr && !all->get_bool())
        suite_.fail("must be true or a list of agents", path / "round_robin");
      for (std::size_t a = 0; a < names_.size(); ++a) design.agents.push_back(static_cast<int>(a));
    }
  }
  return design;
}

std::vector<design::LineUp> line_ups(const LineUpDesign& d, const std::vector<AgentSpec>& agents,
                                     int seats, const Game& game, bool in_order) {
  // The design functions count over the names of those who take part: indices are translated forth
  // and back.
  std::vector<int> part;
  const auto take = [&](const std::vector<int>& more) {
    for (const int a : more)
      if (std::find(part.begin(), part.end(), a) == part.end()) part.push_back(a);
  };
  take(d.focal);
  take(d.field);
  take(d.agents);
  for (const auto& list : d.lists) take(list);
  if (d.kind == LineUpDesign::Kind::gauntlet && d.agents.empty())
    for (std::size_t a = 0; a < agents.size(); ++a) take({static_cast<int>(a)});
  std::vector<std::string> part_names;
  for (const int a : part) {
    const AgentSpec& agent = agents[static_cast<std::size_t>(a)];
    part_names.push_back(agent.name());
    if (agent.in(game.id) != nullptr) continue;
    const std::string why = agent.why_not(game.id);
    throw Error(ErrorKind::invalid,
                "agent '" + agent.name() + "' does not play " + std::string(game.id) +
                    (why.empty() ? "" : ": " + why),
                "",
                why.empty() ? "give its \"rule\" a strategy for this game, or leave it out of the "
                              "scenario's design"
                            : "leave it out of the scenario's design");
  }
  const auto local = [&](const std::vector<int>& list) {
    std::vector<int> out;
    for (const int a : list)
      out.push_back(static_cast<int>(std::find(part.begin(), part.end(), a) - part.begin()));
    return out;
  };
  std::vector<design::LineUp> made;
  switch (d.kind) {
    case LineUpDesign::Kind::focal:
      made = design::focal_in_field(part_names, local(d.focal), local(d.field), seats);
      break;
    case LineUpDesign::Kind::gauntlet:
      made = design::gauntlet(part_names, local(d.focal), seats);
      break;
    case LineUpDesign::Kind::fixed: {
      std::vector<std::vector<int>> lists;
      for (const auto& list : d.lists) lists.push_back(local(list));
      made = design::fixed(part_names, lists, seats, in_order);
      break;
    }
    case LineUpDesign::Kind::round_robin:
      made = design::round_robin(part_names, seats);
      break;
  }
  for (design::LineUp& l : made) {
    for (int& a : l.agents) a = part[static_cast<std::size_t>(a)];
    if (l.focal >= 0) l.focal = part[static_cast<std::size_t>(l.focal)];
  }
  return made;
}

}  // namespace agon
