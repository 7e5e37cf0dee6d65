#include "replay/import_matches.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <stop_token>
#include <utility>

#include "archive/database/rescue.hpp"
#include "describe/read.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "run/manifest.hpp"
#include "run/planned_match.hpp"
#include "run/run_archive.hpp"

namespace agon {

std::optional<std::string> origin_of(const archive::Archive& archive,
                                     const archive::MatchRow& match) {
  const auto scenarios = archive.scenarios();
  const archive::ScenarioRow& scenario = archive.row(scenarios, match.key.scenario);
  for (const archive::RunRow& run : archive.runs()) {
    if (!run.suite_file || run.seed != scenario.seed) continue;
    const auto text = archive.content(*run.suite_file);
    const auto imported = text ? read_recorded<ImportedRuns>(*text) : std::nullopt;
    if (!imported) continue;
    for (const ImportedRuns::Origin& origin : imported->matches)
      if (origin.scenario == scenario.name && origin.block == match.key.block)
        return fmt::format("{}:{}, of {} ({})", origin.file, origin.line, imported->source,
                           imported->licence);
  }
  return std::nullopt;
}

namespace {

namespace bj = boost::json;

/// Stands for the players of the published matches; their answers come from the log.
class Published final : public Agent {
 public:
  void answer(Question& question) const override { question.decline(); }
};

/// Says what a seat said in one match, and ends the match where that is not possible. It keeps
/// count, for one match alone.
class LogReader final : public Agent {
 public:
  LogReader(const PublishedSeat& seat, std::string name, std::stop_source& stop)
      : seat_(seat), name_(std::move(name)), stop_(stop) {}

  void answer(Question& question) const override {
    const std::string at(question.stage());
    const auto stage = seat_.answers.find(at);
    std::size_t& used = used_[at];
    const bool has_more = stage != seat_.answers.end() && used < stage->second.size();
    if (question.attempt() > 0) {
      give_up(fmt::format("our rules refuse what {} says at stage '{}', {}: {}", name_,
                          question.stage(), stage->second[used - 1].json, question.complaint()));
    } else if (has_more) {
      const PublishedAnswer& next = stage->second[used++];
      if (next.json.empty()) return question.decline();
      if (!next.reason.empty()) question.think(next.reason);
      return question.answer_json(next.json);
    } else if (!question.is_probe()) {
      give_up(fmt::format("{} is asked at stage '{}' and the log has no more answers", name_,
                          question.stage()));
    }
    question.decline();
  }
  [[nodiscard]] bool answers_probes() const override { return true; }

  /// Why the match did not go as the log has it; empty: it did, unless something is left over.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// What the seat said and was never asked for; empty: nothing.
  [[nodiscard]] std::string left_over() const {
    for (const auto& [stage, answers] : seat_.answers) {
      const auto used = used_.find(stage);
      const std::size_t n = used == used_.end() ? 0 : used->second;
      if (n < answers.size())
        return fmt::format(
            "our rules do not ask {} for all that the log has at stage '{}': {} of "
            "{} answers",
            name_, stage, n, answers.size());
    }
    return {};
  }

 private:
  void give_up(std::string why) const {
    if (trouble_.empty()) trouble_ = std::move(why);
    stop_.request_stop();
  }

  const PublishedSeat& seat_;
  std::string name_;
  std::stop_source& stop_;
  mutable std::map<std::string, std::size_t> used_;
  mutable std::string trouble_;
};

/// Numbers are the same up to what writing them down takes.
bool is_same(const bj::value& a, const bj::value& b) {
  if (a.is_number() && b.is_number()) {
    const auto x = a.to_number<double>(), y = b.to_number<double>();
    return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)});
  }
  if (a.is_array() && b.is_array()) {
    const bj::array &x = a.get_array(), &y = b.get_array();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), is_same);
  }
  return a == b;
}

/// What stands for a figure that our rules do not make: JSON too.
constexpr std::string_view kNothing = "null";

/// JSON as people read it: 30 and not 30.0.
std::string text_of(const bj::value& value) {
  return value.is_double() ? fmt::format("{}", value.get_double()) : json::write(value);
}

bj::value number(double value, int decimals) {
  if (!std::isfinite(value)) return nullptr;
  return value / std::pow(10.0, decimals);
}

