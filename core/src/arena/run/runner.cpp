#include "run/runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "costs/costs.hpp"
#include "describe/read.hpp"
#include "drift/questions.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "run/manifest.hpp"
#include "run/play/attendant.hpp"
#include "run/run_archive.hpp"
#include "run/scheduler.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

using Clock = std::chrono::steady_clock;

/// One run of a suite, from the opening of its archive to the closing.
class Run {
 public:
  Run(const Suite& suite, const Catalogue& catalogue, const RunOptions& options)
      : suite_(suite),
        catalogue_(catalogue),
        options_(options),
        setup_(suite, catalogue, options) {}

  /// The stages of a run.
  RunSummary go() {
    open();
    if (drift_) check_drift(drift::Phase::before);
    scheduler_.play();
    scheduler_.resume();
    settle_stop_rule();
    // A run that was not interrupted and played something can say how the models are now.
    const RunSummary played = tally_.summary();
    if (drift_ && !attendant_.is_interrupted() && !attendant_.failure() &&
        played.halt == Halt::no && played.played + played.unfinished > 0)
      check_drift(drift::Phase::after);
    return close();
  }

 private:
  /// Reads prices, opens the archive and enters the run.
  void open() {
    PriceList prices = PriceList::read(suite_.prices);
    archive::CallTotals before;
    manifest_.stop = scheduler_.stop_state();
    if (!options_.archive.empty()) before = open_archive(prices);
    if (!options_.quiet) say_suppliers();
    const std::vector<CappedPart> parts =
        setup_.archive ? setup_.archive->taken_before(prices, suite_.part_caps)
                       : taken_before(nullptr, prices, suite_.part_caps);
    setup_.has_past_calls = before.calls > 0 || before.from_cache > 0;
    auto& archive = setup_.archive;
    setup_.ledger = std::make_shared<RunLedger>(archive ? &archive->writer() : nullptr,
                                                archive ? archive->run() : 0, suite_.caps,
                                                std::move(prices), before, options_.cache, parts);
    if (archive && setup_.batches) archive->recall(*setup_.ledger);
  }

  /// Returns what calls of earlier runs took.
  archive::CallTotals open_archive(const PriceList& prices) {
    RunArchive& archive = setup_.archive.emplace(suite_, options_.archive, options_.retry_set_aside,
                                                 nullptr, options_.lost.get());
    if (!options_.drift_questions.empty()) {
      drift_.emplace(options_.drift_questions, suite_);
      archive.writer().store("drift", drift_->text());
      manifest_.drift = drift_->manifest();
    }
    if (options_.cache != nullptr) manifest_.answer_cache = true;
    archive.begin(catalogue_, options_.command, write_json(manifest_));
    if (!options_.quiet) text::say("{}", describe_other_suite(archive, options_.archive));
    text::say("{}", archive.changes());
    tally_.update([&](RunSummary& summary) {
      summary.before = archive.earlier().finished();
      summary.game_faults = archive.earlier().broken();
    });
    return archive.taken_before(prices);
  }

  /// Says whose games are played, where they are not Agon's own.
  void say_suppliers() const {
    std::set<std::string> games;
    for (const Scenario& s : suite_.scenarios) {
      const PluginEntry* plugin = catalogue_.plugin_of_game(s.game->id);
      if (plugin != nullptr && !plugin::comes_with_agon(plugin->path)) games.emplace(s.game->id);
    }
    if (games.empty()) return;
    const std::string words = describe_suppliers(plugins_at_hand(catalogue_), games);
    text::say("{}\n", text::printable(words));
  }

  /// Puts all questions to all models at the same time. The calls belong to no match.
  void check_drift(drift::Phase phase) {
    const std::size_t models = drift_->models();
    if (models == 0) return;
    const auto calls = std::make_shared<MatchLedger>(setup_.ledger, archive::MatchId{}, models);
    const auto ledger = [&](int model, std::uint32_t question, int attempt) {
      return calls->attempt(model, question, attempt);
    };
    std::atomic<std::size_t> next{0};
    attendant_.ask(static_cast<int>(models), [&] {
      for (std::size_t i = next++; i < models; i = next++) {
        const std::optional<Reply> last =
            drift_->ask(i, phase, ledger, [this] { return attendant_.is_over(); });
        // After the matches, all that was to be played is.
        if (last && phase == drift::Phase::before) tally_.halt(last->halt, last->problem);
      }
    });
  }

