#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drift/result.hpp"

namespace agon::drift {

/// What the manifest of a run says of its drift check.
struct Manifest {
  struct Model {
    std::string spec;
    std::vector<std::string> agents;
  };
  std::string questions;
  std::vector<Model> models;
  std::optional<std::vector<Row>> results;
};
AGON_DESCRIBE(Manifest::Model, (spec, "SHA-256 of how it is set"), (agents, "that it plays as"))
AGON_DESCRIBE(Manifest, (questions, "SHA-256 of their file, in `content`"),
              (models, "that are asked, in the order of their calls' seats"),
              (results, "in the end: what they said", left_out))

/// Of a manifest, what tells of the check. Results are worked out from the calls.
struct CheckOfRun {
  std::optional<Manifest> drift;
};
AGON_DESCRIBE(CheckOfRun, (drift, "absent: the run had none"))

}  // namespace agon::drift
