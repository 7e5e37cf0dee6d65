#include "suite/scenario/scenario.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>

#include "describe/file_text.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

/// `*` in a pattern stands for any run of characters. Only the last `*` that was met is ever tried
/// again, since an earlier one can gain nothing: time grows with pattern times name at most.
bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos;  // the last one met
  std::size_t end_of_run = 0;                 // of the characters that it stands for
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      end_of_run = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++end_of_run;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

std::vector<int> DesignReader::agents(const suite_file::Names& names,
                                      const json::Path& path) const {
  std::vector<int> found;
  const auto add = [&](const std::string& pattern, const json::Path& place) {
    bool any = false;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      if (!matches_pattern(pattern, names_[a])) continue;
      any = true;
      if (std::find(found.begin(), found.end(), static_cast<int>(a)) == found.end() ||
          pattern.find('*') == std::string::npos)
        found.push_back(static_cast<int>(a));
    }
    if (!any)
      suite_.fail("unknown agent '" + pattern + "'" + text::did_you_mean(pattern, names_), place);
  };
  if (const auto* name = std::get_if<std::string>(&names)) {
    add(*name, path);
  } else {
    const auto& list = std::get<std::vector<std::string>>(names);
    for (std::size_t i = 0; i < list.size(); ++i) add(list[i], path[i]);
  }
  return found;
}

void DesignReader::check(const suite_file::Design& d, const json::Path& path, bool whole) const {
  const int kinds = d.focal.has_value() + d.round_robin.has_value() + d.gauntlet.has_value() +
                    d.fixed.has_value();
  if (kinds > 1)
    suite_.fail("a design takes only one of focal, round_robin, gauntlet and fixed", path);
  if (whole && kinds == 0 && !d.seat_rotation && !d.blocks && !d.repeats &&
      (d.background || d.opponents))
    suite_.fail("missing design; expected focal, round_robin, gauntlet or fixed", path);
  if (d.background && !d.focal) suite_.fail("'background' requires 'focal'", path / "background");
  if (d.opponents && !d.gauntlet)
    suite_.fail("'opponents' requires 'gauntlet'", path / "opponents");
  if (d.focal && !d.background)
    suite_.fail("'focal' requires 'background'", path, "add \"background\": \"reference\"");
}

suite_file::Design DesignReader::merged(const suite_file::Design& design,
                                        const suite_file::Design& own, const json::Path& own_path,
                                        json::Path& path) const {
  check(own, own_path, false);
  const bool other = own.focal || own.round_robin || own.gauntlet || own.fixed;
  if (other) path = own_path;
  suite_file::Design merged = other ? own : design;
  merged.seat_rotation = own.seat_rotation ? own.seat_rotation : design.seat_rotation;
  merged.blocks = own.blocks ? own.blocks : design.blocks;
  merged.repeats = own.repeats ? own.repeats : design.repeats;
  return merged;
}

LineUpDesign DesignReader::read(const suite_file::Design& d, const json::Path& path) const {
  LineUpDesign design;
  if (d.focal) {
    design.kind = LineUpDesign::DesignKind::focal;
    design.focal = agents(*d.focal, path / "focal");
    design.field = agents(*d.background, path / "background");
  } else if (d.gauntlet) {
    design.kind = LineUpDesign::DesignKind::gauntlet;
    design.focal = agents(*d.gauntlet, path / "gauntlet");
    if (d.opponents) design.agents = agents(*d.opponents, path / "opponents");
  } else if (d.fixed) {
    design.kind = LineUpDesign::DesignKind::fixed;
    for (std::size_t i = 0; i < d.fixed->size(); ++i)
      design.lists.push_back(agents((*d.fixed)[i], (path / "fixed")[i]));
  } else {
    suite_file::Names everybody = "*";
    if (d.round_robin) {
      if (const bool* all = std::get_if<bool>(&*d.round_robin)) {
        if (!*all) suite_.fail("must be true or a list of agents", path / "round_robin");
      } else if (const auto* name = std::get_if<std::string>(&*d.round_robin)) {
        everybody = *name;
      } else {
        everybody = std::get<std::vector<std::string>>(*d.round_robin);
      }
    }
    design.agents = agents(everybody, path / "round_robin");
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
  if (d.kind == LineUpDesign::DesignKind::gauntlet && d.agents.empty())
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
    case LineUpDesign::DesignKind::focal:
      made = design::focal_in_field(part_names, local(d.focal), local(d.field), seats);
      break;
    case LineUpDesign::DesignKind::gauntlet:
      made = design::gauntlet(part_names, local(d.focal), seats);
      break;
    case LineUpDesign::DesignKind::fixed: {
      std::vector<std::vector<int>> lists;
      for (const auto& list : d.lists) lists.push_back(local(list));
      made = design::fixed(part_names, lists, seats, in_order);
      break;
    }
    case LineUpDesign::DesignKind::round_robin:
      made = design::round_robin(part_names, seats);
      break;
  }
  for (design::LineUp& l : made) {
    for (int& a : l.agents) a = part[static_cast<std::size_t>(a)];
    if (l.focal >= 0) l.focal = part[static_cast<std::size_t>(l.focal)];
  }
  return made;
}

namespace {

/// Plays at random, and notes whether it is asked what it has learnt.
class LearningDetector final : public Agent {
 public:
  explicit LearningDetector(std::vector<std::string_view> stages) : stages_(std::move(stages)) {}
  void answer(Question& question) const override {
    heard_ = heard_ || std::count(stages_.begin(), stages_.end(), question.stage()) > 0;
    question.draw();
  }
  [[nodiscard]] bool answers_probes() const override { return true; }
  [[nodiscard]] bool has_heard() const { return heard_; }

 private:
  const std::vector<std::string_view> stages_;  // where it would be
  mutable bool heard_ = false;                  // of the one match that it plays
};

}  // namespace

std::set<int> Scenario::players() const {
  std::set<int> numbers;
  for (const design::Seating& line_up : plan->line_ups())
    for (const int agent : line_up.assignment(0)) numbers.insert(agent);
  return numbers;
}

std::shared_ptr<const PromptSet> Scenario::prompts_of(const Agent& agent) const {
  if (is_person(agent)) return people_prompts;
  const auto found = prompts.find(agent.language());
  return found == prompts.end() ? nullptr : found->second;
}

bool asks_learnings(const Game& game, const Settings& settings) {
  std::vector<std::string_view> stages;
  for (const StageCard& s : game.stages)
    if (s.probe && s.purpose == Purpose::learn) stages.push_back(s.name);
  if (stages.empty()) return false;
  const LearningDetector listener(std::move(stages));
  MatchSetup setup = set_up_match(game, settings, 0);
  setup.record = false;
  for (std::size_t i = 0; i < setup.cards.size(); ++i) setup.seats.push_back({&listener, i, {}});
  return play_match(setup).end != End::finished || listener.has_heard();
}

void choose_scenarios(Suite& suite, const std::vector<std::string>& names) {
  if (names.empty()) return;
  for (const std::string& name : names)
    if (std::none_of(suite.scenarios.begin(), suite.scenarios.end(),
                     [&](const Scenario& s) { return s.name == name; }))
      throw Error(ErrorKind::usage,
                  fmt::format("unknown scenario '{}'; expected {}", name,
                              text::joined(suite.scenarios, ", ", &Scenario::name)),
                  "--scenario");
  std::erase_if(suite.scenarios, [&](const Scenario& s) {
    return std::find(names.begin(), names.end(), s.name) == names.end();
  });
}

}  // namespace agon