bj::object metrics(const Type* type, const InlineList<double, kMaxMetrics>& values) {
  bj::object members;
  for (std::size_t i = 0; type != nullptr && i < type->fields.size() && i < values.size(); ++i) {
    const Field& f = type->fields[i];
    const Type* value = f.type->kind == Kind::optional ? f.type->element : f.type;
    members[f.name] = number(values[i], std::max(f.decimals, value->decimals));
  }
  return members;
}

/// A match that was played again, as figures find their places in it.
class ReplayedMatch {
 public:
  ReplayedMatch(const Game& game, const MatchResult& result) : game_(game), result_(result) {
    const record::RecordedTypes recorded(
        [&](const hash::Digest& shape) { return result.shapes->notation(shape); });
    for (const record::Entry& e : record::read(result.record).entries)
      if (e.what == record::Entry::What::event)
        events_[std::string(e.name)].push_back(recorded.json(e.shape, e.payload).value_or("null"));
  }

  /// Nothing where there is no such place.
  [[nodiscard]] std::optional<bj::value> find(const PublishedFigure& figure) const {
    bj::value whole;
    if (figure.event.empty()) {
      whole = outcome();
    } else {
      const auto said = events_.find(figure.event);
      if (said == events_.end() || static_cast<std::size_t>(figure.nth) >= said->second.size())
        return std::nullopt;
      whole = json::parse(said->second[static_cast<std::size_t>(figure.nth)], figure.event);
    }
    boost::system::error_code error;
    const bj::value* found = whole.find_pointer(figure.place, error);
    if (found == nullptr) return std::nullopt;
    return *found;
  }

 private:
  [[nodiscard]] bj::value outcome() const {
    const Outcome& out = result_.outcome;
    bj::array seats;
    for (int i = 0; i < out.seats(); ++i)
      seats.push_back(bj::object{{"score", number(out[i].score, game_.card.score_decimals)},
                                 {"rank", out[i].rank},
                                 {"metrics", metrics(game_.card.seat_metrics, out[i].metrics)}});
    return bj::object{{"seats", std::move(seats)},
                      {"metrics", metrics(game_.card.match_metrics, out.match_metrics())}};
  }

  const Game& game_;
  const MatchResult& result_;
  std::map<std::string, std::vector<std::string>> events_;
};

