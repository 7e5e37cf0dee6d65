#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

#include "isolation/isolation.hpp"

namespace agon {

/// What stands in front of a plugin's files: `agon-worker plugin --memory ...`, with full path.
[[nodiscard]] AGON_API std::vector<std::string> worker_words(const ProcessLimits& limits);

/// The words that start a program locked in: `agon-worker program ... -- words`. It reads
/// `readable` (files, and folders with all below), itself, and what programs need of the system. A
/// Python is looked up first, so that what is started is the interpreter itself and not a script
/// that chooses one, and so that it reads its own modules. Throws Error (not_found) where there is
/// no such program.
[[nodiscard]] AGON_API std::vector<std::string> locked_program(
    std::vector<std::string> words, const std::vector<std::string>& readable,
    const ProcessLimits& limits);

}  // namespace agon
