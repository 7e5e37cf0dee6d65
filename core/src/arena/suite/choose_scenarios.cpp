#include "suite/choose_scenarios.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>

#include "suite/suite.hpp"

namespace agon {

void choose_scenarios(Suite& suite, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string known;
  for (const Scenario& s : suite.scenarios) known += (known.empty() ? "" : ", ") + s.name;
  for (const std::string& name : names)
    if (std::none_of(suite.scenarios.begin(), suite.scenarios.end(),
                     [&](const Scenario& s) { return s.name == name; }))
      throw Error(ErrorKind::usage,
                  fmt::format("the suite has no scenario '{}'; it has {}", name, known),
                  "--scenario");
  std::erase_if(suite.scenarios, [&](const Scenario& s) {
    return std::find(names.begin(), names.end(), s.name) == names.end();
  });
}

}  // namespace agon
