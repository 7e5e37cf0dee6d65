#pragma once

#include <agon/importer.hpp>
#include <agon/plugin.hpp>

namespace bargaining {

/// The AmazonHistoryPrice files as published -> a product file; see import.hpp.
[[nodiscard]] agon::Importer amazon_history_importer();

}  // namespace bargaining
