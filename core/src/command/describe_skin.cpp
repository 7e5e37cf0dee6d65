#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "command/command.hpp"
#include "command/describe.hpp"
#include "command/output.hpp"
#include "command/run/suite.hpp"
#include "settings/settings.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/scenario/skins.hpp"
#include "suite/suite.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

namespace agon::command {

namespace bj = boost::json;

std::shared_ptr<const Skin> asked_skin(Invocation& call, const Scenario& scenario) {
  const Game& game = *scenario.game;
  auto skin = find_skin(shipped_skins(call.catalogue(), game, suite_options(call).prompt_folders),
                        call.text("skin"), "");
  for (const auto& [language, prompts] : scenario.prompts)
    if (prompts->language != nullptr)
      throw Error(ErrorKind::usage, "an agent reads '" + language + "', and skins are in English",
                  "--skin", "leave out the agent's \"language\", or --skin");
  if (const std::string problem = problem_of(*skin, player_texts(scenario)); !problem.empty())
    throw Error(
        ErrorKind::invalid,
        "the skin '" + skin->name() + "' does not fit " + std::string(game.id) + ": " + problem, "",
        "give the skin another word");
  return skin;
}

void describe_skin(Invocation& call, const Game& game) {
  const std::vector<std::string> prompt_folders = suite_options(call).prompt_folders;
  Scenario scenario;
  scenario.game = &game;
  scenario.treatments.push_back({"{}", std::make_shared<const Settings>(Settings::read(
                                           game, "", {}, "defaults", {"", data_folders()}))});
  scenario.prompts["en"] =
      load_prompts(call.catalogue(), game, prompt_folders, {}, "", std::string(game.id));
  const std::shared_ptr<const Skin> skin = asked_skin(call, scenario);
  const std::string rules = skin->shown(scenario.treatments.front().settings->rules());
  if (call.json()) {
    bj::object words;
    for (const auto& [from, to] : skin->words()) words[from] = to;
    print_json(bj::object{{"game", bj::string(game.id)},
                          {"skin", skin->name()},
                          {"story", skin->text().story},
                          {"scale", skin->text().scale},
                          {"words", std::move(words)},
                          {"rules", rules}});
    return;
  }
  print_line(heading(std::string(game.id) + " as " + text::printable(skin->name())));
  print(paragraph(skin->text().story, 2));
  print_line("\n" + heading("Rules, as models are told them with the default settings"));
  print(paragraph(rules, 2));
  print_line("\n" + heading("Seats"));
  text::TextTable seats({{"seat"}, {"name"}, {"role"}});
  int number = 0;
  for (const SeatCard& seat : scenario.treatments.front().settings->seating())
    seats.add({std::to_string(number++), skin->shown(seat.name),
               seat.role.empty() ? "any" : skin->shown(seat.role)});
  print(seats.str(2));
  if (!game.stages.empty()) print_line("\n" + heading("Stages: what seats are asked"));
  for (const StageCard& stage : game.stages) {
    print(paragraph(std::string(stage.name) + ": " + skin->shown(stage.doc), 2));
    print(paragraph(skin->shown_schema(schema_json(*stage.answer)), 4));
  }
  print_line("\n" + heading("Words"));
  text::TextTable words({{"original"}, {"skin"}});
  for (const auto& [from, to] : skin->words()) words.add({from, to});
  print(words.str(2));
  if (skin->text().scale != 1)
    print_line("  Amounts are shown times " + std::to_string(skin->text().scale) + ".");
}

}  // namespace agon::command
