#include "viewer/report_maker.hpp"

#include <agon/error.hpp>
#include <utility>

#include "report/plot/markup.hpp"
#include "report/render.hpp"
#include "report/report.hpp"

namespace agon::serve {
namespace {

const report::BesideReport kBeside{"/assets/report.css", "/archive"};

/// Sections that say nothing which looking again and again would make untrue: intervals that hold
/// at every look, and counts.
const std::vector<std::string> kHoldAlways = {"stop", "anytime", "faults", "missing", "use"};

constexpr const char* kWaits = "The report is being made. This page waits for it.";

std::string page_that_says(const std::string& words, bool again) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Agon "
      "report</title>\n";
  if (again) page += "<meta http-equiv=\"refresh\" content=\"1\">\n";
  return page + "<link rel=\"stylesheet\" href=\"" + kBeside.style +
         "\">\n</head>\n<body>\n<main>\n<p><a href=\"" + kBeside.matches +
         "\">Archive and matches</a></p>\n<h1>Agon report</h1>\n<p>" + report::markup(words) +
         "</p>\n</main>\n</body>\n</html>\n";
}

}  // namespace

ReportMaker::Page ReportMaker::page() {
  // Until it is known whether a run goes on, nothing is told of it.
  if (!watch_.has_looked()) return {page_that_says(kWaits, true)};
  const ArchiveWatch::Known now = watch_.known();
  const bool playing = watch_.is_playing();
  const std::lock_guard lock(mutex_);
  if (!making_ &&
      (!of_ || of_->file != now.file || of_->last != now.last || of_playing_ != playing)) {
    making_ = queue_.add([this, playing] { make(playing); });
    of_ = now;
    of_playing_ = playing;
  }
  if (!report_.empty() && (report_holds_ || !playing)) return {report_, true};
  if (making_) return {page_that_says(kWaits, true)};
  return {page_that_says("There is no report: " + problem_ + ".", false)};
}

void ReportMaker::make(bool playing) {
  std::string made, problem;
  try {
    report::Choice choice;
    choice.rates = report::rates_of(catalogue_);
    choice.detail = report::Detail::full;
    choice.anytime = playing;
    if (playing) choice.sections = kHoldAlways;
    report::Document document = report::document_of(watch_.path(), choice);
    if (playing) {
      // That the run has not ended is said here, with what else there is to know.
      std::erase_if(document.alerts,
                    [](const report::Alert& alert) { return !alert.command.empty(); });
      document.alerts.insert(
          document.alerts.begin(),
          {"The run goes on: here is only what holds however often one looks. Loading the page "
           "again brings it up to date.",
           ""});
    }
    made = report::render_html(document, kBeside);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const std::lock_guard lock(mutex_);
  report_holds_ = playing;
  report_ = std::move(made);
  problem_ = std::move(problem);
  making_ = false;
}

}  // namespace agon::serve
