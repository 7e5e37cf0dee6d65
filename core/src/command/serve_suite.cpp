#include <agon/error.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

#include "command/run_outcome.hpp"
#include "command/served.hpp"
#include "command/suite_run.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"
#include "viewer/own_run.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

class ServedSuite final : public Served {
 public:
  ServedSuite(Invocation& call, const Interrupt& interrupt) : call_(call) {
    // Agents hear of it where the page stops the run.
    call.stop_at(run_.flags().asked);
    prepared_ =
        std::make_unique<SuiteRun>(prepare_run(call, call.argument("WHAT"), interrupt.asked()));
    prepared_->options.quiet = true;  // the page shows it
    viewer_ = std::make_unique<serve::Viewer>(prepared_->options.archive, call.catalogue(), &run_);
  }
  ~ServedSuite() override {
    viewer_.reset();
    run_.end();  // before the suite goes
  }

  void add_routes(serve::Router& router, serve::Door& door) override {
    viewer_->add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string&) override {
    // Not before it is served: nothing is played for somebody who cannot look.
    run_.begin([this](const StopFlags& stop) {
      RunOptions options = prepared_->options;
      options.stop = &stop;
      return run_suite(prepared_->suite, call_.catalogue(), options);
    });
    wait_for(interrupt);
    run_.stop();
    // What hangs does not keep the server: all that was finished is in the archive.
    const std::string& archive = prepared_->options.archive;
    for (int waited = 0; !run_.is_over_within(std::chrono::milliseconds(100)); ++waited)
      if (waited == 30 || interrupt.flags().insisted) {
        text::say("matches that do not end are left; take it up again with: {}\n",
                  call_.to_resume(archive));
        std::_Exit(kInterrupted);
      }
    const serve::OwnRun::Now now = run_.now();
    if (!now.summary) {
      text::say("the run failed: {}\n", text::printable(now.failure));
      return static_cast<int>(ErrorKind::failure);
    }
    text::say("{}", describe_run(*now.summary, archive));
    return exit_code(*now.summary, call_.to_resume(archive),
                     "agon report " + text::shell_word(archive));
  }

 private:
  static constexpr int kInterrupted = 130;

  Invocation& call_;
  serve::OwnRun run_;  // outlives the suite: agents look whether they are to stop
  std::unique_ptr<SuiteRun> prepared_;
  std::unique_ptr<serve::Viewer> viewer_;
};

}  // namespace

std::unique_ptr<Served> serve_suite(Invocation& call, const Interrupt& interrupt) {
  return std::make_unique<ServedSuite>(call, interrupt);
}

}  // namespace agon::command
