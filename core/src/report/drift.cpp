#include <fmt/format.h>

#include "report/text_sections.hpp"
#include "text/table.hpp"

namespace agon::report {

std::vector<Section> drift_sections(const Report& report) {
  using text::Align;
  if (report.drift.empty()) return {};
  Section section;
  section.title = "Drift";
  section.explanation =
      "Fixed questions put to each model before and after a run, outside the matches: answers that "
      "were the same, and how far apart the texts are on average (0 the same, 1 nothing in "
      "common). "
      "Right: of the questions that have a right answer.";
  text::Table table({{"model", Align::left, agent_width},
                     {"compared", Align::left},
                     {"same", Align::right},
                     {"distance", Align::right},
                     {"right", Align::right}});
  for (const drift::Row& row : report.drift) {
    const std::string model = row.model.empty() ? row.agents.front() : row.model;
    for (const drift::Comparison& c : row.comparisons) {
      table.add({model, drift::describe_times(c), fmt::format("{} of {}", c.same, c.compared),
                 c.compared == 0 ? "-" : fmt::format("{:.3f}", c.distance),
                 row.checkable == 0
                     ? "-"
                     : fmt::format("{}, then {} of {}", c.from.right, c.to.right, row.checkable)});
      if (const std::string change = drift::describe_change(c); !change.empty())
        section.remarks.push_back(model + ", " + drift::describe_times(c) + ": " + change + ".");
    }
    if (row.asked.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: it answered no question.", model, row.run));
    else if (row.comparisons.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: asked once, nothing to compare with.", model, row.run));
  }
  if (!table.empty()) section.body = table.str(2);
  return {section};
}

}  // namespace agon::report
