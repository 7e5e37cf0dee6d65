#include <fmt/format.h>

#include "report/sections.hpp"

namespace agon::report {

std::vector<Section> drift_sections(const Report& report) {
  using text::Align;
  if (report.drift.empty()) return {};
  Section section;
  section.id = "drift";
  section.title = "Drift";
  section.explanation =
      "Fixed questions put to each model before and after a run, outside the matches: answers that "
      "were the same, and how far apart the texts are on average (0 the same, 1 nothing in "
      "common). "
      "Right: of the questions that have a right answer.";
  Table table;
  table.columns = {{.header = "model", .limit = kAgentWidth, .key = true},
                   {.header = "compared", .key = true},
                   {.header = "same", .align = Align::right, .where = Where::shown},
                   number_column("distance", "distance"),
                   {.header = "right", .align = Align::right, .where = Where::shown},
                   data_column("same"),
                   data_column("compared"),
                   data_column("right_before"),
                   data_column("right_after"),
                   data_column("checkable")};
  Table asked;
  asked.title = "asked";
  asked.columns = {{.header = "model", .key = true},
                   {.header = "when", .key = true},
                   data_column("answered"),
                   data_column("right"),
                   data_column("questions"),
                   data_column("served_as"),
                   data_column("fingerprints"),
                   data_column("endpoint"),
                   data_column("spec")};
  for (const drift::Row& row : report.drift) {
    const std::string model = row.model.empty() ? row.agents.front() : row.model;
    for (const drift::Comparison& c : row.comparisons) {
      const auto right = [&](const drift::Asked& then) {
        return row.with_right_answer == 0 ? Cell(Missing{}) : Cell(then.right);
      };
      table.rows.push_back(
          {.about = {.agent = model, .text = drift::describe_times(c)},
           .cells = {model, drift::describe_times(c), fmt::format("{} of {}", c.same, c.compared),
                     !c.distance ? Cell(Missing{}) : Cell(Number{*c.distance, 3}),
                     row.with_right_answer == 0 ? "-"
                                                : fmt::format("{}, then {} of {}", c.from.right,
                                                              c.to.right, row.with_right_answer),
                     c.same, c.compared, right(c.from), right(c.to),
                     row.with_right_answer == 0 ? Cell(Missing{}) : Cell(row.with_right_answer)}});
      if (const std::string change = drift::describe_change(c); !change.empty())
        section.remarks.push_back(model + ", " + drift::describe_times(c) + ": " + change + ".");
    }
    for (const drift::Asked& then : row.asked) {
      const std::string when = fmt::format("run {}, {} the matches", then.run,
                                           then.when == drift::Phase::before ? "before" : "after");
      asked.rows.push_back(
          {.about = {.treatment = when, .agent = model},
           .cells = {model, when, then.answered, then.right, row.questions,
                     fmt::format("{}", fmt::join(then.served_as, ", ")),
                     fmt::format("{}", fmt::join(then.fingerprints, ", ")), row.endpoint, row.spec},
           .where = Where::data});
    }
    if (row.asked.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: it answered no question.", model, row.run));
    else if (row.comparisons.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: asked once, nothing to compare with.", model, row.run));
  }
  for (Table* made : {&table, &asked})
    if (!made->rows.empty()) section.tables.push_back(std::move(*made));
  return {std::move(section)};
}

}  // namespace agon::report
