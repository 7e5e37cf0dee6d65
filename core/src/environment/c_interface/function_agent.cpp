#include "c_interface/function_agent.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

namespace agon::c_interface {
namespace {

using std::chrono::milliseconds;

/// Numbers of seats, over all agents of the process.
std::uint64_t next_seat() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

milliseconds time_left(const OwnedQuestion& question) {
  using Clock = std::chrono::steady_clock;
  if (question.deadline == Clock::time_point::max()) return milliseconds::max();
  return std::max(milliseconds(0),
                  std::chrono::duration_cast<milliseconds>(question.deadline - Clock::now()));
}

}  // namespace

void FunctionAgent::ask(OwnedQuestion question, Completion done) const {
  if (dry_run_) return done({.status = Fault::refused, .problem = "this is a dry run"});
  std::string rendered;
  if (auto failed = external::put_rendered(rendered, render_, question))
    return done(std::move(*failed));
  std::string lines;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = seated_.try_emplace(Place{question.table, question.seat}, Seated{0});
    Seated& seated = at->second;
    if (is_new) {
      seated.number = next_seat();
      lines = external::match_line(question, "{}");
    }
    lines += seated.told.news(question.history);
    seated.told.asked(question);
    number = seated.number;
  }
  lines += external::question_line(question, time_left(question), rendered);
  auto reply = std::make_unique<agon_reply>(agon_reply{
      std::move(done), external::id_of(question), question.probe, params_.name, question.deadline});
  tell_(params_.name, number, lines, reply.release());
}

void FunctionAgent::match_ended(MatchEnding ending) const {
  std::string lines;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto at = seated_.find({ending.table, ending.seat});
    if (at == seated_.end()) return;
    number = at->second.number;
    lines = at->second.told.news(ending.history);
  }
  lines += external::over_line(ending);
  tell_(params_.name, number, lines, nullptr);
}

void FunctionAgent::match_over(const void* table) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto first = seated_.lower_bound({table, -1});
  auto last = first;
  while (last != seated_.end() && last->first.first == table) ++last;
  seated_.erase(first, last);
}

AgentCard function_agent(const AgentHost& host) {
  AgentCard card;
  card.id = "function";
  card.doc = "A function of the program that runs this command: agents= of agon.run() in Python.";
  card.params = &type_of<FunctionAgent::Params>();
  card.make = {[](const void* self, const void* params,
                  const AgentServices& services) -> std::unique_ptr<Agent> {
                 return std::make_unique<FunctionAgent>(
                     *static_cast<const FunctionAgent::Params*>(params), services,
                     *static_cast<const AgentHost*>(self));
               },
               &host};
  return card;
}

}  // namespace agon::c_interface
