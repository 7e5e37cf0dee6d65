#pragma once

#include <filesystem>

namespace agon::test {

/// The repository that the tests were built from.
[[nodiscard]] std::filesystem::path source_folder();

/// Where the published data sets are, if anywhere: $AGON_DATA, else `shared/data` beside the
/// repository. They are not part of it.
[[nodiscard]] std::filesystem::path published_data_folder();

}  // namespace agon::test
