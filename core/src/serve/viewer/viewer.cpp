#include "viewer/viewer.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/assets.hpp"
#include "http/exchange.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "replay/branch_tree.hpp"
#include "replay/told_match.hpp"
#include "report/render/render.hpp"
#include "report/report.hpp"
#include "viewer/archive_watch.hpp"
#include "viewer/match_index.hpp"
#include "viewer/run_state.hpp"

namespace agon::serve {
namespace {

/// Does pieces of work one after the other on a thread of its own, so that the server's need not
/// wait for them.
class WorkQueue {
 public:
  WorkQueue() : thread_([this] { work(); }) {}
  /// Finishes what it is at and drops the rest.
  ~WorkQueue() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      waiting_.clear();
    }
    changed_.notify_all();
    thread_.join();
  }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Puts a piece of work, which must not throw, behind the others; false if too many wait.
  [[nodiscard]] bool add(std::function<void()> work) {
    constexpr std::size_t kMostWaiting = 200;
    const std::lock_guard lock(mutex_);
    if (ending_ || waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(work));
    changed_.notify_one();
    return true;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (ending_) return;
        next = std::move(waiting_.front());
        waiting_.pop_front();
      }
      next();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

/// Makes the report of an archive on a thread of its own, and keeps the last one. While the last
/// run is played it has only what holds however often one looks.
class ReportMaker {
 public:
  ReportMaker(const ArchiveWatch& watch, const Catalogue& catalogue)
      : watch_(watch), catalogue_(catalogue) {}

  /// A page, and whether it is the report: if not, it says that the report is being made, or why
  /// there is none.
  struct Page {
    std::string html;
    bool is_report = false;
  };
  /// The last report, which is made again where there are more matches than it is of. Returns soon.
  [[nodiscard]] Page page();

 private:
  void make(bool playing);

