#pragma once

#include <agon/export.hpp>
#include <string>

#include "http/door.hpp"
#include "http/router.hpp"
#include "plugin/catalogue.hpp"

namespace agon::serve {

/// The pages of an archive.
class AGON_API Viewer {
 public:
  /// Makes the archive's report; throws Error where it cannot be read.
  Viewer(const std::string& archive, const Catalogue& plugins);

  /// Adds "/", for who was let in.
  void add_routes(Router& router, const Door& door);

 private:
  std::string report_;
};

}  // namespace agon::serve
