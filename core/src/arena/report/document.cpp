#include <agon/error.hpp>
#include <algorithm>
#include <iterator>

#include "report/render.hpp"
#include "report/report.hpp"
#include "report/sections.hpp"

namespace agon::report {
namespace {

/// Sections that a brief report leaves out.
bool is_detail(const std::string& id) {
  return id == "games" || id == "metrics" || id == "strengths" || id == "fit" ||
         id == "trueskill" || id == "pairs";
}

void append(std::vector<Section>& all, std::vector<Section> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

Section notes_section(const Report& report) {
  Section section;
  section.id = "notes";
  section.title = "How to read this";
  section.points = report.notes;
  return section;
}

}  // namespace

Column agent_column(const std::string& header) {
  return {.header = header, .limit = agent_width, .key = true};
}

Cell figure(const stats::Estimate& estimate, int decimals, bool sign) {
  return Estimated{.estimate = estimate, .decimals = decimals, .sign = sign};
}

Cell number(const std::optional<double>& value, int decimals, bool sign) {
  return value ? Cell(Number{*value, decimals, sign}) : Cell(Missing{});
}

Cell whole(const std::optional<std::size_t>& value) {
  return value ? Cell(static_cast<std::int64_t>(*value)) : Cell(Missing{});
}

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = {
      "leaderboard", "scores", "differences", "factors",   "learning", "treatments",
      "rates",       "games",  "metrics",     "strengths", "fit",      "trueskill",
      "pairs",       "faults", "policies",    "bounds",    "missing",  "use",
      "drift",       "notes",  "stop",        "anytime"};
  return names;
}

void add_alerts(Document& document, const Scope& scope) {
  for (const std::string& words : {scope.what(), scope.others()})
    if (!words.empty()) document.alerts.push_back({words});
}

Document document(const Report& report, Detail detail, const std::vector<std::string>& sections,
                  bool anytime) {
  Document document;
  document.level = report.options.level;
  add_alerts(document, report.scope);
  if (report.open_run.open())
    document.alerts.push_back(
        {"NOT FINISHED: " + report.open_run.what + ".", report.open_run.resume});
  if (report.open_run.open() && !anytime)
    document.alerts.push_back(
        {"Looking again and again until a difference shows finds one where there is none: in 32% "
         "of suites of equal agents that were looked at every 5 blocks up to 300. --anytime gives "
         "intervals that hold whenever one looks.",
         ""});
  const bool all = detail != Detail::brief || !sections.empty();
  std::vector<Section>& out = document.sections;
  append(out, stop_sections(report));
  if (anytime || detail == Detail::data || !sections.empty()) append(out, anytime_sections(report));
  append(out, leaderboard_sections(report));
  append(out, factor_sections(report));
  append(out, learning_sections(report));
  append(out, treatment_sections(report));
  append(out, paper_sections(report, all));
  append(out, game_sections(report));
  append(out, fault_sections(report));
  append(out, missing_sections(report));
  append(out, use_sections(report));
  append(out, drift_sections(report));
  out.push_back(notes_section(report));
  if (!sections.empty())
    choose(document, sections);
  else if (detail == Detail::brief)
    std::erase_if(out, [](const Section& section) { return is_detail(section.id); });
  return document;
}

void choose(Document& document, const std::vector<std::string>& sections) {
  std::vector<std::string> there;
  for (const Section& section : document.sections)
    if (std::find(there.begin(), there.end(), section.id) == there.end())
      there.push_back(section.id);
  std::erase_if(document.sections, [&](const Section& section) {
    return std::find(sections.begin(), sections.end(), section.id) == sections.end();
  });
  for (Section& section : document.sections) section.where = Where::everywhere;
  if (!document.sections.empty()) return;
  std::string list;
  for (const std::string& name : there) list += (list.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::not_found, "the archive has nothing for the sections that are asked for",
              {}, "it has: " + list);
}

std::string text(const Report& report, bool colour, Detail detail) {
  return render_text(document(report, detail), colour);
}

}  // namespace agon::report
