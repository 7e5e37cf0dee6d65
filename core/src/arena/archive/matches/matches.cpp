#include "archive/matches/matches.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "archive/archive.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"
#include "text/words.hpp"

namespace agon::archive {

std::int64_t Matches::last_number() const {
  return std::max(open_.db.integer("select coalesce(max(number), 0) from match"),
                  open_.results.last_number());
}

std::set<std::int64_t> Matches::scenarios() const {
  std::set<std::int64_t> played;
  Statement rows(open_.db, "select number, scenario from match");
  while (rows.step()) {
    const bool wanted = open_.wants(rows.integer());
    if (const std::int64_t scenario = rows.integer(); wanted) played.insert(scenario);
  }
  open_.results.places([&](const ResultReader::PiecePosition& place) {
    for (std::int64_t i = 0; i < place.matches && !played.contains(place.scenario); ++i)
      if (open_.wants(place.first + i)) played.insert(place.scenario);
  });
  Statement open(open_.db, "select id, scenario from partial");
  while (open.step()) {
    const bool wanted = open_.wants_open(read_id(open));
    if (const std::int64_t scenario = open.integer(); wanted) played.insert(scenario);
  }
  return played;
}

std::int64_t Matches::count() const {
  if (!open_.selection) return rows() + open_.results.finished();
  std::int64_t count = 0;
  numbers([&](std::int64_t) { ++count; });
  return count;
}

std::int64_t Matches::rows() const {
  // `count(*)` would follow pages that point at one another without end.
  return open_.db.integer("select count(id) from match");
}

void Matches::numbers(const std::function<void(std::int64_t)>& each) const {
  const auto tell = [&](std::int64_t number) {
    if (open_.wants(number)) each(number);
  };
  Statement rows(open_.db, "select number from match");
  while (rows.step()) tell(rows.integer());
  open_.results.places([&](const ResultReader::PiecePosition& place) {
    for (std::int64_t i = 0; i < place.matches; ++i) tell(place.first + i);
  });
}

std::optional<std::int64_t> Matches::number(const MatchId& id) const {
  if (const auto number = row_number(id)) return number;
  const auto found = open_.results.find(id, id, 1);
  return found.empty() ? std::nullopt : std::optional(found.front().second);
}

std::optional<std::int64_t> Matches::row_number(const MatchId& id) const {
  Statement& row = open_.has_id;
  row.reset();
  row.bind(std::span(id.bytes));
  if (!row.step()) return std::nullopt;
  const std::int64_t number = row.integer();
  row.reset();
  return number;
}

std::int64_t Matches::last_block() const {
  return std::max({open_.db.integer("select coalesce(max(block), -1) from match"),
                   open_.db.integer("select coalesce(max(block), -1) from partial"),
                   open_.results.last_block()});
}

void Matches::row_ids(const std::function<void(const MatchId&, std::int64_t)>& each) const {
  Statement rows(open_.db, "select id, number from match");
  while (rows.step()) {
    const MatchId id = read_id(rows);
    if (const std::int64_t number = rows.integer(); open_.wants(number)) each(id, number);
  }
}

void Matches::done_in_columns(
    const std::function<void(const MatchId&, std::span<const DoneMatch>)>& each) const {
  open_.results.columns(
      1, 0, [&](const ResultReader::PiecePosition& place, const ResultColumns& all) {
        std::vector<std::vector<DoneMatch>> done(all.seated.size());
        std::vector<std::size_t> any(all.seated.size());
        for (std::size_t i = 0; i < all.matches; ++i) {
          const std::int64_t number = place.first + static_cast<std::int64_t>(i);
          const auto seated = static_cast<std::size_t>(all.integers[ResultColumns::seated_as][i]);
          any[seated] = i;
          if (open_.wants(number))
            done[seated].push_back({all.integers[ResultColumns::block][i],
                                    all.integers[ResultColumns::repeat][i], number});
        }
        for (std::size_t seated = 0; seated < done.size(); ++seated)
          if (!done[seated].empty())
            each(open_.results.ids(all, any[seated])(0, 0, 0), done[seated]);
        return true;
      });
}

void Matches::ids(const std::function<void(const MatchId&, std::int64_t)>& each) const {
  row_ids(each);
  open_.results.columns(
      1, 0, [&](const ResultReader::PiecePosition& place, const ResultColumns& all) {
        for (std::size_t i = 0; i < all.matches; ++i)
          if (const std::int64_t number = place.first + static_cast<std::int64_t>(i);
              open_.wants(number))
            each(open_.results.id_of(all, i), number);
        return true;
      });
}

void Matches::broken_ids(const std::function<void(const MatchId&)>& each) const {
  Statement rows(open_.db, "select id from match where status <> 'finished'");
  while (rows.step()) each(read_id(rows));
}

void Matches::each(const ReadOptions& wanted,
                   const std::function<bool(std::int64_t number, const MatchRow&)>& each) const {
  if (open_.added == nullptr || !wanted.seats) return stored(wanted, each);
  const auto scenarios = archive_.scenarios();
  const auto games = archive_.games();
  stored(wanted, [&](std::int64_t number, const MatchRow& as_stored) {
    MatchRow match = as_stored;
    open_.added->add_to(match,
                        archive_.row(games, archive_.row(scenarios, match.key.scenario).game));
    return each(number, match);
  });
}

namespace {

using OptionalNumber = std::optional<std::int64_t>;

/// Selects the rows of matches.
std::string query_of(const ReadOptions& wanted) {
  std::string sql = "select ";
  sql += names_of_match();
  // Also a match whose scenario is missing, so that the caller notices.
  sql += " from match m left join scenario s on s.number = m.scenario";
  sql +=
      " where m.number between ?4 and ?5 and (?1 = 0 or m.number <= ?1) and (?2 = 1 or "
      "abs(m.block % ?2) = ?3)";
  if (!wanted.scenarios.empty()) {
    sql += " and m.scenario in (select value from json_each('";
    sql += write_json(wanted.scenarios);
    sql += "'))";
  }
  if (wanted.in_order)
    sql +=
        " order by s.place, s.name, s.number, m.block, m.repeat, m.position, m.line_up, "
        "m.assignment, m.id";
  else
    sql += " order by m.number";
  return sql;
}

/// The matches in columns, one after the other.
struct ColumnMatches {
  /// `ranks`: of all scenarios, in their order.
  ColumnMatches(ResultReader& reader, const ReadOptions& asked, const NumberRange& range,
                std::function<bool(std::int64_t number, std::int64_t block)> which,
                const std::map<std::int64_t, std::size_t>& ranks);

