#include "http/qr.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <qrcodegen/qrcodegen.hpp>

namespace agon::serve {

std::string qr_svg(std::string_view text) {
  using qrcodegen::QrCode;
  constexpr int kMargin = 4;
  try {
    const QrCode code = QrCode::encodeText(std::string(text).c_str(), QrCode::Ecc::MEDIUM);
    std::string dark;
    for (int y = 0; y < code.getSize(); ++y)
      for (int x = 0; x < code.getSize(); ++x)
        if (code.getModule(x, y)) dark += fmt::format("M{} {}h1v1h-1z", x + kMargin, y + kMargin);
    const int side = code.getSize() + 2 * kMargin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" "
        "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{0}v{0}h-{0}z\"/>"
        "<path fill=\"#000\" d=\"{1}\"/></svg>",
        side, dark);
  } catch (const qrcodegen::data_too_long&) {
    throw Error(ErrorKind::invalid, "a QR code does not hold so much text");
  }
}

}  // namespace agon::serve