  void settle_stop_rule() {
    manifest_.stop = scheduler_.stop_state();
    if (scheduler_.is_decided())  // what was played ahead is not needed
      tally_.update([](RunSummary& summary) { summary.unfinished = 0; });
  }

  /// Waits for calls that are on their way, says in the archive how the run ended and closes it.
  RunSummary close() {
    // They are paid for: they are waited for, but not when somebody waits.
    const auto patience = Clock::now() + std::chrono::minutes(2);
    RunLedger& ledger = *setup_.ledger;
    ledger.drain([&] {
      return attendant_.failure() || attendant_.is_out_of_patience() || Clock::now() > patience;
    });
    ledger.close();
    RunSummary summary = tally_.summary();
    if (setup_.archive) summary.run = setup_.archive->run();
    summary.stop = manifest_.stop;
    summary.calls = ledger.budget().spent();
    if (summary.halt != Halt::no)
      if (const std::string why = ledger.budget().refusal(); !why.empty())
        summary.halt_reason = why;
    // What was committed stays; the writer says what went wrong. What broke because the archive is
    // not what it was is told as that.
    if (attendant_.failure()) attendant_.look_for_archive();
    if (attendant_.failure() && !attendant_.is_archive_gone())
      std::rethrow_exception(attendant_.failure());
    summary.interrupted = attendant_.is_interrupted();
    if (setup_.archive) close_archive(summary);
    setup_.playing.reset();
    // What earlier runs asked is not known here.
    if (summary.before == 0) summary.unasked = tally_.unasked();
    summary.seconds = seconds();
    return summary;
  }

  void close_archive(RunSummary& summary) {
    RunArchive& archive = *setup_.archive;
    if (drift_ && !attendant_.is_archive_gone()) {
      summary.drift = archive.drift();
      manifest_.drift = drift_->manifest();
      manifest_.drift->results = summary.drift;
    }
    archive.end(outcome(summary), final_manifest());
    archive.close();
    summary.rescued = archive.writer().rescued().string();
  }

  /// Keeps what is finished, and ends the process: matches in flight may hang.
  void give_up() {
    RunSummary summary = tally_.summary();
    attendant_.keep_failure([&] {
      summary.stop = scheduler_.stop_state();
      manifest_.stop = summary.stop;
      if (!setup_.archive) return;
      setup_.archive->end("interrupted", final_manifest());
      if (!attendant_.is_archive_gone()) return;
      setup_.archive->close();
      summary.rescued = setup_.archive->writer().rescued().string();
    });
    summary.interrupted = true;
    summary.seconds = seconds();
    options_.abandon(summary, attendant_.failure());
  }

  [[nodiscard]] std::string_view outcome(const RunSummary& summary) const {
    if (attendant_.is_archive_gone()) return "moved";
    if (summary.interrupted) return "interrupted";
    if (summary.halt != Halt::no) return halt_name(summary.halt);
    return summary.unfinished > 0 ? "unfinished" : "done";
  }

  [[nodiscard]] std::string final_manifest() {
    add_calls(manifest_, *setup_.ledger);
    return write_json(manifest_);
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  const Suite& suite_;
  const Catalogue& catalogue_;
  const RunOptions& options_;
  const Clock::time_point start_ = Clock::now();
  RunSetup setup_;
  RunTally tally_{setup_};
  Attendant attendant_{setup_, tally_, [this] { give_up(); }};
  Scheduler scheduler_{setup_, tally_, attendant_};
  std::optional<drift::DriftCheck> drift_;
  Manifest manifest_ = planned_manifest(suite_);
};

}  // namespace

RunSummary run_suite(const Suite& suite, const Catalogue& catalogue, const RunOptions& options) {
  return Run(suite, catalogue, options).go();
}

}  // namespace agon
