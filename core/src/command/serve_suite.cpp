#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

#include "command/served.hpp"
#include "command/suite_run.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "viewer/own_run.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

class ServedSuite final : public Served {
 public:
  ServedSuite(Invocation& call, const Interrupt& interrupt) {
    // Agents hear of it where the page stops the run.
    call.stop_at(run_.flags().asked);
    prepared_ =
        std::make_unique<SuiteRun>(prepare_run(call, call.argument("WHAT"), interrupt.asked()));
    prepared_->options.quiet = true;  // the page shows it
    const Catalogue& catalogue = call.catalogue();
    viewer_ = std::make_unique<serve::Viewer>(prepared_->options.archive, catalogue, &run_);
    run_.begin([this, &catalogue](const StopFlags& stop) {
      RunOptions options = prepared_->options;
      options.stop = &stop;
      return run_suite(prepared_->suite, catalogue, options);
    });
  }

  void add_routes(serve::Router& router, serve::Door& door) override {
    viewer_->add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string&) override {
    while (!interrupt.asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const bool was_playing = run_.now().state == serve::OwnRun::State::playing;
    run_.stop();
    // What hangs does not keep the server: all that was finished is in the archive.
    for (int waited = 0; !run_.is_over_within(std::chrono::milliseconds(100)); ++waited)
      if (waited == 30 || interrupt.flags().insisted) {
        text::say("matches that do not end are left; they are played anew\n");
        flush();
        std::_Exit(kInterrupted);
      }
    return was_playing ? kInterrupted : 0;
  }

 private:
  static constexpr int kInterrupted = 130;

  serve::OwnRun run_;
  std::unique_ptr<SuiteRun> prepared_;
  std::unique_ptr<serve::Viewer> viewer_;
};

}  // namespace

std::unique_ptr<Served> serve_suite(Invocation& call, const Interrupt& interrupt) {
  return std::make_unique<ServedSuite>(call, interrupt);
}

}  // namespace agon::command
