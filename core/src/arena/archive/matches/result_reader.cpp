#include "archive/matches/result_reader.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

#include "archive/database/table.hpp"
#include "archive/matches/match_reader.hpp"
#include "design/plan.hpp"

namespace agon::archive {
namespace {

// How many matches in columns are in memory at a time.
constexpr std::int64_t kWindow = 65'536;

// Reads the first columns of a row.
ResultReader::PiecePosition read_place(Statement& row) {
  constexpr std::int64_t most = std::int64_t{1} << 52U;
  ResultReader::PiecePosition place;
  place.first = row.integer(1, most);
  place.matches = row.integer(1, kMostInColumns);
  place.scenario = row.integer();
  place.last_block = row.integer(0, kMostBlock);
  return place;
}

}  // namespace

ResultReader::ResultReader(Connection& db)
    : db_(db),
      get_(
          db,
          "select first, matches, scenario, last_block, bytes from result_columns where first <= ? "
          "order by first desc limit 1"),
      get_bytes_(db, "select bytes from result_columns where first = ?"),
      last_place_(db, "select coalesce(max(first), 0) from result_columns") {}

std::int64_t ResultReader::last_number() {
  return db_.integer(
      "select coalesce((select first + matches - 1 from result_columns order by first desc limit "
      "1), 0)");
}

std::int64_t ResultReader::finished() {
  return db_.integer("select coalesce(sum(matches), 0) from result_columns");
}

std::int64_t ResultReader::last_block() {
  return db_.integer("select coalesce(max(last_block), -1) from result_columns");
}

void ResultReader::places(const std::function<void(const PiecePosition&)>& each) {
  Statement rows(db_,
                 "select first, matches, scenario, last_block from result_columns order by first");
  while (rows.step()) {
    const PiecePosition place = read_place(rows);
    each(place);
  }
}

Error ResultReader::unreadable(const PiecePosition& place) const {
  return damaged(db_.path(), "the columns of matches from number " + std::to_string(place.first) +
                                 " on cannot be read");
}

ResultColumns ResultReader::decode(const PiecePosition& place, Statement& row) {
  const auto bytes = row.bytes();
  auto columns = ResultColumns::decode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!columns || static_cast<std::int64_t>(columns->matches) != place.matches ||
      std::any_of(columns->integers[ResultColumns::block].begin(),
                  columns->integers[ResultColumns::block].end(),
                  [&](std::int64_t block) { return block > place.last_block; }))
    throw unreadable(place);
  columns->scenario = place.scenario;
  const auto& blocks = columns->integers[ResultColumns::block];
  const auto [least, most] = std::minmax_element(blocks.begin(), blocks.end());
  blocks_[place.first] = {*least, *most};
  return *std::move(columns);
}

ResultColumns ResultReader::columns_at(const PiecePosition& place) {
  get_bytes_.reset();
  get_bytes_.bind(place.first);
  if (!get_bytes_.step()) throw unreadable(place);
  ResultColumns columns = decode(place, get_bytes_);
  get_bytes_.reset();
  return columns;
}

