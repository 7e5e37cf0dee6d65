#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "http/door.hpp"
#include "http/exchange.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

/// A session: people in browsers, at the tables of a run. It knows who is where, brings people
/// together as they arrive, puts the questions of their seats to them, and keeps what they say
/// before it says so. Its functions are called from the server's thread and from the threads of the
/// matches; what has its time is done on a thread of its own.
class AGON_API Session final : public PeopleAtTables {
 public:
  /// `archive`: of the run; what must not be lost stands beside it, in NAME.people.
  /// `participants`: links, 0: as the suite says. Throws Error for a suite that says nothing of
  /// people, and for files that cannot be had.
  Session(const Suite& suite, const std::filesystem::path& archive, std::uint64_t participants);
  ~Session() override;

  /// The pages of participants, and behind the door those of the researcher. Both must outlive the
  /// router's use.
  void add_routes(Router& router, Door& door);
  /// What addresses begin with, for links as pictures: "http://127.0.0.1:8123".
  void found_at(std::string url);

  [[nodiscard]] bool seat(const TableToSeat& table, MatchSetup& setup,
                          const std::stop_token& stop) override;
  void stand_up(const archive::MatchId& match, const MatchResult& result) override;
  [[nodiscard]] std::size_t most_tables() const override;

  /// The run came to its end: no match will be played any more. Not called where it was interrupted
  /// and is to be resumed.
  void run_over();

  /// Paths of the links that are known, in order of participants.
  [[nodiscard]] std::vector<std::string> links() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  struct Impl;
  void keep_time(const std::stop_token& stop);

  const std::filesystem::path path_;
  const std::unique_ptr<Impl> parts_;
  std::jthread time_;
};

}  // namespace agon::serve
