// Ratings that were asked for in matches: of models, programs and people in the browser.

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "archive/archive.hpp"
#include "describe/description.hpp"
#include "json/parse.hpp"
#include "judge/forms.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "results/names.hpp"
#include "results/participant.hpp"

namespace agon::judge {

std::string digest_of(const archive::MatchId& match, int seat) {
  return hash::hex(hash::sha256(fmt::format("judged record {} {}", match.hex(), seat)))
      .substr(0, 16);
}

std::vector<RatingGame> rating_games(const Catalogue& catalogue) {
  static const std::string wanted = write_description(type_of<judging::RatedRecord>());
  std::vector<RatingGame> games;
  for (const Game* game : catalogue.all<Game>()) {
    if (std::ranges::none_of(game->events, [](const EventCard& event) {
          return event.name == judging::kRated.name && write_description(*event.type) == wanted;
        }))
      continue;
    const auto& settings = game->settings->fields;
    const auto records = std::ranges::find_if(
        settings, [](const Field& setting) { return setting.data == judging::kRecordsFormat; });
    if (records != settings.end())
      games.push_back({std::string(game->id), std::string(records->name)});
  }
  return games;
}

namespace {

/// What agents are called as judges, by the hashes of their specs and by their names.
using JudgeNames = std::map<std::pair<hash::Digest, std::string>, std::string>;

std::string name_of(const archive::AgentRow& agent, const std::string& apart) {
  return fmt::format("{} ({}{})", agent.name, report::participant(agent).plays, apart);
}

/// The scenarios of an archive in which records are rated.
std::vector<std::int64_t> rating_scenarios(const archive::Archive& archive,
                                           const std::vector<RatingGame>& games) {
  std::vector<std::int64_t> numbers;
  const auto played = archive.games();
  for (const auto& [number, scenario] : archive.scenarios())
    if (const auto game = played.find(scenario.game);
        game != played.end() &&
        std::ranges::find(games, game->second.name, &RatingGame::id) != games.end())
      numbers.push_back(number);
  return numbers;
}

/// The agents of all archives that rated, each once whatever its skins; those that would be called
/// the same with what tells them apart: "judge (mock/x; persona text:words=...)".
JudgeNames judge_names(const std::vector<std::string>& files,
                       const std::vector<RatingGame>& games) {
  JudgeNames names;
  std::map<std::string, std::map<hash::Digest, archive::AgentRow>> alike;
  std::map<hash::Digest, std::set<hash::Digest>> skinned;  // by the one that stands for them
  for (const std::string& file : files) {
    const archive::Archive archive = archive::Archive::open(file);
    const auto rows = archive.agents();
    // What else an agent played, with other prompts, makes no other judge of it.
    std::set<std::int64_t> raters;
    if (const auto scenarios = rating_scenarios(archive, games); !scenarios.empty())
      archive.matches().each({.in_order = false, .scenarios = scenarios},
                             [&](std::int64_t, const archive::MatchRow& match) {
                               for (const archive::SeatRow& seat : match.seats)
                                 raters.insert(seat.agent);
                               return true;
                             });
    for (const auto& [number, own] : report::rows_of_agents(archive)) {
      if (!raters.contains(number)) continue;
      const archive::AgentRow& agent = rows.at(own);
      alike[name_of(agent, {})].emplace(agent.hash, agent);
      skinned[agent.hash].insert(rows.at(number).hash);
    }
  }
  for (const auto& [name, agents] : alike) {
    std::vector<boost::json::value> specs;
    for (const auto& [digest, agent] : agents) specs.push_back(json::parse(agent.spec, "agent"));
    std::vector<std::string> words = report::differences(specs);
    std::set<std::string> taken;
    auto word = words.begin();
    for (const auto& [digest, agent] : agents) {
      std::string apart = *word++;
      // They may differ in prompts alone.
      if (apart.empty() || !taken.insert(apart).second) apart = hash::hex(digest).substr(0, 6);
      for (const hash::Digest& one : skinned[digest])
        names[{one, agent.name}] = agents.size() == 1 ? name : name_of(agent, "; " + apart);
    }
  }
  return names;
}

/// Reads the ratings of one archive.
class RatedArchive {
 public:
  RatedArchive(const std::string& file, const JudgeNames& names,
               const std::map<std::string, Keyed>& key, ReadForms& out)
      : file_(file),
        archive_(archive::Archive::open(file)),
        agents_(archive_.agents()),
        people_(archive_.people()),
        names_(names),
        key_(key),
        out_(out) {
    for (const std::vector<JudgeRating>* list : {&out.ratings, &out.own})
      for (const JudgeRating& rating : *list) seen_.emplace(rating.record, rating.judge);
  }

  void read(const std::vector<RatingGame>& games) {
    archive::ReadOptions wanted;
    wanted.record = true;
    wanted.scenarios = rating_scenarios(archive_, games);
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
      rating.judge = names_.at({agent.hash, agent.name});
    }
    if (!own) require_same(*rated);
    if (rated->ratings.IA && (own || !key_.at(rating.record).identity))
      throw Error(ErrorKind::invalid,
                  fmt::format("'{}' rates IA of '{}', whose player was given no identity",
                              rating.judge, rating.record),
                  file_,
                  "rate the records as 'agon judge' wrote them, and load the plugins of their "
                  "games");
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
  const JudgeNames& names_;
  const std::map<std::string, Keyed>& key_;
  ReadForms& out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

void read_rated(const std::vector<std::string>& files, const std::vector<RatingGame>& games,
                const std::map<std::string, Keyed>& key, ReadForms& out) {
  const JudgeNames names = judge_names(files, games);
  for (const std::string& file : files) RatedArchive(file, names, key, out).read(games);
}

}  // namespace agon::judge
