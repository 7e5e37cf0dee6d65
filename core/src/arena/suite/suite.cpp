#include "suite/suite.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/spoken.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "branch/branch_design.hpp"
#include "describe/file_text.hpp"
#include "describe/value.hpp"
#include "design/lineups.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "security/trust.hpp"
#include "suite/agents/agent_variants.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/caps.hpp"
#include "suite/people/people_terms.hpp"
#include "suite/people/stage_pages.hpp"
#include "suite/scenario/probes.hpp"
#include "suite/scenario/scenario.hpp"
#include "suite/scenario/skins.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

class SuiteReader {
 public:
  SuiteReader(const Catalogue& catalogue, std::string text, const std::string& file,
              const SuiteOptions& options)
      : text_(std::move(text), file, "see 'agon describe suite'"),
        catalogue_(catalogue),
        options_(options) {
    suite_.file = file;
    suite_.text = text_.text();
    folders_.beside = std::filesystem::path(file).parent_path().string();
    folders_.shipped = options.data_folders;
    folders_.accesses = options.accesses;
  }

  Suite read() {
    said_ = text_.read<suite_file::SuiteDocument>();
    if (said_.branch) return read_branched();
    if (said_.scenarios.empty() && !is_survey())
      text_.fail("missing \"scenarios\"", at("scenarios"),
                 "write \"scenarios\": [ { \"game\": \"NAME\" } ]");
    if (said_.agents.empty() && !is_survey())
      text_.fail("missing \"agents\"", at("agents"), "write \"agents\": { \"floor\": \"random\" }");
    std::vector<std::string> games;
    for (std::size_t i = 0; i < said_.scenarios.size(); ++i) {
      const std::string id(game_of(said_.scenarios[i], at("scenarios")[i]).id);
      if (std::find(games.begin(), games.end(), id) == games.end()) games.push_back(id);
    }
    read_head();
    read_models();
    read_agents(games);
    read_people(games);
    designs_.check(said_.design, at("design"), true);
    std::set<std::string> names;
    for (std::size_t i = 0; i < said_.scenarios.size(); ++i)
      read_scenario(said_.scenarios[i], at("scenarios")[i], names);
    for (std::size_t i = 0; i < said_.scenarios.size(); ++i) read_draws(i);
    add_skins(suite_, said_, catalogue_, options_, text_);
    check_learning();
    read_report();
    read_limits();
    check_batches();
    read_stop();
    check_people();
    read_stages();
    return std::move(suite_);
  }

 private:
  static json::Path at(std::string_view name) { return json::Path() / name; }

  /// People answer questions, and nothing is played.
  [[nodiscard]] bool is_survey() const {
    return said_.people && said_.people->stages && !said_.people->stages->empty() &&
           std::none_of(said_.people->stages->begin(), said_.people->stages->end(),
                        [](const suite_file::StageEntry& stage) { return stage.play.has_value(); });
  }

  void read_head() {
    text_.check(said_);
    suite_.former_names = text_.former_names();
    suite_.name = said_.suite;
    suite_.seed = said_.seed;
    suite_.policy = said_.faults.policy;
    suite_.stop_after = said_.faults.stop_after.value_or(suite_.stop_after);
  }

  /// A suite of branches has its scenarios, and who plays in them, from an archive.
  Suite read_branched() {
    read_head();
    if (!said_.scenarios.empty() || said_.stop || said_.people || said_.probes || said_.skins)
      text_.fail("conflicts with scenarios, stop, people, probes and skins", at("branch"),
                 "leave those out: matches, settings and seats are those of the archive");
    const std::filesystem::path named(said_.branch->archive);
    const std::filesystem::path file =
        named.is_absolute() ? named : std::filesystem::path(folders_.beside) / named;
    const json::Path path = at("branch") / "archive";
    if (options_.accesses != nullptr && !options_.accesses->may_read(file, text_.where(path)))
      text_.fail("the archive may not be read yet", path);
    const BranchDesign design(*said_.branch, text_, file);
    suite_.branched_from = file.string();
    const std::vector<std::string> games = design.games();
    read_models();
    read_agents(games);
    design.add_to(suite_, context_of(games), options_);
    read_report();
    read_limits();
    check_batches();
    if (!options_.until.empty() && options_.until != "all")
      throw Error(ErrorKind::usage, "branches have no stopping rule", "--until");
    return std::move(suite_);
  }

