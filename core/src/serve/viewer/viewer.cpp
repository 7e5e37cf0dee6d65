#include "viewer/viewer.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <mutex>
#include <vector>

#include "http/assets.hpp"
#include "http/responses.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/render.hpp"
#include "run/told_match.hpp"
#include "viewer/archive_head.hpp"
#include "viewer/archive_watch.hpp"
#include "viewer/match_list.hpp"
#include "viewer/own_run.hpp"
#include "viewer/report_maker.hpp"
#include "viewer/work_queue.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;

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

}  // namespace

struct Viewer::Inside {
  Inside(std::string path, const Catalogue& plugins, OwnRun* run)
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
  struct Telling {
    archive::Archive archive;
    MatchTeller teller;
    ArchiveWatch::Known of;  ///< what it knows the names of
    Telling(const std::string& path, const Catalogue& plugins, ArchiveWatch::Known now)
        : archive(archive::Archive::open(path)), teller(archive, plugins), of(now) {}
  };
  std::unique_ptr<Telling> telling;
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

  /// A match, and the texts that its calls refer to. Who tells is kept as long as nobody plays what
  /// it has no names for: learning them may take a look at all matches.
  [[nodiscard]] std::string told(const std::string& id) {
    const ArchiveWatch::Known now = watch.known();
    std::int64_t number = 0;
    const auto find = [&] {
      if (!telling || telling->of.file != now.file)
        telling = std::make_unique<Telling>(watch.path(), catalogue, now);
      number = telling->archive.find(id);
    };
    find();
    if (number > telling->of.last) {
      telling.reset();
      find();
    }
    std::string json;
    telling->archive.together([&] {
      SharedTexts texts;
      json = "{\"match\":" + write_json(telling->teller.tell(number, texts)) + ",\"texts\":[";
      for (std::size_t i = 0; i < texts.all().size(); ++i) {
        if (i > 0) json += ',';
        json::append_string(json, texts.all()[i]);
      }
      json += "]}";
    });
    return json;
  }

  void steer(const Exchange& exchange) {
    const bj::value asked = json::parse(exchange.request.body, "the request");
    const bj::value* what = asked.is_object() ? asked.get_object().if_contains("do") : nullptr;
    if (own == nullptr || own->now().state == OwnRun::State::idle)
      throw Error(ErrorKind::usage, "this server does not play the archive's run", {},
                  "stop it where it was begun");
    if (what != nullptr && *what == "stop")
      own->stop();
    else if (what != nullptr && *what == "go-on")
      own->go_on();
    else
      throw Error(ErrorKind::usage, "\"do\" is stop or go-on");
    watch.hurry();
    exchange.respond({.body = "{}"});
  }
};

Viewer::Viewer(std::string archive, const Catalogue& catalogue, OwnRun* own)
    : inside_(std::make_unique<Inside>(std::move(archive), catalogue, own)) {}
Viewer::~Viewer() = default;

void Viewer::add_routes(Router& router, const Door& door) {
  Inside* const in = inside_.get();
  const auto guard = [&](Handler handler) { return door.guard(std::move(handler)); };
  // Where people take part, another page is the first.
  for (const char* path : {"/", "/archive"})
    router.get(path, guard([](const Exchange& exchange) {
                 exchange.respond(asset_response(*asset("viewer.html"), exchange.request));
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
  router.get("/api/match/*", guard([in](const Exchange& exchange) {
               const std::string id =
                   exchange.request.path.substr(std::string_view("/api/match/").size());
               in->answer(in->tellings, exchange, [in, id] { return in->told(id); });
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
  router.get("/events", guard([in](const Exchange& exchange) {
               const auto stream = exchange.stream();
               if (stream == nullptr) return;
               in->onlookers.add(stream);
               // Before the first look there is nothing to say; it is told to all who are here.
               if (in->watch.has_looked()) stream->send("run", in->watch.state());
             }));
}

}  // namespace agon::serve
