#pragma once

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agon::test {

/// A finished match written by hand, for tables whose cells are worked out beside it.
struct WrittenMatch {
  using Metrics = std::map<std::string, double, std::less<>>;
  struct Seat {
    std::string agent;
    Metrics metrics{};
    std::string name{};
    std::string person{};
  };
  std::vector<Seat> seats;
  std::string settings = "{}";
  std::int64_t block = 0;
  Metrics metrics{};
  std::vector<std::pair<std::string, std::string>> events{};  ///< by name, as JSON
  std::string scenario = "s";
  std::string treatment = "{}";
  std::int64_t repeat = 0;
};

/// Some of them, in the order of an archive.
class WrittenMatches final : public PlayedMatches {
 public:
  explicit WrittenMatches(std::vector<WrittenMatch> matches) {
    for (WrittenMatch& match : matches) rows_.emplace_back(std::move(match));
  }
  void each(const std::function<void(const PlayedMatch&)>& each) const override {
    for (const Row& row : rows_) each(row);
  }
  [[nodiscard]] double level() const override { return 0.95; }

 private:
  class Row final : public PlayedMatch {
   public:
    explicit Row(WrittenMatch match) : match_(std::move(match)) {
      for (const WrittenMatch::Seat& written : match_.seats) {
        PlayedSeat& seat = seats_.emplace_back();
        seat.name = written.name;
        seat.agent = seat.base = written.agent;
        seat.person = written.person;
      }
    }
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    std::string_view game() const override { return ""; }
    std::string_view scenario() const override { return match_.scenario; }
    std::string_view preset() const override { return ""; }
    std::string_view treatment() const override { return match_.treatment; }
    std::string_view settings() const override { return match_.settings; }
    std::int64_t block() const override { return match_.block; }
    std::int64_t repeat() const override { return match_.repeat; }
    std::int64_t position() const override { return 0; }
    std::string_view focal() const override { return ""; }
    std::span<const PlayedSeat> seats() const override { return seats_; }
    double metric(std::string_view name) const override { return in(match_.metrics, name); }
    double metric(const PlayedSeat& seat, std::string_view name) const override {
      return in(match_.seats[static_cast<std::size_t>(&seat - seats_.data())].metrics, name);
    }
    std::vector<PlayedEntry> entries() const override {
      std::vector<PlayedEntry> all;
      for (const auto& [name, json] : match_.events) {
        PlayedEntry& entry = all.emplace_back();
        entry.name = name;
        entry.json = json;
      }
      return all;
    }

   private:
    static double in(const WrittenMatch::Metrics& metrics, std::string_view name) {
      const auto found = metrics.find(name);
      return found == metrics.end() ? kNothing : found->second;
    }
    WrittenMatch match_;
    std::vector<PlayedSeat> seats_;
  };
  std::deque<Row> rows_;
};

/// All cells of a table, a line a row: "label | 0.50 of 4 | -". A figure stands with its n.
inline std::vector<std::string> cells_of(const PaperTable& table) {
  std::vector<std::string> lines;
  for (const TableRow& row : table.rows) {
    std::string& line = lines.emplace_back(row.label);
    for (const TableCell& cell : row.cells) {
      line += " | ";
      if (!cell.text.empty())
        line += cell.text;
      else if (std::isfinite(cell.ours.value))
        line += fmt::format("{:.{}f}", cell.ours.value, cell.decimals) +
                (std::isfinite(cell.ours.n) ? fmt::format(" of {:g}", cell.ours.n) : "");
    }
  }
  return lines;
}

}  // namespace agon::test
