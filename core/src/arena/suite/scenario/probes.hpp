#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "suite/suite.hpp"
#include "table/probes.hpp"

namespace agon {

/// The probes of a scenario whose game and treatments are read: its own, which stand at `path`, or
/// the suite's; null: none. Throws Error with its place for what the game's card does not have, and
/// for what would show a seat more than it may know.
[[nodiscard]] std::shared_ptr<const Probes> read_probes(
    const FileText& text, const Scenario& scenario,
    const std::optional<std::vector<ProbeEntry>>& of_suite,
    const std::optional<std::vector<ProbeEntry>>& own, const json::Path& path);

/// The names of all probes of a suite.
[[nodiscard]] std::vector<std::string> names_of_probes(const suite_file::SuiteDocument& suite);

}  // namespace agon
