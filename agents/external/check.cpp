#include "external/check.hpp"

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <utility>

#include "external/check_shapes.hpp"
#include "external/checker.hpp"
#include "external/external.hpp"

namespace agon::external {
namespace {

/// A seat's whole match before a question late in it.
SeatHistory long_history() {
  SeatHistory history;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    history.push_back({.is_private = i % 7 == 0,
                       .name = "sold",
                       .json = "{\"item\":\"thing " + std::to_string(i) + "\",\"price\":12.5}"});
    if (i % 3 != 0) continue;
    history.push_back(
        {.what = Delivery::What::question, .name = "bid", .number = i, .json = "{\"round\":1}"});
    history.push_back(
        {.what = Delivery::What::answer, .name = "bid", .number = i, .json = "{\"bid\":null}"});
  }
  return history;
}

/// The agent that plays the program in matches, with the same limits.
ExternalParams params_of(const Program& program) {
  const auto seconds = [](std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
  };
  ExternalParams params;
  params.command = program.command;
  params.environment = program.variables;
  params.start_seconds = seconds(program.start);
  params.answer_seconds = seconds(program.answer);
  params.ping_seconds = seconds(program.ping);
  params.quit_seconds = seconds(program.quit);
  return params;
}

std::string named(const std::string& stage, const std::string& preset) {
  return "'" + stage + "'" + (preset.empty() ? "" : " of preset '" + preset + "'");
}

std::string questions(std::uint32_t n) {
  return std::to_string(n) + (n == 1 ? " question" : " questions");
}

/// One point for each preset and stage that was asked.
void note_stages(const AgentTrial& trial, Report& report) {
  std::vector<std::string>& left = report.not_tried;
  for (const StageTrial& stage : trial.stages)
    if (std::find(left.begin(), left.end(), stage.stage) == left.end()) left.push_back(stage.stage);
  for (const StageTrial& stage : trial.stages) {
    if (stage.questions == 0) continue;
    std::erase(left, stage.stage);
    Verdict verdict{"answers " + named(stage.stage, stage.preset), stage.failed == 0,
                    questions(stage.questions) + ", " + std::to_string(stage.legal_at_once) +
                        " answered legally at the first attempt"};
    if (stage.failed > 0) verdict.said += ", " + std::to_string(stage.failed) + " failed";
    if (!stage.refusal.empty()) verdict.said += "; turned down: " + stage.refusal;
    verdict.stage = stage;
    report.list.push_back(std::move(verdict));
  }
  for (const auto& [preset, why] : trial.stopped)
    report.list.push_back(
        {"plays to the end" + (preset.empty() ? "" : " of preset '" + preset + "'"), false, why});
}

}  // namespace

std::vector<Verdict> check_agent(const Program& program) {
  Checker checker(program);
  (void)checker.check_begin();
  std::uint32_t number = 0;
  const std::vector<Shape> all = shapes();
  for (const Shape& shape : all)
    checker.check_answer("answers with " + shape.what, question_of(shape, number++));
  const Shape& plain = all.front();

  OwnedQuestion probe = question_of(plain, number++);
  probe.probe = true;
  checker.check_answer("answers a probe, or declines it", probe);

  OwnedQuestion again = question_of(plain, number++);
  again.attempt = 1;
  again.complaint = "$.whole: 9 is more than 5";
  checker.check_answer("answers again after a complaint", again);

  OwnedQuestion unicode = question_of(all[2], number++);
  unicode.memo = "naïve \xF0\x9F\x8E\xB2 日本";
  unicode.view_json = R"({"talk":"¿Qué? \u0001 \"so\" \\ 日本 🎲 עברית"})";
  checker.check_answer("takes any text", unicode);

  OwnedQuestion late = question_of(plain, 5000);
  late.history = long_history();
  checker.begin_match();  // as a process is told that starts in the middle of a match
  checker.check_answer("takes a long history", late);

  MatchEnding ending;
  ending.finished = true;
  ending.score = 1250;
  ending.score_decimals = 2;
  ending.normalised = 0.5;
  ending.rank = 2;
  ending.metrics_json = "{\"sold\":3,\"regret\":null}";
  checker.check_matches(question_of(plain, 0), ending);
  checker.check_end();
  return checker.take();
}

Report check_in_game(const Program& program, std::span<const std::string> game,
                     const CommandServices& services) {
  Checker checker(program);
  Report report;
  if (!checker.check_begin()) {
    checker.note("plays the game", "there was no hello", "");
    checker.check_end();
    report.list = checker.take();
    return report;
  }
  report.list = checker.take();
  const AgentTrial trial = services.try_agent(game, External(params_of(program), {}));
  note_stages(trial, report);
  if (trial.question && trial.ending) checker.check_matches(*trial.question, *trial.ending);
  checker.check_end();
  for (Verdict& verdict : checker.take()) report.list.push_back(std::move(verdict));
  return report;
}

}  // namespace agon::external