/// Published matches as a suite asks for them: what shares scenario, settings and agents by seat is
/// a scenario, and each of its matches a block.
class Importing {
 public:
  Importing(const Importer& importer, const Imported& imported, const Catalogue& catalogue,
            const ImportOptions& options)
      : importer_(importer), imported_(imported), catalogue_(catalogue), options_(options) {
    suite_.name = fmt::format("published: {}", importer.id);
    suite_.file = "agon import";
    for (const PublishedMatch& match : imported.matches) place(match);
    for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
      Scenario& s = suite_.scenarios[i];
      s.blocks = blocks_[i];
      s.plan = std::make_shared<const design::MatchPlan>(
          std::vector{design::Seating::as_listed(line_ups_[i], {})}, s.blocks);
    }
    describe();
  }

  ImportedMatches go() {
    for (std::size_t i = 0; i < placed_.size(); ++i) play(placed_[i]);
    if (played_.empty()) return std::move(result_);
    std::error_code error;
    const bool is_new = !std::filesystem::exists(options_.archive, error);
    try {
      store();
    } catch (...) {
      if (is_new) archive::remove_database(options_.archive);
      throw;
    }
    return std::move(result_);
  }

 private:
  /// A published match and its place in the suite.
  struct Placed {
    const PublishedMatch* match;
    std::size_t scenario;
    std::uint64_t block;
  };
  struct Finished {
    Placed placed;
    MatchSetup setup;
    MatchResult result;
  };

  void leave_out(const PublishedMatch& match, std::string why) {
    result_.left_out.push_back({match.file, match.line, std::move(why)});
  }

  /// Finds the scenario of a match, or makes it.
  void place(const PublishedMatch& match) {
    std::string agents;
    for (const PublishedSeat& seat : match.seats) agents += name_of(seat) + '\n';
    const LineUpKey key(static_cast<std::size_t>(match.scenario), agents);
    auto known = by_key_.find(key);
    if (known == by_key_.end()) {
      std::optional<std::size_t> number;
      try {
        number = add_scenario(match);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::not_found) throw;
        why_not_[key] = error.what();
      }
      known = by_key_.emplace(key, number).first;
    }
    if (!known->second) return leave_out(match, why_not_[key]);
    placed_.push_back({&match, *known->second, blocks_[*known->second]++});
  }

  std::size_t add_scenario(const PublishedMatch& match) {
    const PublishedScenario& published =
        imported_.scenarios[static_cast<std::size_t>(match.scenario)];
    const Game& game = catalogue_.game(published.game);
    const bj::value given = json::parse(published.settings.text, importer_.id);
    bj::object overrides = given.as_object();
    std::string preset;
    if (const bj::value* named = overrides.if_contains("preset"); named && named->is_string()) {
      preset = std::string(named->as_string());
      overrides.erase("preset");
    }
    Scenario s;
    s.name = published.name;
    for (int copy = 2; !names_.insert(s.name).second; ++copy)
      s.name = fmt::format("{} ({})", published.name, copy);
    s.game = &game;
    s.plugin_version = version_of_plugin(catalogue_, game.id);
    auto settings = std::make_shared<const Settings>(
        Settings::read(game, preset, overrides, fmt::format("the settings of '{}'", published.name),
                       {"", options_.data_folders}));
    if (settings->seating().size() != match.seats.size())
      throw Error(ErrorKind::invalid, fmt::format("the log has {} seats, the game {}",
                                                  match.seats.size(), settings->seating().size()));
    s.treatments.push_back({"{}", std::move(settings)});
    s.reasks = 1;  // what is refused is asked for once more, so that the reason is known
    design::LineUp line_up;
    for (const PublishedSeat& seat : match.seats)
      line_up.agents.push_back(agent(seat, published.game));
    line_ups_.push_back(std::move(line_up));
    blocks_.push_back(0);
    suite_.scenarios.push_back(std::move(s));
    return suite_.scenarios.size() - 1;
  }

  static std::string base_of(const PublishedSeat& seat) {
    return std::string(kPublished) + seat.agent;
  }
  /// As agents with factors are called.
  static std::string name_of(const PublishedSeat& seat) {
    std::string name = base_of(seat);
    char before = '/';
    for (const auto& [factor, level] : seat.factors) {
      name += before + factor + '=' + level;
      before = ',';
    }
    return name;
  }

  int agent(const PublishedSeat& seat, const std::string& game) {
    const std::string name = name_of(seat);
    bj::object params{
        {"importer", importer_.id}, {"source", importer_.source}, {"licence", importer_.licence}};
    AgentInGame in;
    in.spec = json::write(bj::object{{"agent", "published"}, {"params", std::move(params)}});
    in.digest = hash::sha256(in.spec);
    in.identity = hash::sha256(name + '\0' + in.spec);
    in.agent = published_;
    for (std::size_t i = 0; i < suite_.agents.size(); ++i) {
      if (suite_.agents[i].name() != name) continue;
      suite_.agents[i].play(game, std::move(in));
      return static_cast<int>(i);
    }
    bj::object factors;
    for (const auto& [factor, level] : seat.factors) factors[factor] = level;
    suite_.agents.emplace_back(name, base_of(seat), json::write(factors)).play(game, std::move(in));
    return static_cast<int>(suite_.agents.size() - 1);
  }

  /// What the archive keeps in the place of a suite file: where each match is from.
  void describe() {
    ImportedRuns runs{importer_.id, importer_.source, importer_.licence, {}};
    hash::Sha256 content;
    for (const Placed& p : placed_) {
      runs.matches.push_back({suite_.scenarios[p.scenario].name, static_cast<std::int64_t>(p.block),
                              p.match->file, p.match->line});
      for (const PublishedSeat& seat : p.match->seats)
        for (const auto& [stage, answers] : seat.answers)
          for (const PublishedAnswer& a : answers) content.update(stage + '\0' + a.json + '\0');
      for (const PublishedDraw& d : p.match->draws)
        for (const std::int64_t v : d.values) content.update(d.name + std::to_string(v) + '\0');
    }
    suite_.text = write_json(runs);
    // Other logs are other matches, whatever their places.
    const hash::Digest digest = content.digest();
    for (std::size_t i = 0; i < 4; ++i) suite_.seed = suite_.seed << 8U | digest[i];
  }

  void play(const Placed& placed) {
    const PublishedMatch& match = *placed.match;
    const Scenario& s = suite_.scenarios[placed.scenario];
    MatchSetup setup = match_setup(suite_, s, s.plan->match(placed.block), 0,
                                   std::vector<std::string>(match.seats.size()));
    std::stop_source stop;
    std::vector<std::unique_ptr<LogReader>> readers;
    for (std::size_t i = 0; i < match.seats.size(); ++i) {
      readers.push_back(std::make_unique<LogReader>(match.seats[i], setup.cards[i].name, stop));
      setup.seats[i].agent = readers.back().get();
    }
    GivenDraws given;
    for (const PublishedDraw& draw : match.draws) {
      auto& values = given[{draw.name, draw.at}];
      values.insert(values.end(), draw.values.begin(), draw.values.end());
    }
    setup.given = &given;
    setup.cancel = stop.get_token();
    setup.shapes = shapes_;
    MatchResult result = play_match(setup);
    std::string why;
    for (const auto& reader : readers)
      if (why.empty()) why = reader->trouble();
    if (why.empty() && result.end != End::finished) why = result.problem;
    for (const auto& reader : readers)
      if (why.empty()) why = reader->left_over();
    std::vector<Disagreement> found = compare(placed, *s.game, result);
    if (!why.empty()) {
      if (!found.empty() && found.front().ours != kNothing)
        why += "; our rules part from the log at " + found.front().what;
      why +=
          "; compare the log with its publication: what is so there cannot be played by our rules";
      return leave_out(match, std::move(why));
    }
    result_.figures += match.figures.size();
    std::move(found.begin(), found.end(), std::back_inserter(result_.disagreements));
    for (SeatSetup& seat : setup.seats) seat.agent = published_.get();
    setup.given = nullptr;
    played_.push_back({placed, std::move(setup), std::move(result)});
  }

  [[nodiscard]] std::vector<Disagreement> compare(const Placed& placed, const Game& game,
                                                  const MatchResult& result) const {
    std::vector<Disagreement> found;
    const ReplayedMatch played(game, result);
    for (const PublishedFigure& figure : placed.match->figures) {
      const auto ours = played.find(figure);
      const bj::value published = json::parse(figure.value.text, importer_.id);
      if (ours && is_same(*ours, published)) continue;
      found.push_back({placed.match->file, figure.line == 0 ? placed.match->line : figure.line,
                       suite_.scenarios[placed.scenario].name,
                       static_cast<std::int64_t>(placed.block), figure.what,
                       ours ? text_of(*ours) : std::string(kNothing), text_of(published)});
      if (placed.match->goes_on) break;
    }
    return found;
  }

  void store() {
    RunArchive archive(suite_, options_.archive, false, shapes_);
    archive.begin(catalogue_, options_.command, write_json(planned_manifest(suite_)));
    for (Finished& f : played_) {
      const Scenario& s = suite_.scenarios[f.placed.scenario];
      const PlacedMatch place =
          archive.keys().place(f.placed.scenario, s.plan->match(f.placed.block), 0);
      ++result_.matches;
      if (archive.before(place) == RunArchive::Before::finished)
        ++result_.before;
      else
        archive.store(place, f.setup, f.result, 0, {});
    }
    archive.end("done");
    archive.close();
  }

  const Importer& importer_;
  const Imported& imported_;
  const Catalogue& catalogue_;
  const ImportOptions& options_;
  const std::shared_ptr<const Agent> published_ = std::make_shared<Published>();
  const std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
  Suite suite_;
  using LineUpKey = std::pair<std::size_t, std::string>;    // scenario, agents by seat
  std::map<LineUpKey, std::optional<std::size_t>> by_key_;  // nothing: it cannot be played
  std::map<LineUpKey, std::string> why_not_;
  std::set<std::string> names_;           // of scenarios
  std::vector<design::LineUp> line_ups_;  // by scenario, as the next
  std::vector<std::uint64_t> blocks_;
  std::vector<Placed> placed_;
  std::vector<Finished> played_;
  ImportedMatches result_;
};

}  // namespace

ImportedMatches import_matches(const Importer& importer, const Imported& imported,
                               const Catalogue& catalogue, const ImportOptions& options) {
  return Importing(importer, imported, catalogue, options).go();
}

}  // namespace agon
