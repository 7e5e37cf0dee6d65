#include "run/match_identity.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon {

namespace bj = boost::json;

std::string settings_document(const Scenario& scenario, const Treatment& treatment) {
  bj::object document;
  document["game"] = bj::string(scenario.game->id);
  document["preset"] = treatment.settings->preset();
  document["reasks"] = scenario.reasks;
  document["settings"] = json::parse(treatment.settings->brief(), "settings");
  return json::write(bj::value(std::move(document)));
}

hash::Digest agent_identity(const AgentInGame& agent, const PromptSet* prompts) {
  if (prompts == nullptr || !agent.agent->reads_prompts()) return agent.identity;
  return hash::sha256(hash::hex(agent.identity) + '\0' + prompts->digest);
}

StoredSettings read_settings_document(const Game& game, const archive::Archive& archive,
                                      const hash::Digest& digest) {
  const std::string place = archive.path().string();
  const std::optional<std::string> text = archive.content(digest);
  if (!text)
    throw Error(ErrorKind::invalid, "the archive has lost the settings of a scenario", place,
                "restore it from a copy");
  const bj::value document = json::parse(*text, place);
  bj::object settings = document.at("settings").as_object();
  for (auto& entry : settings) {
    const bj::object* reference = entry.value().if_object();
    if (reference == nullptr || !reference->contains("sha256") || !reference->contains("data"))
      continue;
    const std::optional<hash::Digest> named =
        hash::read_hex(std::string_view(reference->at("sha256").as_string()));
    const std::optional<std::string> data = named ? archive.content(*named) : std::nullopt;
    if (!data)
      throw Error(ErrorKind::invalid,
                  "the archive has lost the data of setting '" + std::string(entry.key()) + "'",
                  place, "restore it from a copy");
    entry.value() = json::parse(*data, place);
  }
  const std::string preset(document.at("preset").as_string());
  return {Settings::read(game, preset, settings, place + " (recorded settings)", {}),
          static_cast<int>(document.at("reasks").as_int64())};
}

}  // namespace agon
