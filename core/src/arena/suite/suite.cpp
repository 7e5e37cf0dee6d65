#include "suite/suite.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <set>

#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "suite/models.hpp"
#include "suite/prompts.hpp"
#include "suite/replace_agents.hpp"
#include "suite/suite_text.hpp"
#include "text/nearest.hpp"
#include "trust/accesses.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

class SuiteReader : private SuiteText {
 public:
  SuiteReader(const Catalogue& catalogue, std::string text, const std::string& file,
              const SuiteOptions& options)
      : SuiteText(std::move(text), file), catalogue_(catalogue), options_(options) {
    suite_.file = file;
    suite_.text = SuiteText::text();
    folders_.beside = std::filesystem::path(file).parent_path().string();
    folders_.shipped = options.data_folders;
    folders_.accesses = options.accesses;
  }

  Suite read() {
    const bj::value document = json::parse(suite_.text, suite_.file);
    const bj::object& top = object(document, {});
    known(top, {},
          {"suite", "seed", "models", "agents", "design", "scenarios", "faults", "report", "limits",
           "prices", "stop"});
    suite_.name = top.contains("suite") ? text(top.at("suite"), at("suite")) : "suite";
    if (const bj::value* seed = top.if_contains("seed"))
      suite_.seed = whole(*seed, at("seed"), 0, std::numeric_limits<std::int64_t>::max());
    read_faults(top);
    const bj::value* scenarios = top.if_contains("scenarios");
    if (scenarios == nullptr || !scenarios->is_array() || scenarios->get_array().empty())
      fail("a suite needs a list of scenarios", at("scenarios"),
           "write \"scenarios\": [ { \"game\": \"NAME\" } ]");
    std::vector<std::string> games;
    for (std::size_t i = 0; i < scenarios->get_array().size(); ++i)
      games.push_back(game_of(scenarios->get_array()[i], at("scenarios")[i]).id.data());
    read_models(top);
    read_agents(top, games);
    if (const bj::value* d = top.if_contains("design")) {
      design_ = object(*d, at("design"));
      designs_.check(design_, at("design"), true);
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < scenarios->get_array().size(); ++i)
      read_scenario(object(scenarios->get_array()[i], at("scenarios")[i]), at("scenarios")[i],
                    names);
    read_report(top);
    read_limits(top);
    read_stop(top);
    return std::move(suite_);
  }

 private:
  static json::Path at(std::string_view name) { return json::Path() / name; }

  const Game& game_of(const bj::value& scenario, const json::Path& path) const {
    const bj::value* game = object(scenario, path).if_contains("game");
    if (game == nullptr) fail("a scenario needs a game", path, "write \"game\": \"NAME\"");
    const std::string id = text(*game, path / "game");
    try {
      return catalogue_.game(id);
    } catch (const Error& error) {
      throw Error(error.kind(), error.problem(), where(path / "game"), error.mend());
    }
  }

  void read_faults(const bj::object& top) {
    const bj::value* faults = top.if_contains("faults");
    if (faults == nullptr) return;
    const bj::object& o = object(*faults, at("faults"));
    known(o, at("faults"), {"reasks", "policy"});
    if (const bj::value* reasks = o.if_contains("reasks"))
      reasks_ = static_cast<int>(whole(*reasks, at("faults") / "reasks", 0, 100));
    if (const bj::value* policy = o.if_contains("policy"))
      suite_.policy =
          fault_policy(text(*policy, at("faults") / "policy"), where(at("faults") / "policy"));
  }

  void read_models(const bj::object& top) {
    if (const bj::value* models = top.if_contains("models"))
      for (const auto& entry : object(*models, at("models"))) {
        const json::Path path = at("models") / entry.key();
        models_.add(entry.key(), entry.value(), where(path));
      }
    for (const std::string& option : options_.models) models_.choose(option);
  }

  void read_agents(const bj::object& top, const std::vector<std::string>& games) {
    const bj::value* agents = top.if_contains("agents");
    if (agents == nullptr || !agents->is_object() || agents->get_object().empty())
      fail("a suite needs agents", at("agents"), "write \"agents\": { \"floor\": \"random\" }");
    std::vector<std::string> unique;
    for (const std::string& g : games)
      if (std::find(unique.begin(), unique.end(), g) == unique.end()) unique.push_back(g);
    const SpecContext context{.catalogue = catalogue_,
                              .games = unique,
                              .folder = folders_.beside,
                              .models = &models_,
                              .dry_run = options_.dry_run,
                              .verbose = options_.verbose,
                              .ca_file = options_.ca_file,
                              .stop = options_.stop,
                              .accesses = options_.accesses};
    for (const auto& entry : agents->get_object()) {
      const json::Path path = at("agents") / entry.key();
      if (entry.key().empty() || std::string_view(entry.key()).find('*') != std::string_view::npos)
        fail("an agent's name is not empty and has no '*'", path);
      for (AgentSpec& spec :
           AgentSpec::read(context, std::string(entry.key()), entry.value(), where(path))) {
        if (std::find(names_.begin(), names_.end(), spec.name()) != names_.end())
          fail("two agents are called '" + spec.name() + "'", path);
        names_.push_back(spec.name());
        suite_.agents.push_back(std::move(spec));
      }
    }
    models_.check_choices();
    replace_agents(context, options_.agents, suite_.agents);
  }