  const Game& game_of(const suite_file::ScenarioEntry& scenario, const json::Path& path) const {
    if (scenario.game.empty()) text_.fail("missing \"game\"", path, "write \"game\": \"NAME\"");
    try {
      if (const auto file = game_file(scenario.game, folders_.beside))
        return catalogue_.game(*file);
      return catalogue_.game(scenario.game);
    } catch (const Error& error) {
      throw Error(error.kind(), error.problem(), text_.where(path / "game"), error.hint());
    }
  }

  /// The scenario's game as a command is to be told it, from where the suite is read.
  [[nodiscard]] std::string name_for_commands(const suite_file::ScenarioEntry& scenario) const {
    if (!game_file(scenario.game, folders_.beside)) return scenario.game;
    return text::shell_word((std::filesystem::path(folders_.beside) / scenario.game).string());
  }

  [[nodiscard]] SpecContext context_of(const std::vector<std::string>& games) const {
    return {.catalogue = catalogue_,
            .games = games,
            .probes = names_of_probes(said_),
            .folder = folders_.beside,
            .models = &models_,
            .dry_run = options_.dry_run,
            .verbose = options_.verbose,
            .ca_file = options_.ca_file,
            .stop = options_.stop,
            .accesses = options_.accesses};
  }

  void read_people(const std::vector<std::string>& games) {
    if (!said_.people) return;
    Participation& people = suite_.people.emplace();
    people.said = *said_.people;
    const json::Path path = at("people");
    const auto agent = [&](const std::string& name, const suite_file::Entry& entry,
                           const json::Path& place) {
      std::vector<AgentSpec> specs =
          AgentSpec::read(context_of(games), name, entry, {text_, place});
      if (specs.size() != 1) text_.fail("must be one agent, without factors", place);
      return std::move(specs.front());
    };
    if (people.said.practice)
      people.trial = agent("trial", *people.said.practice, path / "practice");
    const suite_file::Entry& substitute = people.said.drop_out.substitute;
    if (const auto* text = std::get_if<std::string>(&substitute); text == nullptr || *text != "end")
      people.substitute = agent("substitute", substitute, path / "drop_out" / "substitute");
    if (people.said.consent) {
      people.consent = beside(*people.said.consent, path / "consent");
      if (people.consent.find_first_not_of(" \t\r\n") == std::string::npos && !left_out_)
        text_.fail("the file holds no text to agree to", path / "consent");
    }
    if (people.said.texts) people.texts = beside(*people.said.texts, path / "texts");
    check_terms(people.said, text_, path);
    check_rooms(people.said, path / "rooms");
    if (!people.said.rooms.empty()) suite_.text = text_without_names();
  }

  /// The suite as the archive may have it: who is let into rooms is nobody else's business.
  [[nodiscard]] std::string text_without_names() const {
    bj::value all = text_.document();
    bj::object& people = all.at("people").as_object();
    for (auto& room : people.at("rooms").as_object()) room.value() = bj::array();
    if (bj::value* stages = people.if_contains("stages"))
      for (bj::value& stage : stages->as_array())
        if (bj::value* play = stage.as_object().if_contains("play"))
          play->as_object().erase("groups");
    return json::write_pretty(all) + "\n";
  }

  /// The text of a file beside the suite; empty where it may not be read yet.
  std::string beside(const std::string& name, const json::Path& path) {
    const std::filesystem::path file = std::filesystem::path(name).is_absolute()
                                           ? std::filesystem::path(name)
                                           : std::filesystem::path(folders_.beside) / name;
    if (options_.accesses != nullptr && !options_.accesses->may_read(file, text_.where(path))) {
      left_out_ = true;
      return {};
    }
    return text_.placed(path, [&] {
      try {
        return json::read_file(file);
      } catch (const Error& error) {
        throw Error(error.kind(), error.what(), "", error.hint());
      }
    });
  }

