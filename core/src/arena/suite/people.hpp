#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>

#include "suite/agent_spec.hpp"
#include "suite/suite_file.hpp"

namespace agon {

/// How people take part in the browser, read and checked.
struct People {
  suite_file::People said;
  std::string consent;  ///< the text to agree to; empty: nobody is asked
  std::string texts;    ///< a JSON object: sentences over those of the pages; empty: none
  std::optional<AgentSpec> trial;       ///< none: there is no trial match
  std::optional<AgentSpec> substitute;  ///< none: the match ends
};

/// True if a person answers through the agent: what they say takes time, theirs.
[[nodiscard]] inline bool is_person(const Agent& agent) {
  return agent.waits() && agent.is_costly();
}

}  // namespace agon
