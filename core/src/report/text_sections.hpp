#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace agon::report {

/// A part of the text report: a heading, what it is, tables, and remarks below them.
struct Section {
  std::string title;
  std::string explanation;
  std::string body;  ///< lines, each ended by a line break
  std::vector<std::string> remarks;
};

/// The widest name of an agent in a table; longer ones are cut.
inline constexpr std::size_t agent_width = 44;

/// An agent's name in tables: of an agent made from factors only the levels, "llm/whole,none" for
/// "llm/memory=whole,planning=none"; of others as it is.
[[nodiscard]] std::string shown_agent(const Report& report, const std::string& agent);

/// Effects of factors, a section a family.
[[nodiscard]] std::vector<Section> factor_sections(const Report& report, std::size_t width);

/// Ranks and scores along learning sequences, a section a scenario and treatment.
[[nodiscard]] std::vector<Section> learning_sections(const Report& report, std::size_t width);

/// The papers' rates and the following of plans. Unless `all`, rates that are 0 for everybody are
/// left out.
[[nodiscard]] std::vector<Section> paper_sections(const Report& report, std::size_t width,
                                                  bool all);

/// Calls, tokens and money by agent; none where no model was called.
[[nodiscard]] std::vector<Section> use_sections(const Report& report);

/// What models said to the questions of drift checks; none without a check.
[[nodiscard]] std::vector<Section> drift_sections(const Report& report);

}  // namespace agon::report
