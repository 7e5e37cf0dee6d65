// The match that docs/game-protocol.md prints is what the two sides say, line by line.

#include <cstdlib>
#include <iterator>

#include "catch.hpp"
#include "remote/game.hpp"
#include "support/folders.hpp"

namespace remote_document_test {

using namespace agon;

/// Says the document's lines of the game, and wants to hear those of the arena. Which version the
/// arena is of is not looked at.
constexpr const char* kReader = R"py(
import json, sys
text = open(sys.argv[1]).read().split("## Example match")[1].split("```text\n")[1].split("```")[0]
for line in text.splitlines():
    if line[0] == "<":
        print(line[2:], flush=True)
        continue
    heard, wanted = json.loads(sys.stdin.readline()), json.loads(line[2:])
    if heard["type"] == "hello": heard["version"] = wanted["version"]
    if heard != wanted: sys.exit("heard " + json.dumps(heard) + " instead of " + line[2:])
sys.stdin.readline()
)py";

TEST_CASE("the match in the document is played as it is printed") {
  remote::Launch launch;
  launch.file = "docs/game-protocol.md";
  launch.words = {"python3", "-B", "-c", kReader,
                  (test::source_folder() / "docs" / "game-protocol.md").string()};
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name))
      launch.environment.push_back(std::string(name) + "=" + value);
  const remote::RemotePlugin plugin(launch);
  REQUIRE(plugin.cards().games.size() == 1);
  // One hands over all at first, and three when that is not allowed; the other agrees.
  const seam::Inline agent(
      [](const seam::Ask& ask) {
        if (ask.stage == "reply") return Reply{.json = R"({"accept": true})"};
        return Reply{.json = ask.attempt == 0 ? R"({"give": 9})" : R"({"give": 3})"};
      },
      false);
  const seam::Scene scene(plugin.cards().games.front(), "{}");
  const MatchResult result = play_match(scene.setup({&agent}, 6));
  INFO(result.problem);
  REQUIRE(result.end == End::finished);
  CHECK(result.outcome[0].score == 6);
  CHECK(result.outcome[1].score == 3);
}

}  // namespace remote_document_test
