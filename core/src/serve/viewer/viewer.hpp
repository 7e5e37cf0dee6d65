#pragma once

#include <agon/export.hpp>
#include <memory>
#include <string>

#include "http/door.hpp"
#include "http/exchange.hpp"

namespace agon {
class Catalogue;
}

namespace agon::serve {

class OwnRun;

/// Pages on an archive, which a run may be writing: how its last run stands, its matches by what
/// they are looked for, each of them told, and the report.
class AGON_API Viewer {
 public:
  /// `own`: the run of this process that writes the archive, to be stopped and taken up from the
  /// page; null: there is none. What is referred to must outlive it. An archive that is not there,
  /// or is damaged, is said on the page.
  Viewer(std::string archive, const Catalogue& catalogue, OwnRun* own = nullptr);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// Adds `/` and `/archive`, `/api/...` and `/events` for those who were let in, and the style of
  /// reports. The server that has the routes must end before this does.
  void add_routes(Router& router, const Door& door);

 private:
  struct Impl;
  std::unique_ptr<Impl> inside_;
};

}  // namespace agon::serve
