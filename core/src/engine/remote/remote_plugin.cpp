#include "remote/remote_plugin.hpp"

#include <agon/error.hpp>
#include <agon/json_reader.hpp>

#include "describe/description.hpp"
#include "remote/pool.hpp"
#include "remote/remote_agent.hpp"
#include "remote/remote_game.hpp"
#include "text/utf8.hpp"

namespace agon::remote {

struct RemotePlugin::Parts {
  explicit Parts(Launch launch) : pool(std::move(launch)) {}

  Pool pool;
  std::string name, version, language;
  std::vector<std::unique_ptr<RemoteGame>> games;
  std::vector<Game> cards;
  std::vector<std::unique_ptr<RemoteAgent>> agents;
  std::vector<AgentCard> agent_cards;
  std::vector<std::string> left_out;

  static std::string name_of(const JsonNode& node) {
    std::string name = text::printable(node.text());
    if (text::width(name) > kWidestName)
      node.fail("it has more than " + std::to_string(kWidestName) + " characters", "shorten it");
    return name;
  }

  void read_hello(const JsonNode& hello) {
    hello.allow_only(
        {"type", "protocol", "name", "version", "language", "games", "agents", "left_out"});
    name = name_of(hello["name"]);
    version = name_of(hello["version"]);
    if (const auto said = hello.find("language")) language = name_of(*said);
    if (name.empty()) hello["name"].fail("the plugin has no name", "give it one");
    const JsonNode list = hello["games"];
    for (std::size_t i = 0; i < length_of(list); ++i) {
      games.push_back(std::make_unique<RemoteGame>(list[i], pool));
      cards.push_back(games.back()->game());
    }
    if (const auto brought = hello.find("agents"); brought && pool.launch().is_worker)
      for (std::size_t i = 0; i < length_of(*brought); ++i) {
        agents.push_back(std::make_unique<RemoteAgent>((*brought)[i], pool));
        for (const Game& game : cards)
          if (game.id == agents.back()->agent().game) agents.back()->play(*game.settings);
        agent_cards.push_back(agents.back()->agent());
      }
    if (const auto rest = hello.find("left_out"); rest && pool.launch().is_worker)
      for (std::size_t i = 0; i < length_of(*rest); ++i) left_out.push_back(name_of((*rest)[i]));
  }
};

RemotePlugin::RemotePlugin(Launch launch) : parts_(std::make_unique<Parts>(std::move(launch))) {
  const std::string& file = parts_->pool.launch().file;
  const auto refuse = [&](std::string problem, std::string mend = {}) {
    throw Error(ErrorKind::not_found, std::move(problem), file, std::move(mend));
  };
  try {
    (void)parts_->pool.take();
  } catch (const RemoteFault& fault) {
    refuse(fault.what(), fault.mend());
  } catch (const Error& error) {
    refuse(error.problem(), error.mend());
  }
  try {
    parts_->read_hello(JsonDocument(parts_->pool.hello(), "").root());
  } catch (const Error& error) {
    refuse("its hello is not as docs/game-protocol.md has it: " + error.where() + ": " +
               error.problem(),
           error.mend());
  }
}

RemotePlugin::~RemotePlugin() = default;

const std::string& RemotePlugin::name() const {
  return parts_->name;
}
const std::string& RemotePlugin::version() const {
  return parts_->version;
}
const std::string& RemotePlugin::language() const {
  return parts_->language;
}
std::span<const Game> RemotePlugin::games() const {
  return parts_->cards;
}
std::span<const AgentCard> RemotePlugin::agents() const {
  return parts_->agent_cards;
}
const std::vector<std::string>& RemotePlugin::left_out() const {
  return parts_->left_out;
}
const Launch& RemotePlugin::launch() const {
  return parts_->pool.launch();
}
const std::string& RemotePlugin::hello() const {
  return parts_->pool.hello();
}
std::unique_ptr<WatchedProcess> RemotePlugin::start(const std::vector<std::string>& files) const {
  return parts_->pool.start(files);
}

}  // namespace agon::remote
