#pragma once

#include <string>
#include <vector>

#include "drift/manifest.hpp"
#include "drift/questions.hpp"
#include "suite/suite.hpp"

namespace agon::drift {

/// A model of a suite: agents that have it share one line.
struct SuiteModel {
  std::string spec;                    ///< digest of how it is set, in hexadecimal digits
  std::vector<std::string> agents;     ///< names, in the order of the suite
  std::shared_ptr<const Agent> agent;  ///< one that can put probes to it
};

/// The different models of the agents that take part in a suite, in its order. Two are the same if
/// they are set alike; how they are called (keys, tries, limits of time) makes no difference.
[[nodiscard]] std::vector<SuiteModel> models_of(const Suite& suite);

/// What the manifest of a run says of its drift check before any model is asked.
[[nodiscard]] Manifest manifest_of(const Questions& questions,
                                   const std::vector<SuiteModel>& models);

}  // namespace agon::drift
