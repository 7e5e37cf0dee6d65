#include "people/study.hpp"

#include <agon/error.hpp>
#include <agon/language.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "describe/value.hpp"
#include "http/assets.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/words_for_people.hpp"
#include "settings/settings.hpp"
#include "suite/people/people_terms.hpp"
#include "text/hash.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;

bj::object shipped_in(const std::string& language) {
  const Asset* file = asset("texts/" + language + ".json");
  if (file == nullptr) return {};
  return json::parse(file->bytes, language + ".json").as_object();
}

const Participation& people_of(const Suite& suite) {
  if (!suite.people)
    throw Error(ErrorKind::invalid, "the suite says nothing of people", suite.file + " ($.people)",
                "write \"people\": { \"participants\": 2 }; see 'agon describe suite'");
  return *suite.people;
}

/// The agent of that number, as it plays the scenario's game.
const Agent& agent_of(const Suite& suite, const Scenario& s, int number) {
  return *suite.agents[static_cast<std::size_t>(number)].in(s.game->id)->agent;
}

}  // namespace

void each_people_match(const Suite& suite,
                       const std::function<void(std::size_t, std::uint64_t,
                                                const design::PlannedMatch&, std::size_t)>& each) {
  constexpr std::uint64_t looked_at = 100'000;
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    const auto people_in = [&](const std::vector<int>& agents) {
      return static_cast<std::size_t>(std::count_if(agents.begin(), agents.end(), [&](int agent) {
        return is_person(agent_of(suite, s, agent));
      }));
    };
    const auto& line_ups = s.plan->line_ups();
    if (std::none_of(line_ups.begin(), line_ups.end(), [&](const design::Seating& line_up) {
          return people_in(line_up.assignment(0)) > 0;
        }))
      continue;
    const std::uint64_t end = std::min(s.plan->size(), looked_at);
    for (std::uint64_t m = 0; m < end; ++m) {
      const design::PlannedMatch planned = s.plan->match(m);
      if (const std::size_t people = people_in(planned.agents); people > 0)
        each(i, m, planned, people);
    }
  }
}

std::vector<std::string> PageTexts::shipped() {
  std::vector<std::string> there;
  for (const char* language : {"en", "de", "zh"})
    if (asset("texts/" + std::string(language) + ".json") != nullptr) there.emplace_back(language);
  return there;
}

PageTexts::PageTexts(const std::string& language, const std::string& own,
                     const std::string& where) {
  bj::object all = shipped_in("en");
  const auto shipped = PageTexts::shipped();
  if (own.empty() && std::find(shipped.begin(), shipped.end(), language) == shipped.end())
    throw Error(ErrorKind::invalid, "the pages do not speak '" + language + "'", where,
                "say \"language\": en, de or zh, or give their sentences in a file of \"texts\"");
  for (const auto& sentence : shipped_in(language)) all[sentence.key()] = sentence.value();
  if (!own.empty()) {
    const bj::value read = json::parse(own, where);
    if (!read.is_object()) throw Error(ErrorKind::invalid, "must be a JSON object", where);
    std::vector<std::string> known;
    for (const auto& sentence : all) known.emplace_back(sentence.key());
    for (const auto& sentence : read.as_object()) {
      const std::string key(sentence.key());
      const std::string place = where + ": \"" + key + "\"";
      const bj::value* before = all.if_contains(key);
      if (before == nullptr)
        throw Error(ErrorKind::invalid,
                    "no page says '" + key + "'" + text::did_you_mean(key, known), place);
      if (!sentence.value().is_string()) throw Error(ErrorKind::invalid, "must be a text", place);
      const std::set<std::string> holes = text::names_in_braces(before->as_string());
      for (const std::string& hole : text::names_in_braces(sentence.value().as_string()))
        if (!holes.contains(hole))
          throw Error(ErrorKind::invalid, "nothing stands for {" + hole + "} here", place);
      all[key] = sentence.value();
    }
  }
  for (const auto& sentence : all)
    sentences_.emplace(sentence.key(), std::string(sentence.value().as_string()));
  json_ = json::write(bj::value(std::move(all)));
}

std::string PageTexts::say(
    std::string_view key,
    std::initializer_list<std::pair<std::string_view, std::string_view>> holes) const {
  const auto at = sentences_.find(key);
  std::string text = at == sentences_.end() ? std::string(key) : at->second;
  for (const auto& [name, value] : holes) {
    const std::string hole = "{" + std::string(name) + "}";
    for (std::size_t from = text.find(hole); from != std::string::npos;
         from = text.find(hole, from + value.size()))
      text.replace(from, hole.size(), value);
  }
  return text;
}

std::string announced(const std::string& rules, const std::optional<std::size_t>& reading) {
  return reading ? std::to_string(*reading) + "\n" + rules : rules;
}

Study::Study(const Suite& of)
    : suite(of),
      people(people_of(of)),
      texts(people.said.language, people.texts, of.file + " ($.people.texts)"),
      readings(of) {
  std::set<std::string> rules, opponents;
  std::set<std::optional<std::size_t>> read;
  std::size_t last = suite.scenarios.size();
  each_people_match(suite, [&](std::size_t scenario, std::uint64_t m,
                               const design::PlannedMatch& match, std::size_t) {
    if (matches++ == 0) trial_scenario = scenario, trial_match = m;
    if (scenario != last) ++scenarios, last = scenario;
    const Scenario& s = suite.scenarios[scenario];
    rules.insert(WordsForPeople(s.people_prompts)
                     .rules(*s.game, s.treatments[match.treatment].settings->get()));
    read.insert(readings.of_scenario(s.name));
    std::size_t persons = 0;
    for (const int number : match.agents)
      if (const Agent& agent = agent_of(suite, s, number); !is_person(agent))
        opponents.insert(agent.model_agent() != nullptr ? "server.models" : "server.programs");
      else if (++persons > 1)
        opponents.insert("server.people");
  });
  if (matches == 0 && plays())
    throw Error(ErrorKind::invalid, "no seat of any match is a person's",
                suite.file + " ($.people)",
                "name an agent \"human\" in \"agents\", or --agent NAME=human");
  if (rules.size() == 1 && read.size() == 1) {
    instructions = *rules.begin();
    reading = *read.begin();
  }
  const std::string all =
      text::joined(opponents, "; ", [&](const std::string& key) { return texts.say(key); });
  told = people.said.disclosure ? *people.said.disclosure
         : all.empty()          ? texts.say("server.told_alone")
                                : texts.say("server.told", {{"who", all}});
  if (auto parameters = panel_of(people.said)) panel.emplace(std::move(*parameters));
  if (!people.consent.empty()) consent_digest = hash::hex(hash::sha256(people.consent));
}

std::int64_t Study::first_stage(StageKind kind) const {
  const auto at = std::find_if(stages().begin(), stages().end(),
                               [&](const PeopleStage& stage) { return stage.kind == kind; });
  return at == stages().end() ? 0 : at - stages().begin() + 1;
}

std::size_t Study::matches_each() const {
  std::size_t all = 0;
  for (const PeopleStage& stage : stages()) all += stage.matches;
  return all;
}

std::string Study::score_told(const std::string& scenario, double score) const {
  for (const Scenario& s : suite.scenarios)
    if (s.name == scenario) return score_text(score, s.game->card.score_decimals);
  return {};
}

}  // namespace agon::serve
