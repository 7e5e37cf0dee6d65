#pragma once

#include <agon/export.hpp>
#include <string_view>

#include "http/exchange.hpp"

namespace agon::serve {

/// A file of core/src/serve/page/, compiled in.
struct Asset {
  std::string_view name;  ///< below that folder: "vendor/preact.js"
  std::string_view content_type;
  std::string_view bytes;
  std::string_view etag;  ///< made of its SHA-256, with quotation marks
};

/// The file of that name; null if there is none.
AGON_API const Asset* asset(std::string_view name);

/// The answer that is this file, or, to a browser that has it, that it may go on with what it has.
AGON_API Response asset_response(const Asset& asset, const Request& asked);

/// Adds /assets/NAME for all of them, and /favicon.ico.
AGON_API void add_assets(Router& router);

}  // namespace agon::serve