  void read_scenario(const bj::object& o, const json::Path& path, std::set<std::string>& taken) {
    known(o, path,
          {"name", "game", "preset", "set", "treatments", "design", "seats", "blocks", "repeats",
           "sequence", "prompts"});
    Scenario s;
    const Game& game = game_of(o, path);
    s.game = &game;
    s.plugin_version = catalogue_.version_of(game.id);
    if (const bj::value* given = o.if_contains("name")) {
      s.name = text(*given, path / "name");
      if (!taken.insert(s.name).second)
        fail("two scenarios are called '" + s.name + "'", path / "name", "give each its own name");
    } else {
      // Unnamed scenarios of one game are numbered; the first keeps the game's name.
      s.name = game.id;
      for (int n = 2; !taken.insert(s.name).second; ++n)
        s.name = std::string(game.id) + "-" + std::to_string(n);
    }
    const std::string preset = o.contains("preset") ? text(o.at("preset"), path / "preset") : "";
    (void)find_preset(game, preset, where(path / "preset"));
    bj::object overrides;
    if (const bj::value* set = o.if_contains("set")) overrides = object(*set, path / "set");
    read_treatments(s, o, path, preset, overrides);

    bj::object design = design_;
    json::Path design_path = at("design");
    if (const bj::value* own = o.if_contains("design"))
      design = designs_.merged(std::move(design), object(*own, path / "design"), path / "design",
                               design_path);
    const auto number = [&](const char* key, std::uint64_t fallback) {
      if (const bj::value* v = o.if_contains(key)) return whole(*v, path / key, 1, 1'000'000'000);
      if (const bj::value* v = design.if_contains(key))
        return whole(*v, design_path / key, 1, 1'000'000'000);
      return fallback;
    };
    s.blocks = number("blocks", 1);
    if (options_.most_blocks > 0) s.blocks = std::min(s.blocks, options_.most_blocks);
    s.repeats = number("repeats", 1);
    s.sequence = o.contains("sequence") ? whole(o.at("sequence"), path / "sequence", 1, 10'000) : 1;
    s.line_ups = designs_.read(design, design_path);

    check_seats(s, path);
    const bj::value* seats = o.if_contains("seats");
    const json::Path seats_path = (seats != nullptr ? path : design_path) / "seats";
    if (seats == nullptr) seats = design.if_contains("seats");
    design::SeatDesign seat_design = design::SeatDesign::automatic;
    if (seats != nullptr)
      seat_design =
          placed(seats_path, [&] { return design::seat_design(text(*seats, seats_path)); });
    s.plan = placed(path, [&] { return plan_of(s, seat_design); });
    const bj::value* prompts = o.if_contains("prompts");
    bool read = prompts != nullptr;
    for (const AgentSpec& agent : suite_.agents)
      if (const AgentInGame* in = agent.in(game.id))
        read = read || in->agent->model_agent() != nullptr;
    if (read)
      s.prompts =
          load_prompts(catalogue_, game, options_.prompt_folders, prompts, folders_.beside,
                       where(prompts == nullptr ? path : path / "prompts"), options_.accesses);
    suite_.scenarios.push_back(std::move(s));
  }

  /// All treatments of a scenario must have the same seats, since agents are moved over them.
  void check_seats(const Scenario& s, const json::Path& path) const {
    const auto roles = [](const Treatment& t) {
      std::vector<std::string> out;
      for (const SeatCard& card : t.settings->seating()) out.push_back(card.role);
      return out;
    };
    for (const Treatment& t : s.treatments)
      if (roles(t) != roles(s.treatments.front()))
        fail("treatments must leave the seats and their roles as they are", path / "treatments",
             "make a scenario of each");
  }

  std::shared_ptr<const design::MatchPlan> plan_of(const Scenario& s,
                                                   design::SeatDesign seats) const {
    const std::vector<SeatCard>& cards = s.treatments.front().settings->seating();
    design::Roles roles;
    if (std::any_of(cards.begin(), cards.end(),
                    [](const SeatCard& c) { return !c.role.empty(); })) {
      for (const SeatCard& card : cards) roles.seats.push_back(card.role);
      for (const AgentSpec& agent : suite_.agents) {
        const AgentInGame* in = agent.in(s.game->id);
        roles.plays.push_back(in == nullptr ? std::vector<std::string>{} : in->roles);
        roles.names.push_back(agent.name());
      }
    }
    std::vector<design::LineUp> who =
        line_ups(s.line_ups, suite_.agents, static_cast<int>(cards.size()), *s.game,
                 seats == design::SeatDesign::as_listed);
    if (!roles.seats.empty() && s.line_ups.kind != LineUpDesign::Kind::fixed)
      who = design::seatable(std::move(who), roles);
    std::set<int> players;
    for (const design::LineUp& l : who) players.insert(l.agents.begin(), l.agents.end());
    for (const int a : players) {
      const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(a)];
      for (const Treatment& t : s.treatments) agent.check(*s.game, *t.settings, "");
      agent.check_blocks(*s.game, s.name, s.blocks);
    }
    std::vector<design::Seating> seatings;
    for (const design::LineUp& l : who) seatings.push_back(design::Seating::make(l, seats, roles));
    return std::make_shared<const design::MatchPlan>(std::move(seatings), s.blocks, s.repeats,
                                                     s.treatments.size());
  }

  void read_treatments(Scenario& s, const bj::object& o, const json::Path& path,
                       const std::string& preset, const bj::object& overrides) {
    std::vector<design::Factor> factors;
    std::vector<const bj::array*> levels;
    if (const bj::value* given = o.if_contains("treatments")) {
      const bj::object& treatments = object(*given, path / "treatments");
      for (const auto& entry : treatments) {
        const json::Path place = path / "treatments" / entry.key();
        if (!entry.value().is_array() || entry.value().get_array().empty())
          fail("must be a list of values to try", place);
        if (overrides.contains(entry.key()))
          fail("is set and varied at once", place, "leave it out of \"set\"");
        factors.push_back(
            {std::string(entry.key()), static_cast<int>(entry.value().get_array().size())});
        levels.push_back(&entry.value().get_array());
        s.factors.emplace_back(entry.key());
      }
    }
    const design::Treatments all(factors);
    if (all.size() > 10'000) fail("makes more than 10000 treatments", path / "treatments");
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      bj::object set = overrides, values;
      const std::vector<int> level = all.levels(i);
      for (std::size_t f = 0; f < factors.size(); ++f) {
        const bj::value& v = (*levels[f])[static_cast<std::size_t>(level[f])];
        set[factors[f].name] = v;
        values[factors[f].name] = v;
      }
      // Settings add the path of the member that is wrong.
      const auto read = [&](const char* key, const bj::object& members) {
        const json::Path in = path / key;
        const json::Position at = json::position_of(suite_.text, o.contains(key) ? in : path);
        return std::make_shared<const Settings>(Settings::read(
            *s.game, preset, members, json::place(suite_.file, at) + " " + in.str(), folders_));
      };
      std::shared_ptr<const Settings> settings;
      try {
        settings = read("set", set);
      } catch (const Error& error) {
        const std::string member = (path / "set").str() + ".";
        for (const design::Factor& f : factors)
          if (error.where().find(member + f.name) != std::string::npos)
            settings = read("treatments", set);  // it stands there
        throw;
      }
      s.reasks = reasks_ >= 0 ? reasks_ : settings->reasks();
      s.treatments.push_back({json::write(bj::value(values)), std::move(settings)});
    }
  }

  void read_report(const bj::object& top) {
    const bj::value* report = top.if_contains("report");
    if (report == nullptr) {
      for (const std::string& agent : names_)
        if (agent == "reference") suite_.against = agent;
      return;
    }
    const bj::object& o = object(*report, at("report"));
    known(o, at("report"), {"against", "level"});
    if (const bj::value* against = o.if_contains("against")) {
      suite_.against = text(*against, at("report") / "against");
      if (std::find(names_.begin(), names_.end(), suite_.against) == names_.end())
        fail("there is no agent '" + suite_.against + "'" +
                 text::did_you_mean(suite_.against, names_),
             at("report") / "against");
    }
    if (const bj::value* level = o.if_contains("level")) {
      if (!level->is_double() || level->get_double() <= 0.5 || level->get_double() >= 1)
        fail("must be a number between 0.5 and 1, such as 0.95", at("report") / "level");
      suite_.level = level->get_double();
    }
  }

  void read_limits(const bj::object& top) {
    if (const bj::value* prices = top.if_contains("prices")) {
      const std::filesystem::path path(text(*prices, at("prices")));
      const std::filesystem::path file =
          path.is_absolute() ? path : std::filesystem::path(folders_.beside) / path;
      if (options_.accesses == nullptr || options_.accesses->may_read(file, where(at("prices"))))
        suite_.prices = file.string();
    }
    const bj::value* limits = top.if_contains("limits");
    if (limits == nullptr) return;
    const bj::object& o = object(*limits, at("limits"));
    known(o, at("limits"), {"jobs", "answer_seconds", "cost", "tokens", "calls"});
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (const bj::value* cost = o.if_contains("cost")) {
      const json::Path path = at("limits") / "cost";
      suite_.caps.cost = placed(path, [&] {
        return read_cost(cost->is_string() ? std::string(cost->get_string()) : json::write(*cost),
                         {});
      });
    }
    for (auto [key, cap] :
         {std::pair{"tokens", &suite_.caps.tokens}, std::pair{"calls", &suite_.caps.calls}})
      if (const bj::value* most = o.if_contains(key))
        *cap = static_cast<std::int64_t>(whole(*most, at("limits") / key, 0, kMost));
    if (const bj::value* jobs = o.if_contains("jobs"))
      suite_.jobs = static_cast<int>(whole(*jobs, at("limits") / "jobs", 1, kMostJobs));
    if (const bj::value* seconds = o.if_contains("answer_seconds"))
      suite_.answer_limit =
          std::chrono::seconds(whole(*seconds, at("limits") / "answer_seconds", 1, 1'000'000));
  }

  void read_stop(const bj::object& top) {
    // What the suite says is checked even where the command line says otherwise.
    if (const bj::value* stop = top.if_contains("stop"))
      suite_.stop = placed(at("stop"), [&] {
        return read_stop_rule(*stop, suite_, [&](const std::string& member) {
          return where(member.empty() ? at("stop") : at("stop") / member);
        });
      });
    if (options_.until.empty()) return;
    suite_.stop.reset();
    if (options_.until == "all") return;
    try {
      suite_.stop = read_stop_rule(options_.until, suite_);
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, error.problem(), "--until", error.mend());
    }
  }

  const Catalogue& catalogue_;
  const SuiteOptions& options_;
  DataFolders folders_;
  Models models_;
  Suite suite_;
  std::vector<std::string> names_;  // of the agents
  DesignReader designs_{*this, names_};
  bj::object design_;  // of the suite
  int reasks_ = -1;
};

}  // namespace

