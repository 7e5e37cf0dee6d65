#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace agon::serve {

/// How long people stay at a page, by which the slow ones are seen. Used with the session's mutex
/// held.
class AGON_API PageTimes {
 public:
  /// Somebody is at this page now. `now`: session clock, `time`: since 1970.
  void at(const std::string& participant, const std::string& page, std::int64_t now,
          std::int64_t time);
  /// Since when somebody is where they are: milliseconds since 1970; 0: not known.
  [[nodiscard]] std::int64_t since(const std::string& participant) const;
  /// The median of how long others were at the page where somebody is, or have been so far, in
  /// milliseconds; nothing while fewer than three others have been there.
  [[nodiscard]] std::optional<std::int64_t> usual(const std::string& participant,
                                                  std::int64_t now) const;

 private:
  struct Visit {
    std::string page{};
    std::int64_t began = 0;  ///< session clock
    std::int64_t time = 0;   ///< since 1970
  };
  struct PastVisit {
    std::string participant{};
    std::int64_t lasted = 0;
  };
  std::map<std::string, Visit> now_;                     ///< by participant
  std::map<std::string, std::deque<PastVisit>> before_;  ///< by page
};

}  // namespace agon::serve
