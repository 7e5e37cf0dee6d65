#pragma once

#include <string>
#include <string_view>

#include "suite/suite.hpp"

namespace agon {

class RunLedger;

/// What a run planned and met, as JSON: matches by scenario, agents with the digests of their specs
/// and prompts, caps; after the run the models that were called, by what names they were served,
/// with which parameters. `more`: a JSON object whose members are added. `ledger`: null at first.
[[nodiscard]] std::string run_manifest(const Suite& suite, std::string_view more,
                                       const RunLedger* ledger);

}  // namespace agon