  /// Reads the next one into `match`; nothing after the last.
  OptionalNumber next();

  MatchRow match;
  ReadOptions wanted;  ///< where rows and columns are merged, ids put them in order

 private:
  ResultReader& results_;
  std::function<bool(std::int64_t number, std::int64_t block)> wants_;
  std::optional<OrderedResults> ordered_;
  std::vector<ResultReader::PiecePosition> places_;  ///< without an order
  std::size_t place_ = 0;
  std::int64_t in_place_ = 0;
};

ColumnMatches::ColumnMatches(ResultReader& reader, const ReadOptions& asked,
                             const NumberRange& range,
                             std::function<bool(std::int64_t number, std::int64_t block)> which,
                             const std::map<std::int64_t, std::size_t>& ranks)
    : wanted(asked), results_(reader), wants_(std::move(which)) {
  const auto scenario_wanted = [&](std::int64_t scenario) {
    return wanted.scenarios.empty() || std::find(wanted.scenarios.begin(), wanted.scenarios.end(),
                                                 scenario) != wanted.scenarios.end();
  };
  if (wanted.in_order) {
    std::vector<std::int64_t> scenarios(ranks.size());
    for (const auto& [scenario, rank] : ranks) scenarios[rank - 1] = scenario;
    std::erase_if(scenarios, [&](std::int64_t scenario) { return !scenario_wanted(scenario); });
    ordered_.emplace(results_, std::move(scenarios), wants_);
    return;
  }
  results_.places([&](const ResultReader::PiecePosition& place) {
    if (scenario_wanted(place.scenario) && place.first <= range.last &&
        place.first + place.matches > range.first)
      places_.push_back(place);
  });
}

OptionalNumber ColumnMatches::next() {
  std::int64_t number = 0;
  if (ordered_)
    return ordered_->next(number, match, wanted) ? OptionalNumber(number) : std::nullopt;
  for (; place_ < places_.size(); ++place_, in_place_ = 0)
    while (in_place_ < places_[place_].matches) {
      number = places_[place_].first + in_place_++;
      if (results_.match(number, match, wanted) && wants_(number, match.key.block)) return number;
    }
  return std::nullopt;
}

}  // namespace

void Matches::stored(const ReadOptions& wanted,
                     const std::function<bool(std::int64_t number, const MatchRow&)>& each) const {
  const Snapshot snapshot(open_.db);
  Statement rows(open_.db, query_of(wanted));
  // Most selections lie close together; what is between them is passed over.
  NumberRange range{std::numeric_limits<std::int64_t>::min(),
                    std::numeric_limits<std::int64_t>::max()};
  if (open_.selection) {
    const auto& ranges = open_.selection->matches.ranges();
    if (ranges.empty()) return;
    range = {ranges.front().first, ranges.back().last};
  }
  rows.bind(wanted.last).bind(wanted.shares).bind(wanted.share).bind(range.first).bind(range.last);
  const auto wants = [&](std::int64_t number, std::int64_t block) {
    return number >= range.first && number <= range.last &&
           (wanted.last == 0 || number <= wanted.last) && block % wanted.shares == wanted.share &&
           open_.wants(number);
  };
  MatchRow match;
  // The next row of a match that is wanted; nothing after the last.
  const auto next_row = [&]() -> OptionalNumber {
    while (rows.step()) {
      const std::int64_t number = open_.parts.match(rows, match);
      if (!open_.wants(number)) continue;
      if (wanted.seats) open_.parts.seats(number, match);
      if (wanted.record) open_.parts.record(number, match);
      return number;
    }
    return std::nullopt;
  };
  const std::map<std::int64_t, std::size_t> ranks = scenario_ranks(archive_);
  open_.results.places([&](const ResultReader::PiecePosition& place) {
    if (!ranks.contains(place.scenario))
      archive_.damaged("matches in columns are of a missing scenario");
  });
  ColumnMatches columns(open_.results, wanted, range, wants, ranks);
  const auto place_of = [&](const MatchRow& row) {
    const MatchKey& key = row.key;
    const auto rank = ranks.find(key.scenario);
    return std::tuple(rank == ranks.end() ? 0 : rank->second, key.block, key.repeat, key.position,
                      std::string_view(key.line_up), key.assignment, key.id);
  };
  OptionalNumber row = next_row();
  columns.wanted.ids = wanted.ids || (row && wanted.in_order);
  OptionalNumber in_columns = columns.next();
  while (row || in_columns) {
    const bool is_row =
        !in_columns ||
        (row && (wanted.in_order ? place_of(match) < place_of(columns.match) : *row < *in_columns));
    if (!each(is_row ? *row : *in_columns, is_row ? match : columns.match)) return;
    (is_row ? row : in_columns) = is_row ? next_row() : columns.next();
  }
}

std::int64_t Matches::find(std::string_view text) const {
  const auto none = [&](std::string_view hint) {
    return Error(ErrorKind::not_found, "no finished match '" + std::string(text) + "'",
                 archive_.path().string(), std::string(hint));
  };
  std::string_view digits = text;
  if (digits.starts_with('#')) digits.remove_prefix(1);
  std::int64_t number = text::number_in<std::int64_t>(digits).value_or(0);
  if (number > 0) {
    Statement row(open_.db, "select 1 from match where number = ?");
    row.bind(number);
    MatchRow in_columns;
    if (row.step() || open_.results.match(number, in_columns)) return number;
  }
  constexpr std::size_t shortest = 4;
  const bool hexadecimal =
      text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!hexadecimal || text.size() < shortest || text.size() > 32)
    throw none("give a running number from 1 to " + std::to_string(count()) +
               ", or 4 to 32 digits of an id");
  const std::string begin(text);
  const MatchId low = *MatchId::read(begin + std::string(32 - begin.size(), '0'));
  const MatchId high = *MatchId::read(begin + std::string(32 - begin.size(), 'f'));
  Statement rows(open_.db, "select number, id from match where id between ? and ? limit 3");
  rows.bind(std::span(low.bytes)).bind(std::span(high.bytes));
  std::string ids;
  std::size_t count = 0;
  while (rows.step()) {
    number = rows.integer();
    ids += (count++ == 0 ? "" : ", ") + read_id(rows).hex();
  }
  for (const auto& [id, found] : open_.results.find(low, high, 3)) {
    number = found;
    ids += (count++ == 0 ? "" : ", ") + id.hex();
  }
  if (count == 0) throw none("list the matches with 'agon show' or 'agon export'");
  if (count > 1) {
    throw Error(ErrorKind::usage, "ambiguous match id '" + begin + "'", archive_.path().string(),
                "give more digits: " + ids + (count > 2 ? ", ..." : ""));
  }
  return number;
}