std::vector<std::string> SuiteOptions::shipped_folders() const {
  std::vector<std::string> all = data_folders;
  all.insert(all.end(), prompt_folders.begin(), prompt_folders.end());
  return all;
}

std::string_view name(FaultPolicy policy) {
  switch (policy) {
    case FaultPolicy::as_played:
      return "as-played";
    case FaultPolicy::forfeit:
      return "forfeit";
    case FaultPolicy::exclude:
      return "exclude";
  }
  return "?";
}

FaultPolicy fault_policy(std::string_view text, const std::string& where) {
  for (const FaultPolicy p : {FaultPolicy::as_played, FaultPolicy::forfeit, FaultPolicy::exclude})
    if (name(p) == text) return p;
  throw Error(ErrorKind::invalid,
              "there is no fault policy '" + std::string(text) + "'" +
                  text::did_you_mean(text, {"as-played", "forfeit", "exclude"}),
              where);
}

Suite Suite::parse(const Catalogue& catalogue, std::string text, const std::string& file,
                   const SuiteOptions& options) {
  return SuiteReader(catalogue, std::move(text), file, options).read();
}

std::string Suite::read_text(const std::string& file) {
  std::string text = json::read_file(file);
  if (text.starts_with("SQLite format 3"))
    throw Error(ErrorKind::invalid, "this is an archive, not a suite", file,
                "name the suite that made it; 'agon report' and 'agon show' read archives");
  return text;
}

Suite Suite::read(const Catalogue& catalogue, const std::string& file,
                  const SuiteOptions& options) {
  return parse(catalogue, read_text(file), file, options);
}

std::set<int> Scenario::players() const {
  std::set<int> numbers;
  for (const design::Seating& line_up : plan->line_ups())
    for (const int agent : line_up.assignment(0)) numbers.insert(agent);
  return numbers;
}

std::uint64_t Suite::matches() const {
  std::uint64_t n = 0;
  for (const Scenario& s : scenarios) n += (s.as_seated ? 1 : s.plan->size()) * s.sequence;
  return n;
}

}  // namespace agon
