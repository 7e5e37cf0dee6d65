#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "viewer/archive_watch.hpp"
#include "viewer/work_queue.hpp"

namespace agon {
class Catalogue;
}

namespace agon::serve {

/// Makes the report of an archive on a thread of its own, and keeps the last one. While the last
/// run is played it has only what holds however often one looks.
class ReportMaker {
 public:
  ReportMaker(const ArchiveWatch& watch, const Catalogue& catalogue)
      : watch_(watch), catalogue_(catalogue) {}

  /// A page, and whether it is the report: if not, it says that the report is being made, or why
  /// there is none.
  struct Page {
    std::string html;
    bool is_report = false;
  };
  /// The last report, which is made anew where there are more matches than it is of. Returns soon.
  [[nodiscard]] Page page();

 private:
  void make(bool playing);

  const ArchiveWatch& watch_;
  const Catalogue& catalogue_;
  std::mutex mutex_;  // of all below
  std::string report_{};
  std::string problem_{};
  std::optional<ArchiveWatch::Known> of_{};  // when it was begun
  bool of_playing_ = false;
  bool report_holds_ = false;  // however often one looks
  bool making_ = false;
  WorkQueue queue_;  // goes first: it uses all of the above
};

}  // namespace agon::serve
