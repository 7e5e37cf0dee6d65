#include <fmt/format.h>

#include <map>
#include <set>

#include "branch/controls.hpp"
#include "branch/effects.hpp"
#include "describe/value.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using archive::BranchChange;

/// Longer answers are cut in tables for people.
constexpr std::size_t kAnswerWidth = 40;

std::string change_words(BranchChange change, const std::string& text) {
  const std::string shown = text::printable(text);
  switch (change) {
    case BranchChange::agent:
      return shown;
    case BranchChange::without:
      return "without " + shown;
    case BranchChange::persona:
      return "persona " + shown;
    case BranchChange::answer:
      return "answer " + shown;
    case BranchChange::none:
      break;
  }
  return "unchanged";
}

ReportColumn answer_column(const std::string& header) {
  return {.header = header, .limit = kAnswerWidth, .key = true};
}

ReportSection effect_section(const char* id, const char* title, std::string explanation,
                             std::size_t statements, double level) {
  ReportSection section{.id = id, .title = title, .explanation = std::move(explanation)};
  section.explanation += " " + each_by_itself(statements, level);
  section.method = stats::interval_method;
  section.level = level;
  return section;
}

ReportSection swap_section(const std::vector<branch::SwapEffect>& effects, double level) {
  ReportSection section = effect_section(
      "swaps", "What a change would have brought",
      "Score of the seat in the branch less that in its parent, a mean over cuts; the "
      "parents' blocks are the clusters.",
      effects.size(), level);
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "game", .key = true},
                   {.header = "change", .limit = kAgentWidth, .key = true},
                   agent_column("in the place of"),
                   {.header = "from stage", .key = true},
                   {.header = "cuts", .align = text::Align::right, .key = true},
                   number_column("effect", "swap_effect"),
                   units_column()};
  for (const branch::SwapEffect& one : effects) {
    ReportRow& row = table.rows.emplace_back();
    row.about = {.game = one.game,
                 .agent = one.agent,
                 .other = change_words(one.change, one.text),
                 .text = one.stage};
    row.cells = {one.game,
                 change_words(one.change, one.text),
                 one.agent.empty() ? "all" : one.agent,
                 one.stage.empty() ? "all" : one.stage,
                 static_cast<std::int64_t>(one.cuts),
                 figure(one.effect, 3, true),
                 whole(one.effect.units)};
    row.units = one.effect.units;
  }
  return section;
}

ReportSection reply_section(const std::vector<branch::BestReply>& replies, double level) {
  ReportSection section = effect_section("replies", "Best replies to what was played",
                                         "Of all changes that were tried, what looks best on half "
                                         "of the blocks, and how much more than "
                                         "what was played it brings on the other half, and the "
                                         "other way round: the others' play gives "
                                         "away at least that much.",
                                         replies.size(), level);
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "game", .key = true},
                   {.header = "against", .limit = kAgentWidth, .key = true},
                   {.header = "role", .key = true},
                   {.header = "tried", .align = text::Align::right, .key = true},
                   answer_column("best"),
                   number_column("gain", "best_reply_gain"),
                   units_column()};
  for (const branch::BestReply& one : replies) {
    ReportRow& row = table.rows.emplace_back();
    const std::string best =
        one.text.empty() ? "what was played" : change_words(one.change, one.text);
    row.about = {.game = one.game, .role = one.role, .other = one.others, .text = best};
    row.cells = {one.game,
                 one.others,
                 one.role.empty() ? "-" : one.role,
                 static_cast<std::int64_t>(one.tried),
                 best,
                 figure(one.gain, 3, true),
                 whole(one.gain.units)};
    row.units = one.gain.units;
  }
  return section;
}

ReportSection impulse_section(const branch::Impulses& impulses, double level) {
  ReportSection section = effect_section(
      "impulses", "What the others did after a forced answer",
      "Period 0 is that of the forced answer. Changed: share of the other seats' answers at the "
      "stage that are not the parent's; moved: the first number in them less the parent's. Own and "
      "others: what the seat and each other seat got in that period less what they got in the "
      "parent's, where the game tells it.",
      4 * impulses.responses.size() + 2 * impulses.scores.size(), level);
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "game", .key = true},
                   {.header = "stage", .key = true},
                   answer_column("answer"),
                   {.header = "period", .align = text::Align::right, .key = true},
                   number_column("changed", "others_changed"),
                   number_column("moved", "others_moved"),
                   number_column("own", "own_payoff_change"),
                   number_column("others", "others_payoff_change"),
                   units_column()};
  for (const branch::ImpulseResponse& one : impulses.responses) {
    ReportRow& row = table.rows.emplace_back();
    row.about = {.game = one.game,
                 .other = change_words(BranchChange::answer, one.text),
                 .position = static_cast<double>(one.period),
                 .text = one.stage};
    row.cells = {one.game,
                 one.stage,
                 text::printable(one.text),
                 one.period,
                 figure(one.differ),
                 figure(one.moved, 3, true),
                 figure(one.own_paid, 2, true),
                 figure(one.others_paid, 2, true),
                 whole(one.differ.units)};
    row.units = one.differ.units;
  }
  ReportTable& scores = section.tables.emplace_back();
  scores.title = "scores at the end";
  scores.columns = {{.header = "game", .key = true},
                    {.header = "stage", .key = true},
                    answer_column("answer"),
                    number_column("own", "own_score_change"),
                    number_column("others", "others_score_change"),
                    units_column()};
  for (const branch::ImpulseScores& one : impulses.scores) {
    ReportRow& row = scores.rows.emplace_back();
    row.about = {
        .game = one.game, .other = change_words(BranchChange::answer, one.text), .text = one.stage};
    row.cells = {one.game,
                 one.stage,
                 text::printable(one.text),
                 figure(one.own, 3, true),
                 figure(one.others, 3, true),
                 whole(one.own.units)};
    row.units = one.own.units;
  }
  return section;
}