  void check_rooms(const suite_file::People& people, const json::Path& path) const {
    for (const auto& [room, names] : people.rooms) {
      if (room.empty() || room.size() > 100 ||
          room.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
              std::string::npos)
        text_.fail("a room's name is part of its address: letters, digits, - and _", path / room);
      std::set<std::string> taken;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty() || names[i].size() > 200)
          text_.fail("a name has 1 to 200 characters", (path / room)[i]);
        if (!taken.insert(names[i]).second)
          text_.fail("duplicate name '" + names[i] + "' in this room", (path / room)[i]);
      }
    }
  }

  /// Who plays for people must be able to, wherever they have a seat.
  void check_people() const {
    if (!suite_.people) return;
    const json::Path path = at("people");
    check_chat(path / "chat");
    for (const Scenario& s : suite_.scenarios) {
      std::set<std::string> roles;
      const std::vector<SeatCard>& cards = s.treatments.front().settings->seating();
      for (const int a : s.players()) {
        const AgentInGame& in = *suite_.agents[static_cast<std::size_t>(a)].in(s.game->id);
        if (!is_person(*in.agent)) continue;
        roles.insert(in.roles.begin(), in.roles.end());
        if (in.roles.empty())
          for (const SeatCard& card : cards) roles.insert(card.role);
      }
      if (roles.empty()) continue;
      if (suite_.people->substitute)
        check_plays(*suite_.people->substitute, s, roles, path / "drop_out" / "substitute");
      if (suite_.people->trial) {
        for (const SeatCard& card : cards) roles.insert(card.role);
        check_plays(*suite_.people->trial, s, roles, path / "practice");
      }
    }
  }

  void check_chat(const json::Path& path) const {
    const auto& chat = suite_.people->said.chat;
    if (!chat) return;
    for (std::size_t i = 0; i < chat->withhold.size(); ++i)
      if (const std::string& word = chat->withhold[i];
          word.find_first_not_of(" \t\r\n") == std::string::npos || word.size() > 200)
        text_.fail("a word to withhold has 1 to 200 characters", (path / "withhold")[i]);
    if (!chat->scenarios) return;
    std::vector<std::string> names;
    for (const Scenario& s : suite_.scenarios) names.push_back(s.name);
    for (std::size_t i = 0; i < chat->scenarios->size(); ++i)
      if (const std::string& name = (*chat->scenarios)[i];
          std::find(names.begin(), names.end(), name) == names.end())
        text_.fail("unknown scenario '" + name + "'" + text::did_you_mean(name, names),
                   (path / "scenarios")[i]);
  }

  void read_stages() {
    if (!suite_.people) return;
    const auto people_in = [this](std::size_t scenario, std::uint64_t most) {
      const Scenario& s = suite_.scenarios[scenario];
      const auto is_persons = [&](int agent) {
        const AgentInGame* in = suite_.agents[static_cast<std::size_t>(agent)].in(s.game->id);
        return in != nullptr && is_person(*in->agent);
      };
      const std::set<int> players = s.players();
      std::uint64_t found = 0;
      if (std::none_of(players.begin(), players.end(), is_persons)) return found;
      for (std::uint64_t m = 0; m < s.plan->size() && found < most; ++m) {
        const std::vector<int> agents = s.plan->match(m).agents;
        if (std::any_of(agents.begin(), agents.end(), is_persons)) found += s.sequence;
      }
      return found;
    };
    suite_.people->stages = StageReader(text_, suite_, folders_.beside, beside_, people_in).read();
  }

  void check_plays(const AgentSpec& spec, const Scenario& s, const std::set<std::string>& roles,
                   const json::Path& path) const {
    const AgentInGame* in = spec.in(s.game->id);
    if (in == nullptr)
      text_.fail("plays no " + std::string(s.game->id) + ", where people do", path,
                 "name another agent; see 'agon list agents'");
    if (is_person(*in->agent)) text_.fail("is a person itself", path, "name a program or a model");
    if (!in->roles.empty())
      for (const std::string& role : roles)
        if (std::find(in->roles.begin(), in->roles.end(), role) == in->roles.end())
          text_.fail("cannot play the " + role + " of " + s.name, path);
    for (const Treatment& t : s.treatments) spec.check(*s.game, *t.settings, text_.where(path));
  }

  void read_models() {
    for (const auto& [name, model] : said_.models)
      models_.add(name, model, text_.where(at("models") / name));
    for (const std::string& option : options_.models) models_.choose(option);
  }

  void read_agents(const std::vector<std::string>& games) {
    const SpecContext context = context_of(games);
    for (const auto& [name, agent] : said_.agents) {
      const json::Path path = at("agents") / name;
      if (name.empty() || name.find('*') != std::string::npos)
        text_.fail("an agent's name is not empty and has no '*'", path);
      for (AgentSpec& spec : AgentSpec::read(context, name, agent, {text_, path})) {
        if (std::find(names_.begin(), names_.end(), spec.name()) != names_.end())
          text_.fail("duplicate agent name '" + spec.name() + "'", path);
        names_.push_back(spec.name());
        suite_.agents.push_back(std::move(spec));
      }
    }
    models_.check_choices();
    for (const auto& [name, model] : said_.models)
      if (!models_.is_used(name)) check_model(context, model, {text_, at("models") / name});
    replace_agents(context, options_.agents, suite_.agents);
  }

  void read_scenario(const suite_file::ScenarioEntry& said, const json::Path& path,
                     std::set<std::string>& taken) {
    Scenario s;
    const Game& game = game_of(said, path);
    s.game = &game;
    s.plugin_version = version_of_plugin(catalogue_, game.id);
    if (said.name) {
      s.name = *said.name;
      if (s.name.size() > kLongestScenarioName)
        text_.fail("a scenario's name has " + std::to_string(s.name.size()) + " bytes",
                   path / "name", std::to_string(kLongestScenarioName) + " are the most");
      if (!taken.insert(s.name).second)
        text_.fail("duplicate scenario name '" + s.name + "'", path / "name",
                   "give each its own name");
    } else {
      // Unnamed scenarios of one game are numbered; the first keeps the game's name.
      s.name = game.id;
      for (int n = 2; !taken.insert(s.name).second; ++n)
        s.name = std::string(game.id) + "-" + std::to_string(n);
    }
    if (said.instructions)
      s.instructions = read_people_text(text_, path / "instructions", *said.instructions,
                                        folders_.beside, beside_);
    (void)find_preset(game, said.preset, {text_, path / "preset"}, name_for_commands(said));
    read_treatments(s, said, path);

    suite_file::Design design = said_.design;
    json::Path design_path = at("design");
    if (said.design) design = designs_.merged(design, *said.design, path / "design", design_path);
    s.blocks = s.suite_blocks = said.blocks.value_or(design.blocks.value_or(1));
    if (options_.most_blocks > 0) s.blocks = std::min(s.blocks, options_.most_blocks);
    s.repeats = said.repeats.value_or(design.repeats.value_or(1));
    s.sequence = said.sequence;
    s.line_ups = designs_.read(design, design_path);

    check_seats(s, path);
    s.probes = read_probes(text_, s, said_.probes, said.probes, path);
    const design::SeatDesign seats =
        said.seat_rotation.value_or(design.seat_rotation.value_or(design::SeatDesign::automatic));
    s.plan = text_.placed(path, [&] { return plan_of(s, seats); });
    std::set<std::string> languages = all_in(game).languages;
    if (said.prompts && languages.empty()) languages.insert("en");
    const auto prompts_in = [&](const std::string& language) {
      return load_prompts(catalogue_, game, options_.prompt_folders, said.prompts, folders_.beside,
                          text_.where(said.prompts ? path / "prompts" : path), language,
                          options_.accesses);
    };
    for (const std::string& language : languages) s.prompts[language] = prompts_in(language);
    if (suite_.people && suite_.people->said.language != "en")
      if (auto told = prompts_in(suite_.people->said.language); can_be_told(game, *told->language))
        s.people_prompts = std::move(told);
    if (said.pages || suite_.people)
      s.pages = load_stage_pages(catalogue_, game, options_.page_folders, said.pages,
                                 folders_.beside, text_, path, options_.accesses);
    suite_.scenarios.push_back(std::move(s));
  }

  /// Finds the scenario that a scenario has its random draws from, through others that have them
  /// from somewhere else.
  void read_draws(std::size_t scenario) {
    if (!said_.scenarios[scenario].same_draws_as) return;
    Scenario& own = suite_.scenarios[scenario];
    std::vector<std::string> names;
    for (const Scenario& s : suite_.scenarios) names.push_back(s.name);
    const auto seats = [](const Scenario& s) {
      return s.treatments.front().settings->seating().size();
    };
    std::vector<std::string> way{own.name};
    for (std::size_t now = scenario; said_.scenarios[now].same_draws_as;) {
      const std::string& from = *said_.scenarios[now].same_draws_as;
      const json::Path path = at("scenarios")[now] / "same_draws_as";
      const auto found = std::find(names.begin(), names.end(), from);
      if (found == names.end())
        text_.fail("unknown scenario '" + from + "'" + text::did_you_mean(from, names), path);
      const bool is_circle = std::find(way.begin(), way.end(), from) != way.end();
      way.push_back(from);
      if (is_circle)
        text_.fail("no scenario has draws of its own: " + text::joined(way, " as "), path,
                   "leave \"same_draws_as\" out of one of them");
      now = static_cast<std::size_t>(found - names.begin());
      if (const Scenario& other = suite_.scenarios[now]; seats(other) != seats(own))
        text_.fail(fmt::format("'{}' has {} seats and '{}' {}, so their draws are not the same",
                               own.name, seats(own), other.name, seats(other)),
                   at("scenarios")[scenario] / "same_draws_as",
                   "name a scenario with as many seats, or leave it out");
    }
    own.same_draws_as = way.back();
  }

  /// What the agents of the suite are in one game.
  struct AgentsInGame {
    design::Roles roles;  ///< that they can play
    std::set<std::string> languages;
    std::vector<std::size_t> learners;
  };

  /// Found out once: there may be thousands of agents, and hundreds of scenarios.
  AgentsInGame& all_in(const Game& game) {
    const auto [at, is_new] = in_games_.try_emplace(&game);
    AgentsInGame& all = at->second;
    if (!is_new) return all;
    const auto note_language = [&](const AgentInGame& in) {
      if (std::string read = in.agent->language(); !read.empty()) all.languages.insert(read);
    };
    for (std::size_t a = 0; a < suite_.agents.size(); ++a) {
      const AgentInGame* in = suite_.agents[a].in(game.id);
      all.roles.plays.push_back(in == nullptr ? std::vector<std::string>{} : in->roles);
      all.roles.names.push_back(suite_.agents[a].name());
      if (in == nullptr) continue;
      note_language(*in);
      const ModelAgent* model = in->agent->model_agent();
      if (model != nullptr && model->learns()) all.learners.push_back(a);
    }
    if (suite_.people)
      for (const std::optional<AgentSpec>* spec :
           {&suite_.people->trial, &suite_.people->substitute})
        if (const AgentInGame* in = *spec ? (*spec)->in(game.id) : nullptr; in != nullptr)
          note_language(*in);
    return all;
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
        text_.fail("treatments must leave the seats and their roles as they are",
                   path / "treatments", "make a scenario of each");
  }

  std::shared_ptr<const design::MatchPlan> plan_of(const Scenario& s, design::SeatDesign seats) {
    const std::vector<SeatCard>& cards = s.treatments.front().settings->seating();
    design::Roles& roles = all_in(*s.game).roles;
    roles.seats.clear();
    if (std::any_of(cards.begin(), cards.end(), [](const SeatCard& c) { return !c.role.empty(); }))
      for (const SeatCard& card : cards) roles.seats.push_back(card.role);
    std::vector<design::LineUp> who =
        line_ups(s.line_ups, suite_.agents, static_cast<int>(cards.size()), *s.game,
                 seats == design::SeatDesign::as_listed);
    if (!roles.seats.empty() && s.line_ups.kind != LineUpDesign::DesignKind::fixed)
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

  /// Refuses an entry whose agents learn where none of their matches could teach them anything:
  /// they would play as those that do not.
  void check_learning() {
    std::map<std::string, bool> can;  // by entry with agents that learn
    for (const Scenario& s : suite_.scenarios) {
      std::optional<bool> teaches;  // asked for once: matches are played to find out
      for (const std::size_t a : all_in(*s.game).learners) {
        if (!s.players().contains(static_cast<int>(a))) continue;
        bool& any = can[suite_.agents[a].base()];
        if (any) continue;
        if (!teaches)
          teaches = s.sequence > 1 ||
                    std::any_of(s.treatments.begin(), s.treatments.end(), [&](const Treatment& t) {
                      return asks_learnings(*s.game, *t.settings);
                    });
        any = *teaches;
      }
    }
    for (const auto& [name, any] : can)
      if (!any)
        text_.fail("'" + name +
                       "' is to learn, and cannot: each of its matches stands alone, and in none "
                       "of them it is asked what it has learnt",
                   at("agents") / name,
                   "give its scenario a \"sequence\" of 2 or more matches, or leave out "
                   "\"learning\", and \"learns\" of its reasoning");
  }

  void read_treatments(Scenario& s, const suite_file::ScenarioEntry& said, const json::Path& path) {
    const std::string named = name_for_commands(said);
    const bj::object overrides = parsed(said.set);
    std::vector<design::TreatmentFactor> factors;
    std::vector<std::vector<bj::value>> levels;
    for (const auto& [name, values] : said.treatments) {
      const json::Path place = path / "treatments" / name;
      if (values.empty()) text_.fail("must be a list of values to try", place);
      if (overrides.contains(name))
        text_.fail("conflicts with \"set\"", place, "leave it out of \"set\"");
      factors.push_back({name, static_cast<int>(values.size())});
      for (auto& level = levels.emplace_back(); const JsonText& value : values)
        level.push_back(parsed(value));
      s.factors.push_back(name);
    }
    const design::Treatments all(factors);
    if (all.size() > 10'000) text_.fail("makes more than 10000 treatments", path / "treatments");
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      bj::object set = overrides, values;
      const std::vector<int> level = all.levels(i);
      for (std::size_t f = 0; f < factors.size(); ++f) {
        const bj::value& v = levels[f][static_cast<std::size_t>(level[f])];
        set[factors[f].name] = v;
        values[factors[f].name] = v;
      }
      const auto read = [&](const char* key, const bj::object& members) {
        return std::make_shared<const Settings>(
            Settings::read(*s.game, said.preset, members, {text_, path / key}, folders_, named));
      };
      std::shared_ptr<const Settings> settings;
      try {
        settings = read("set", set);
      } catch (const Error& error) {
        const std::string member = (path / "set").str() + ".";
        for (const design::TreatmentFactor& f : factors)
          if (error.where().find(member + f.name) != std::string::npos)
            settings = read("treatments", set);  // it stands there
        throw;
      }
      s.reasks = said_.faults.reasks.value_or(settings->reasks());
      s.treatments.push_back({json::write(bj::value(values)), std::move(settings)});
      if (const std::size_t size = s.treatments.back().values.size(); size > kLongestTreatment)
        text_.fail("a treatment's values have " + std::to_string(size) + " bytes",
                   path / "treatments",
                   std::to_string(kLongestTreatment) + " are the most, as exports repeat them");
    }
  }

  void read_report() {
    const auto has = [&](const std::string& name) {
      return std::find(names_.begin(), names_.end(), name) != names_.end();
    };
    if (!said_.report) {
      if (has("reference")) suite_.against = "reference";
      return;
    }
    if (said_.report->reference) {
      suite_.against = *said_.report->reference;
      if (!has(suite_.against))
        text_.fail(
            "unknown agent '" + suite_.against + "'" + text::did_you_mean(suite_.against, names_),
            at("report") / "reference");
    }
    suite_.aggregate = said_.report->aggregate;
    suite_.level = said_.report->level;
    if (suite_.level <= 0.5 || suite_.level >= 1)
      text_.fail("must be a number between 0.5 and 1, such as 0.95", at("report") / "level");
  }

  void read_limits() {
    if (said_.prices) {
      const std::filesystem::path path(*said_.prices);
      const std::filesystem::path file =
          path.is_absolute() ? path : std::filesystem::path(folders_.beside) / path;
      if (options_.accesses == nullptr ||
          options_.accesses->may_read(file, text_.where(at("prices"))))
        suite_.prices = file.string();
    }
    if (!options_.prices.empty()) suite_.prices = options_.prices;
    const suite_file::Limits& limits = said_.limits;
    suite_.caps = read_caps(limits, text_);
    suite_.part_caps = read_part_caps(limits, text_, models_, suite_);
    const Caps& over = options_.caps;
    if (over.cost) suite_.caps.cost = over.cost;
    if (over.tokens) suite_.caps.tokens = over.tokens;
    if (over.calls) suite_.caps.calls = over.calls;
    suite_.jobs = limits.jobs.value_or(0);
    suite_.answer_limit = std::chrono::seconds(limits.answer_seconds.value_or(0));
  }

  void check_batches() const {
    if (suite_.answer_limit.count() == 0) return;
    for (const AgentSpec& agent : suite_.agents)
      for (const Scenario& s : suite_.scenarios)
        if (const AgentInGame* in = agent.in(s.game->id); in != nullptr)
          if (calls_in_batches(*in->agent))
            text_.fail(
                "agent '" + agent.name() + "' is answered in batches, which take up to a day",
                at("limits") / "answer_seconds", "leave it out, or the model's \"batch\"");
  }

  void read_stop() {
    // What the suite says is checked even where the command line says otherwise.
    if (said_.stop)
      suite_.stop = text_.placed(at("stop"), [&] {
        return read_stop_rule(*said_.stop, suite_, [&](const std::string& member) {
          return text_.where(member.empty() ? at("stop") : at("stop") / member);
        });
      });
    if (options_.until.empty()) return;
    suite_.stop.reset();
    if (options_.until == "all") return;
    try {
      suite_.stop = read_stop_rule(options_.until, suite_);
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, error.problem(), "--until", error.hint());
    }
  }

  const FileText text_;
  const Catalogue& catalogue_;
  const SuiteOptions& options_;
  suite_file::SuiteDocument said_;
  DataFolders folders_;
  Models models_;
  Suite suite_;
  std::vector<std::string> names_;  // of the agents
  std::map<const Game*, AgentsInGame> in_games_;
  bool left_out_ = false;  // a file of people's, as it is not trusted yet
  const ReadNamedFile beside_ = [this](const std::string& name, const json::Path& path) {
    return beside(name, path);
  };
  DesignReader designs_{text_, names_};
};

}  // namespace

