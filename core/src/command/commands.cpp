#include "command/command.hpp"

namespace agon::command {

std::vector<Command> commands() {
  std::vector<Command> all;
  all.push_back(list_command());
  all.push_back(describe_command());
  all.push_back(play_command());
  all.push_back(run_command());
  all.push_back(plan_command());
  all.push_back(report_command());
  all.push_back(show_command());
  all.push_back(serve_command());
  all.push_back(judge_command());
  all.push_back(replay_command());
  all.push_back(export_command());
  all.push_back(import_command());
  all.push_back(new_command());
  all.push_back(doctor_command());
  all.push_back(check_command());
  all.push_back(bench_command());
  return all;
}

}  // namespace agon::command
