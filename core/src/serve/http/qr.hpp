#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon::serve {

/// A QR code of the text (ISO/IEC 18004, medium error correction) as an SVG picture, with the
/// margin of four modules that readers need. Throws Error (invalid) for more text than one holds,
/// some 2300 bytes.
AGON_API std::string qr_svg(std::string_view text);

}  // namespace agon::serve