  const ArchiveWatch& watch_;
  const Catalogue& catalogue_;
  std::mutex mutex_;  // of all below
  std::string report_{};
  std::string problem_{};
  std::optional<ArchiveWatch::Known> of_{};  // when it was begun
  bool of_playing_ = false;
  bool report_holds_ = false;  // however often one looks
  bool making_ = false;
  WorkQueue queue_;  // goes first: it uses all of the above
};

const report::BesideReport kBeside{"/assets/report.css", "/assets/report/report.js", "/archive"};

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
    report::ReportRequest choice;
    choice.rates = report::rates_of(catalogue_);
    choice.detail = report::Detail::full;
    choice.anytime = playing;
    if (playing) choice.sections = kHoldAlways;
    report::Document document = report::document_of(watch_.path(), choice);
    if (playing) {
      // That the run has not ended is said here, with what else there is to know.
      std::erase_if(document.warnings,
                    [](const report::ReportAlert& alert) { return !alert.command.empty(); });
      document.warnings.insert(
          document.warnings.begin(),
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

/// What went wrong, whatever it is: who asked waits on another thread than this.
Response response_to(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  return error_response(known != nullptr ? *known : Error(ErrorKind::failure, error.what()));
}

/// Those who look on.
class Onlookers {
 public:
  void add(std::shared_ptr<EventStream> stream) {
    const std::lock_guard lock(mutex_);
    streams_.push_back(std::move(stream));
  }
  void tell(const std::string& state) {
    std::vector<std::shared_ptr<EventStream>> streams;
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(streams_, [](const auto& stream) { return !stream->is_open(); });
      streams = streams_;
    }
    for (const auto& stream : streams) stream->send("run", state);
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<EventStream>> streams_;
};

/// What of a request's path follows `path`.
std::string behind(const Exchange& exchange, std::string_view path) {
  return exchange.request.path.substr(path.size());
}

}  // namespace

struct Viewer::Impl {
  Impl(std::string path, const Catalogue& plugins, OwnRun* run)
      : catalogue(plugins),
        own(run),
        watch(std::move(path), run, [this](const std::string& state) { onlookers.tell(state); }),
        reports(watch, plugins) {}

  const Catalogue& catalogue;
  OwnRun* own;
  Onlookers onlookers;
  ArchiveWatch watch;
  ReportMaker reports;
  WorkQueue lists;

  // Of the thread that tells.
  struct TranscriptReader {
    archive::Archive archive;
    MatchTeller teller;
    ArchiveWatch::Known of;  ///< what it knows the names of
    TranscriptReader(const std::string& path, const Catalogue& plugins, ArchiveWatch::Known now)
        : archive(archive::Archive::open(path)), teller(archive, plugins), of(now) {}
  };
  std::unique_ptr<TranscriptReader> telling;
  WorkQueue tellings;

  /// Answers from a queue with what `work` makes, JSON, or why it could not.
  static void answer(WorkQueue& queue, const Exchange& exchange,
                     std::function<std::string()> work) {
    const bool taken = queue.add([exchange, work = std::move(work)] {
      try {
        exchange.respond({.body = work()});
      } catch (const std::exception& error) {
        exchange.respond(response_to(error));
      }
    });
    if (!taken) exchange.respond(text_response(503, "too much is asked for at once"));
  }

  /// JSON made of the archive, its rows and its index.
  template <class Make>
  std::string look(Make make) const {
    std::string json;
    watch.look([&](const ArchiveRows& rows, const MatchIndex& index) {
      json = write_json(make(archive::Archive::open(watch.path()), rows, index));
    });
    return json;
  }

  /// Reads the matches of these ids, together. Who tells is kept as long as nobody plays what it
  /// has no names for: learning them may take a look at all matches.
  template <class Make>
  std::string with_matches(const std::vector<std::string>& ids, Make make) {
    const ArchiveWatch::Known now = watch.known();
    std::vector<std::int64_t> numbers;
    const auto find = [&] {
      if (!telling || telling->of.file != now.file)
        telling = std::make_unique<TranscriptReader>(watch.path(), catalogue, now);
      numbers.clear();
      for (const std::string& id : ids) numbers.push_back(telling->archive.matches().find(id));
    };
    find();
    if (std::ranges::max(numbers) > telling->of.last) {
      telling.reset();
      find();
    }
    std::string json;
    telling->archive.together([&] { json = make(telling->teller, numbers); });
    return json;
  }

  /// A match, and the texts that its calls refer to.
  [[nodiscard]] std::string told(const std::string& id) {
    return with_matches({id}, [](MatchTeller& teller, const std::vector<std::int64_t>& numbers) {
      SharedTexts texts;
      return "{\"match\":" + write_json(teller.tell(numbers[0], texts)) +
             ",\"texts\":" + write_json(texts.all()) + "}";
    });
  }

  [[nodiscard]] std::string tree(const std::string& id) {
    return with_matches({id}, [](MatchTeller& teller, const std::vector<std::int64_t>& numbers) {
      return write_json(teller.tree(numbers[0]));
    });
  }

  /// Which steps of two matches stand side by side.
  [[nodiscard]] std::string beside(const std::string& id, const std::string& other) {
    return with_matches(
        {id, other}, [](MatchTeller& teller, const std::vector<std::int64_t>& numbers) {
          SharedTexts texts;
          return write_json(
              side_by_side(teller.tell(numbers[0], texts), teller.tell(numbers[1], texts)));
        });
  }

  void follow(const Exchange& exchange) {
    const auto stream = exchange.stream();
    if (stream == nullptr) return;
    onlookers.add(stream);
    // Before the first look there is nothing to say; it is told to all who are here.
    if (watch.has_looked()) stream->send("run", watch.state());
  }
  void steer(const Exchange& exchange) {
    const std::string what = JsonBody(exchange.request).text("do");
    if (own == nullptr || own->now().state == OwnRun::RunPhase::idle)
      throw Error(ErrorKind::usage, "this server does not play the archive's run", {},
                  "stop it where it was begun");
    if (what == "stop")
      own->stop();
    else if (what == "go-on")
      own->go_on();
    else
      throw Error(ErrorKind::usage, "\"do\" is stop or go-on");
    watch.hurry();
    exchange.respond({.body = "{}"});
  }
};

Viewer::Viewer(std::string archive, const Catalogue& catalogue, OwnRun* own)
    : inside_(std::make_unique<Impl>(std::move(archive), catalogue, own)) {}
Viewer::~Viewer() = default;

void Viewer::add_routes(Router& router, const Door& door) {
  Impl* const in = inside_.get();
  const auto guard = [&](Handler handler) { return door.guard(std::move(handler)); };
  // Where people take part, another page is the first.
  for (const char* path : {"/", "/archive"})
    router.get(path, guard([](const Exchange& exchange) {
                 exchange.respond(asset_response(*asset("viewer/viewer.html"), exchange.request));
               }));
  router.get("/assets/report.css", [](const Exchange& exchange) {
    exchange.respond({.content_type = "text/css; charset=utf-8", .body = report::report_style()});
  });
  router.get(
      "/api/archive", guard([in](const Exchange& exchange) {
        const auto suite = exchange.request.query.find("suite");
        in->answer(
            in->lists, exchange,
            [in, asked = suite == exchange.request.query.end() ? std::string() : suite->second] {
              return in->look([&](const auto& archive, const auto& rows, const auto& index) {
                return archive_head(archive, rows, index, asked);
              });
            });
      }));
  router.get("/api/matches", guard([in](const Exchange& exchange) {
               in->answer(in->lists, exchange, [in, asked = exchange.request.query] {
                 return in->look([&](const auto& archive, const auto& rows, const auto& index) {
                   return list_matches(archive, rows, index, asked);
                 });
               });
             }));
  const auto tell = [&](const std::string& path, std::string (Impl::*make)(const std::string&)) {
    router.get(path + "*", guard([in, path, make](const Exchange& exchange) {
                 in->answer(in->tellings, exchange,
                            [in, make, id = behind(exchange, path)] { return (in->*make)(id); });
               }));
  };
  tell("/api/match/", &Impl::told);
  tell("/api/tree/", &Impl::tree);
  router.get("/api/beside/*", guard([in](const Exchange& exchange) {
               const std::string ids = behind(exchange, "/api/beside/");
               const std::size_t end = std::min(ids.find('/'), ids.size());
               in->answer(in->tellings, exchange,
                          [in, id = ids.substr(0, end),
                           other = ids.substr(std::min(end + 1, ids.size()))] {
                            return in->beside(id, other);
                          });
             }));
  router.get("/api/report", guard([in](const Exchange& exchange) {
               ReportMaker::Page page = in->reports.page();
               exchange.respond({.status = page.is_report ? 200 : 202,
                                 .content_type = "text/html; charset=utf-8",
                                 .body = std::move(page.html)});
             }));
  router.get("/api/run", guard([in](const Exchange& exchange) {
               exchange.respond({.body = in->watch.state()});
             }));
  router.post("/api/run", guard([in](const Exchange& exchange) { in->steer(exchange); }));
  router.get("/events", guard([in](const Exchange& exchange) { in->follow(exchange); }));
}

}  // namespace agon::serve
