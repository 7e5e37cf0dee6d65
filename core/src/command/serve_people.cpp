#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "command/asked_suite.hpp"
#include "command/failure.hpp"
#include "command/run_outcome.hpp"
#include "command/served.hpp"
#include "people/session.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"

namespace agon::command {
namespace {

/// A suite that people take part in: it is run while they are served.
class ServedPeople final : public Served {
 public:
  explicit ServedPeople(Invocation& call, const Interrupt& interrupt)
      : call_(call), out_(archive_of(call)), suite_(read(interrupt)) {
    session_.emplace(suite_, out_,
                     static_cast<std::uint64_t>(call.number("participants", 0, 1, 10'000)));
  }

  void add_routes(serve::Router& router, serve::Door& door) override {
    session_->add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string& url) override {
    session_->found_at(url);
    if (!call_.quiet() && !call_.json())
      text::say("{} is the archive, {} knows who took part\n", out_, session_->path().string());
    RunOptions options;
    options.archive = out_;
    options.jobs = static_cast<int>(call_.number("jobs", 0, 1, kMostJobs));
    options.quiet = true;
    options.command = call_.command_line();
    options.stop = &interrupt.flags();
    options.caps = call_.caps();
    options.prices = call_.prices();
    options.people = &*session_;
    options.abandon = [&](const RunSummary& summary, const std::exception_ptr& failure) {
      const int code = failure ? tell_failure(failure, call_.json()) : tell(summary);
      flush();
      std::_Exit(code);
    };
    const RunSummary summary = run_suite(suite_, call_.catalogue(), options);
    if (!interrupt.asked()) {
      session_->run_over();
      if (!call_.quiet() && !call_.json())
        text::say("{}the session has ended; the pages stay until Ctrl-C\n",
                  describe_run(summary, out_));
      // Codes and payments are still looked at.
      while (!interrupt.asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return 0;
    }
    return tell(summary);
  }

 private:
  static std::string archive_of(const Invocation& call) {
    if (const std::string out = call.text("out"); !out.empty()) return out;
    std::string stem = std::filesystem::path(call.argument("WHAT")).filename().string();
    if (stem.ends_with(".json")) stem.resize(stem.size() - 5);
    return stem + ".agon";
  }

  Suite read(const Interrupt& interrupt) {
    AskedSuite asked(call_, call_.argument("WHAT"), call_.changed_suite_options());
    Suite suite = asked.read();
    if (!call_.has("no-preflight"))
      check_before_run(suite, interrupt.asked(), longest_prompt(asked.dry(), call_.catalogue()));
    return suite;
  }

  int tell(const RunSummary& summary) {
    if (!call_.json()) text::say("{}", describe_run(summary, out_));
    return exit_code(summary, call_.to_resume(out_), "");
  }

  Invocation& call_;
  std::string out_;
  Suite suite_;
  std::optional<serve::Session> session_;
};

}  // namespace

std::unique_ptr<Served> serve_people(Invocation& call, const Interrupt& interrupt) {
  return std::make_unique<ServedPeople>(call, interrupt);
}

}  // namespace agon::command