MatchRow Matches::at(std::int64_t number) const {
  const Snapshot snapshot(open_.db);
  Statement row(open_.db, "select " + names_of_match() + " from match m where number = ?");
  row.bind(number);
  if (!row.step()) {
    MatchRow in_columns;
    if (open_.results.match(number, in_columns)) return in_columns;
    throw Error(ErrorKind::not_found, "no finished match number " + std::to_string(number),
                archive_.path().string(), "the numbers go from 1 to " + std::to_string(count()));
  }
  MatchRow match;
  open_.parts.match(row, match);
  open_.parts.seats(number, match);
  open_.parts.record(number, match);
  return match;
}

const std::string& Matches::record_of(const MatchRow& match) const {
  if (match.record.empty())
    throw Error(ErrorKind::not_found,
                "match " + match.key.id.hex().substr(0, 8) +
                    " was played with --no-records: there is no record of it",
                archive_.path().string(),
                "play the suite again into another archive, without --no-records");
  return match.record;
}

std::optional<PartialMatch> Matches::partial(const MatchId& id) const {
  Statement row(open_.db, "select " + names_of<PartialRows>() + " from partial where id = ?");
  row.bind(std::span(id.bytes));
  if (!row.step()) return std::nullopt;
  return read_partial(row, open_);
}

void Matches::partials(const std::function<void(const PartialMatch&)>& each) const {
  Statement rows(open_.db, "select " + names_of<PartialRows>() + " from partial order by id");
  while (rows.step()) {
    const PartialMatch partial = read_partial(rows, open_);
    if (open_.wants_open(partial.key.id)) each(partial);
  }
}

}  // namespace agon::archive
