#pragma once

#include <agon/importer.hpp>

namespace ebay {

/// The raw logs of the eBay auctions of Learning from Synthetic Labs, as matches.
[[nodiscard]] agon::Importer llm_auctions_importer();

}  // namespace ebay