std::vector<std::string> SuiteOptions::shipped_folders() const {
  std::vector<std::string> all = data_folders;
  all.insert(all.end(), prompt_folders.begin(), prompt_folders.end());
  all.insert(all.end(), page_folders.begin(), page_folders.end());
  return all;
}

std::string_view name(FaultPolicy policy) {
  return name_of(policy);
}

FaultPolicy fault_policy(std::string_view text, const std::string& where) {
  if (const auto policy = value_named<FaultPolicy>(text)) return *policy;
  throw Error(ErrorKind::invalid,
              "invalid value '" + std::string(text) + "'; expected as-played, forfeit or exclude",
              where);
}

Suite Suite::parse(const Catalogue& catalogue, std::string text, const std::string& file,
                   const SuiteOptions& options) {
  return SuiteReader(catalogue, std::move(text), file, options).read();
}

std::string Suite::read_text(const std::string& file) {
  std::string text = json::read_file(file);
  if (text.starts_with("SQLite format 3"))
    throw Error(ErrorKind::invalid, "expected a suite, got an archive", file,
                "pass the suite file, or read the archive with 'agon report " +
                    text::shell_word(file) + "'");
  return text;
}

Suite Suite::read(const Catalogue& catalogue, const std::string& file,
                  const SuiteOptions& options) {
  return parse(catalogue, read_text(file), file, options);
}

std::uint64_t Suite::matches() const {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const Scenario& s = scenarios[i];
    std::uint64_t own = s.as_seated ? 1 : blocks_of(i) * s.plan->block_size();
    if (s.plan->is_listed()) {
      own = 0;
      for (std::uint64_t block = 0; block < s.plan->blocks(); ++block)
        if (has_block(i, block)) own += s.plan->begin_of(block + 1) - s.plan->begin_of(block);
    }
    n += own * s.sequence;
  }
  return n;
}

}  // namespace agon