ReportSection blunder_section(const std::vector<branch::DecisionLoss>& losses, double level) {
  std::size_t blunders = 0;
  std::set<std::string> references;
  for (const branch::DecisionLoss& loss : losses) {
    blunders += loss.is_blunder() ? 1 : 0;
    references.insert(loss.reference);
  }
  ReportSection section = effect_section(
      "blunders", "Decisions that lost the most",
      fmt::format("Best answer less the given one, as {} played on at all seats on the match's "
                  "chance: with hindsight of that chance. The best is found on half of the "
                  "repeats, and its gain on the other half; n: repeats. {} of {} lost something.",
                  text::joined(references), blunders, text::counted(losses.size(), "decision")),
      losses.size(), level);
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "match", .align = text::Align::right, .key = true},
                   {.header = "question", .align = text::Align::right, .key = true},
                   agent_column(),
                   {.header = "stage", .key = true},
                   answer_column("answer"),
                   answer_column("better"),
                   number_column("loss", "decision_loss"),
                   units_column()};
  for (const branch::DecisionLoss& one : losses) {
    ReportRow& row = table.rows.emplace_back();
    row.about = {.game = one.game,
                 .agent = one.agent,
                 .other = one.reference,
                 .row = fmt::format("match {}, question {}", one.number, one.question),
                 .text = one.stage};
    row.cells = {one.number,
                 one.question,
                 one.agent,
                 one.stage,
                 text::printable(one.chosen),
                 one.best == one.chosen ? "-" : text::printable(one.best),
                 figure(one.loss, 3),
                 whole(one.loss.units)};
    row.units = one.loss.units;
    if (!one.is_blunder()) row.where = Where::data;
  }
  if (blunders == 0) section.remarks.push_back("No interval leaves out 0: there is no blunder.");
  return section;
}

ReportSection control_section(const std::vector<branch::ControlledScore>& scores, double level) {
  ReportSection section = effect_section(
      "controls", "Scores with control variates",
      "What control agents got in the same blocks, less what they get in many more, is taken away "
      "from the score as far as it explains it. Saved: share of the blocks that a study with "
      "controls can do without for the same error; below 0 they only add noise.",
      0, level);
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "game", .key = true},
                   agent_column(),
                   {.header = "controls", .limit = kAgentWidth, .key = true},
                   number_column("score", "normalized_score"),
                   number_column("error", "standard_error"),
                   number_column("with controls", "controlled_score"),
                   number_column("error", "controlled_standard_error"),
                   number_column("saved", "blocks_saved"),
                   units_column()};
  for (const branch::ControlledScore& one : scores) {
    const stats::ControlledEstimate& score = one.score;
    ReportRow& row = table.rows.emplace_back();
    row.about = {.game = one.game, .agent = one.agent, .other = text::joined(one.controls)};
    row.cells = {one.game,
                 one.agent,
                 text::joined(one.controls),
                 figure(score.plain),
                 number(score.plain.standard_error, 4),
                 figure(score.controlled),
                 number(score.controlled.standard_error, 4),
                 number(score.saved, 2),
                 whole(score.plain.units)};
    row.units = score.plain.units;
  }
  return section;
}

}  // namespace

std::vector<ReportSection> branch_sections(const archive::Archive& archive,
                                           const std::vector<branch::ControlledScore>& controls,
                                           const stats::IntervalOptions& options) {
  std::vector<ReportSection> out;
  const std::vector<branch::BranchEffect> branches = branch::branch_effects(archive);
  if (const auto swaps = branch::swap_effects(branches, options); !swaps.empty())
    out.push_back(swap_section(swaps, options.level));
  std::vector<branch::BranchEffect> tried = branch::tried_answers(archive);
  tried.insert(tried.end(), branches.begin(), branches.end());
  if (const auto replies = branch::best_replies(tried, options); !replies.empty())
    out.push_back(reply_section(replies, options.level));
  if (const auto impulses = branch::impulse_responses(archive, branches, options);
      !impulses.responses.empty())
    out.push_back(impulse_section(impulses, options.level));
  if (const auto losses = branch::decision_losses(archive, options); !losses.empty())
    out.push_back(blunder_section(losses, options.level));
  if (!controls.empty()) out.push_back(control_section(controls, options.level));
  return out;
}

}  // namespace agon::report