BlockRange ResultReader::blocks_at(const PiecePosition& place) {
  if (const auto known = blocks_.find(place.first); known != blocks_.end()) return known->second;
  get_bytes_.reset();
  get_bytes_.bind(place.first);
  std::optional<BlockRange> range;
  if (get_bytes_.step()) {
    const auto bytes = get_bytes_.bytes();
    range = ResultColumns::blocks({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  get_bytes_.reset();
  if (!range) throw unreadable(place);
  return blocks_[place.first] = *range;
}

void ResultReader::columns(
    std::int64_t from, std::int64_t scenario,
    const std::function<bool(const PiecePosition&, const ResultColumns&)>& each) {
  Statement rows(db_,
                 "select first, matches, scenario, last_block, bytes from result_columns where "
                 "first + matches > ?1 and (?2 = 0 or scenario = ?2) order by first");
  rows.bind(from).bind(scenario);
  while (rows.step()) {
    const PiecePosition place = read_place(rows);
    if (!each(place, decode(place, rows))) return;
  }
}

const ResultReader::ResultIdentity& ResultReader::scene(std::int64_t scenario) {
  const auto [at, added] = scenes_.try_emplace(scenario);
  ResultIdentity& scene = at->second;
  if (!added) return scene;
  Statement row(db_,
                "select s.name, s.settings, s.seed, g.name, g.version, g.plugin_version, c.bytes "
                "from scenario s join game g on g.number = s.game left join content c on c.hash = "
                "s.settings where s.number = ?");
  row.bind(scenario);
  const bool there = row.step();
  if (there) {
    scene.name = row.text();
    Plain::read(row, scene.settings, {});
  }
  if (!there || row.null()) {
    scenes_.erase(at);
    throw damaged(db_.path(), "matches in columns are of a scenario that is missing");
  }
  scene.seed = std::bit_cast<std::uint64_t>(row.integer());
  scene.game = row.text();
  scene.game_version = row.integer();
  scene.plugin_version = row.text();
  const auto settings = row.bytes();
  scene.draws =
      same_draws_in({reinterpret_cast<const char*>(settings.data()), settings.size()}, db_.path());
  if (scene.draws.empty()) scene.draws = scene.name;
  return scene;
}

const MatchIds& ResultReader::ids(const ResultColumns& columns, std::size_t match) {
  const std::vector<std::int64_t>& agents = columns.seated_of(match).agents;
  const std::pair key(columns.scenario, agents);
  if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
  const ResultIdentity& scene = this->scene(columns.scenario);
  MatchParts parts;
  parts.game = scene.game;
  parts.game_version = scene.game_version;
  parts.plugin_version = scene.plugin_version;
  parts.scenario = scene.name;
  parts.settings = scene.settings;
  parts.seed = scene.seed;
  for (const std::int64_t agent : agents) {
    const auto [at, added] = agents_.try_emplace(agent);
    if (added) {
      Statement row(db_, "select hash from agent where number = ?");
      row.bind(agent);
      if (!row.step()) {
        agents_.erase(at);
        throw damaged(db_.path(), "matches in columns are of an agent that is missing");
      }
      Plain::read(row, at->second, {});
    }
    parts.agents.push_back(at->second);
  }
  return ids_.emplace(key, MatchIds(parts)).first->second;
}

MatchId ResultReader::id_of(const ResultColumns& columns, std::size_t match) {
  return ids(columns, match)(columns.integers[ResultColumns::block][match], 0,
                             columns.integers[ResultColumns::repeat][match]);
}

void ResultReader::read(const ResultColumns& columns, std::size_t match, MatchRow& row,
                        const ReadOptions& wanted) {
  columns.read(match, row, wanted.seats);
  if (!wanted.ids) return;
  row.key.id = id_of(columns, match);
  const ResultIdentity& scene = this->scene(columns.scenario);
  row.rng_key = stream_key(scene.seed, scene.draws, static_cast<std::uint64_t>(row.key.block), 0);
}

bool ResultReader::match(std::int64_t number, MatchRow& row, const ReadOptions& wanted) {
  if (!last_ || number < last_first_ ||
      number >= last_first_ + static_cast<std::int64_t>(last_->matches)) {
    get_.reset();
    get_.bind(number);
    if (!get_.step()) return false;
    const PiecePosition place = read_place(get_);
    if (number >= place.first + place.matches) {
      get_.reset();
      return false;
    }
    last_ = decode(place, get_);
    last_first_ = place.first;
    get_.reset();
  }
  read(*last_, static_cast<std::size_t>(number - last_first_), row, wanted);
  return true;
}

std::vector<std::pair<MatchId, std::int64_t>> ResultReader::find(const MatchId& low,
                                                                 const MatchId& high,
                                                                 std::size_t most) {
  const auto search = [&] {
    std::vector<std::pair<MatchId, std::int64_t>> found;
    auto at =
        std::lower_bound(index_.begin(), index_.end(), low,
                         [](const auto& entry, const MatchId& id) { return entry.first < id; });
    for (; at != index_.end() && at->first <= high && found.size() < most; ++at)
      found.push_back(*at);
    return found;
  };
  // What is there stays: only who finds nothing has to look for what was added.
  if (low == high)
    if (auto found = search(); !found.empty()) return found;
  const std::int64_t last = last_place_.step() ? last_place_.integer() : 0;
  last_place_.reset();
  if (last > indexed_) {
    columns(indexed_ + 1, 0, [&](const PiecePosition& place, const ResultColumns& columns) {
      if (place.first <= indexed_) return true;
      for (std::size_t i = 0; i < columns.matches; ++i)
        index_.emplace_back(id_of(columns, i), place.first + static_cast<std::int64_t>(i));
      indexed_ = place.first;
      return true;
    });
    std::sort(index_.begin(), index_.end());
  }
  return search();
}

OrderedResults::OrderedResults(ResultReader& reader, std::vector<std::int64_t> scenarios,
                               std::function<bool(std::int64_t, std::int64_t)> wants)
    : reader_(reader), scenarios_(std::move(scenarios)), wants_(std::move(wants)) {
  reader_.places([&](const ResultReader::PiecePosition& place) {
    Places& places = places_[place.scenario];
    places.matches += place.matches;
    places.blocks = std::max(places.blocks, place.last_block + 1);
    places.all.emplace_back(place, BlockRange{});
  });
}

void OrderedResults::take(const ResultReader::PiecePosition& place, std::int64_t end) {
  ResultColumns columns = reader_.columns_at(place);
  std::vector<std::size_t> wanted;
  const auto piece = static_cast<std::uint32_t>(pieces_.size());
  for (std::size_t i = 0; i < columns.matches; ++i) {
    const std::int64_t block = columns.integers[ResultColumns::block][i];
    const std::int64_t number = place.first + static_cast<std::int64_t>(i);
    if (block < begin_ || block >= end || !wants_(number, block)) continue;
    order_.push_back({number, piece, static_cast<std::uint32_t>(wanted.size())});
    wanted.push_back(i);
  }
  if (wanted.size() == columns.matches)
    pieces_.push_back(std::move(columns));
  else if (!wanted.empty())
    pieces_.push_back(columns.some(wanted));
}

bool OrderedResults::comes_before(const MatchPosition& a, const MatchPosition& b) {
  const ResultColumns& x = pieces_[a.piece];
  const ResultColumns& y = pieces_[b.piece];
  for (const auto column : {ResultColumns::block, ResultColumns::repeat})
    if (x.integers[column][a.match] != y.integers[column][b.match])
      return x.integers[column][a.match] < y.integers[column][b.match];
  const ResultColumns::SeatAssignment& left = x.seated_of(a.match);
  const ResultColumns::SeatAssignment& right = y.seated_of(b.match);
  if (const int order = left.line_up.compare(right.line_up); order != 0) return order < 0;
  if (left.assignment != right.assignment) return left.assignment < right.assignment;
  return reader_.id_of(x, a.match) < reader_.id_of(y, b.match);
}

bool OrderedResults::fill() {
  order_.clear();
  pieces_.clear();
  at_ = 0;
  for (; order_.empty() && scenario_at_ < scenarios_.size(); begin_ = 0, ++scenario_at_) {
    const std::int64_t scenario = scenarios_[scenario_at_];
    Places& places = places_[scenario];
    if (begin_ == 0)
      for (auto& [place, blocks] : places.all) blocks = reader_.blocks_at(place);
    while (order_.empty() && begin_ < places.blocks) {
      // Blocks have about as many matches each. Where they have not, memory is what it takes.
      const double part = static_cast<double>(kWindow) / static_cast<double>(places.matches);
      const std::int64_t width =
          part >= 1 ? places.blocks
                    : std::max<std::int64_t>(
                          1, static_cast<std::int64_t>(part * static_cast<double>(places.blocks)));
      const std::int64_t end = std::min(begin_ + width, places.blocks);
      for (const auto& [place, blocks] : places.all)
        if (blocks.first < end && blocks.last >= begin_) take(place, end);
      begin_ = end;
    }
    if (!order_.empty() && begin_ < places.blocks) break;
  }
  std::sort(order_.begin(), order_.end(),
            [this](const MatchPosition& a, const MatchPosition& b) { return comes_before(a, b); });
  return !order_.empty();
}

bool OrderedResults::next(std::int64_t& number, MatchRow& row, const ReadOptions& wanted) {
  if (at_ == order_.size() && !fill()) return false;
  const MatchPosition& entry = order_[at_++];
  number = entry.number;
  reader_.read(pieces_[entry.piece], entry.match, row, wanted);
  return true;
}

}  // namespace agon::archive
