#include <algorithm>

#include "archive/cell.hpp"
#include "report/numbers.hpp"
#include "report/text_sections.hpp"
#include "text/table.hpp"

namespace agon::report {

std::vector<Section> use_sections(const Report& report) {
  using text::Align;
  using text::Column;
  const auto& facts = report.results.facts;
  const bool tokens = std::any_of(facts.begin(), facts.end(), [](const AgentFacts& a) {
    return a.tokens_in != 0 || a.tokens_out != 0 || a.tokens_cached != 0 || a.tokens_thought != 0;
  });
  const bool calls =
      std::any_of(facts.begin(), facts.end(), [](const AgentFacts& a) { return a.calls != 0; });
  const bool cost =
      std::any_of(facts.begin(), facts.end(), [](const AgentFacts& a) { return a.cost != 0; });
  const bool waiting = std::any_of(facts.begin(), facts.end(),
                                   [](const AgentFacts& a) { return a.waiting_ms != 0; });
  if (!calls && !tokens && !cost) return {};
  std::vector<Column> columns = {{"agent", Align::left, agent_width}};
  if (calls) columns.push_back({"calls", Align::right});
  if (tokens)
    columns.insert(columns.end(), {{"tokens in", Align::right},
                                   {"of them cached", Align::right},
                                   {"tokens out", Align::right},
                                   {"of them thought", Align::right}});
  if (cost) columns.push_back({"USD", Align::right});
  if (waiting) columns.push_back({"waited (s)", Align::right});
  text::Table table(columns);
  for (const AgentFacts& agent : facts) {
    std::vector<std::string> cells = {shown_agent(report, agent.name)};
    if (calls) cells.push_back(std::to_string(agent.calls));
    if (tokens)
      cells.insert(cells.end(),
                   {std::to_string(agent.tokens_in), std::to_string(agent.tokens_cached),
                    std::to_string(agent.tokens_out), std::to_string(agent.tokens_thought)});
    if (cost) cells.push_back(archive::dollars(agent.cost));
    if (waiting) cells.push_back(fixed(agent.waiting_ms / 1000, 1));
    table.add(std::move(cells));
  }
  Section section;
  section.title = "Use of models";
  section.body = table.str(2);
  return {section};
}

}  // namespace agon::report
