// Ratings that were asked for in matches: of models, programs and people in the browser.

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <set>

#include "archive/archive.hpp"
#include "describe/description.hpp"
#include "judge/forms.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "results/participant.hpp"

namespace agon::judge {

std::string digest_of(const archive::MatchId& match, int seat) {
  return hash::hex(hash::sha256(fmt::format("judged record {} {}", match.hex(), seat)))
      .substr(0, 16);
}

std::vector<std::string> rating_games(const Catalogue& catalogue) {
  static const std::string wanted = write_description(type_of<judging::RatedRecord>());
  std::vector<std::string> ids;
  for (const Game* game : catalogue.all<Game>())
    if (std::any_of(game->events.begin(), game->events.end(), [](const EventCard& event) {
          return event.name == judging::kRated.name && write_description(*event.type) == wanted;
        }))
      ids.emplace_back(game->id);
  return ids;
}

namespace {

/// Reads the ratings of one archive.
class RatedArchive {
 public:
  RatedArchive(const std::string& file, const std::map<std::string, Keyed>& key, ReadForms& out)
      : file_(file),
        archive_(archive::Archive::open(file)),
        agents_(archive_.agents()),
        people_(archive_.people()),
        key_(key),
        out_(out) {
    for (const std::vector<JudgeRating>* list : {&out.ratings, &out.own})
      for (const JudgeRating& rating : *list) seen_.emplace(rating.record, rating.judge);
  }

  void read(const std::vector<std::string>& games) {
    archive::ReadOptions wanted;
    wanted.record = true;
    const auto played = archive_.games();
    for (const auto& [number, scenario] : archive_.scenarios())
      if (const auto game = played.find(scenario.game);
          game != played.end() &&
          std::find(games.begin(), games.end(), game->second.name) != games.end())
        wanted.scenarios.push_back(number);
    std::size_t found = 0;
    // No scenarios would mean all of them.
    if (!wanted.scenarios.empty())
      archive_.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& match) {
        if (match.status != archive::MatchStatus::finished || match.seats.empty()) return true;
        for (const record::Entry& entry : record::read(match.record).entries)
          if (entry.what == record::Entry::What::event && entry.name == judging::kRated.name) {
            add(match, entry);
            ++found;
          }
        return true;
      });
    if (found == 0)
      throw Error(ErrorKind::invalid, "the archive has no ratings", file_,
                  "pass an archive of the suite judges.json that 'agon judge' wrote, or forms");
  }

 private:
  void add(const archive::MatchRow& match, const record::Entry& entry) {
    const auto json = recorded_.json(entry.shape, entry.payload);
    if (!json) archive_.damaged("an entry of a match's record cannot be decoded");
    const auto rated = read_back<judging::RatedRecord>(*json);
    const bool own = rated->record == kOwnPlay;
    JudgeRating rating{std::string(rated->record), {}, {}};
    for (std::size_t d = 0; d < kDimensions; ++d)
      rating.values[d] = judging::rating_at(rated->ratings, d);
    const auto person = people_.find({match.key.id, 0});
    if (person != people_.end()) {
      rating.judge = person->second;
    } else {
      const archive::AgentRow& agent = archive_.row(agents_, match.seats.front().agent);
      rating.plays = report::participant(agent).plays;
      rating.judge = fmt::format("{} ({})", agent.name, rating.plays);
    }
    if (!own) require_same(*rated);
    if (rating.values == decltype(rating.values)()) {
      if (match.seats.front().fallbacks > 0)
        ++out_.unanswered[rating.judge];
      else
        out_.blank += own ? 0 : 1;
    } else if (own && person == people_.end()) {
      ++out_.own_of_agents[rating.judge];
    } else if (!seen_.emplace(rating.record, rating.judge).second) {
      ++out_.repeated[rating.judge];
    } else {
      (own ? out_.own : out_.ratings).push_back(std::move(rating));
    }
  }

  /// Throws unless the key has the record, and for the same match and seat.
  void require_same(const judging::RatedRecord& rated) const {
    const auto keyed = key_.find(std::string(rated.record));
    if (keyed != key_.end() && digest_of(keyed->second.match, keyed->second.seat) == rated.key)
      return;
    throw Error(
        ErrorKind::invalid,
        keyed == key_.end()
            ? fmt::format("it rates '{}', and the key has no such record", rated.record)
            : fmt::format("its record '{}' is another match or seat than the key's", rated.record),
        file_, "the ratings are of another study: name its key with --key");
  }

  std::string file_;
  archive::Archive archive_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::pair<archive::MatchId, int>, std::string> people_;
  record::RecordedTypes recorded_{
      [this](const hash::Digest& digest) { return archive_.content(digest); }};
  const std::map<std::string, Keyed>& key_;
  ReadForms& out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

void read_rated(const std::string& file, const std::vector<std::string>& games,
                const std::map<std::string, Keyed>& key, ReadForms& out) {
  RatedArchive(file, key, out).read(games);
}

}  // namespace agon::judge
