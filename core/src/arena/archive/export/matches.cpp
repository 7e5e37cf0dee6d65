#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "archive/export/export.hpp"
#include "archive/export/output.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
namespace {

constexpr std::string_view kMatchMetric = "metric_match_";
constexpr std::string_view kSeatMetric = "metric_";

// The names of columns, in order, and where each is.
class ColumnNames {
 public:
  std::size_t add(const std::string& name) {
    const auto [at, added] = places_.try_emplace(name, names_.size());
    if (added) names_.push_back(name);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

// A metric's column, and how it is written.
struct MetricColumn {
  std::size_t column;
  int decimals;
};

// What all rows of one scenario share.
struct ScenarioCells {
  ScenarioRow row;
  std::string settings;
  std::vector<std::pair<std::size_t, ExportCell>> treatment;  // by column
};
struct GameCells {
  GameRow row;
  std::vector<MetricColumn> seat_metrics;
  std::vector<MetricColumn> match_metrics;
};
struct AgentCells {
  std::string name;
  std::string hash;
};

ExportCell cell_of(const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::int64:
      return value.get_int64();
    case boost::json::kind::double_:
      return value.get_double();
    case boost::json::kind::string:
      return std::string(value.get_string());
    case boost::json::kind::null:
      return Absent{};
    default:
      return ExportJson{json::write(value)};
  }
}

// Makes the cells of rows.
class Rows {
 public:
  Rows(const Archive& archive, const ExportOptions& options)
      : archive_(archive), kind_(options.rows), policy_(options.policy) {
    if (is_of_seats()) people_ = archive.people();
    name_columns(options);
    for (const auto& [number, agent] : archive.agents())
      agents_[number] = {agent.name, hash::hex(agent.hash)};
    add_treatments();
    branches_ = branches_of(archive);
    if (!branches_.empty())
      for (const char* name : {"parent", "parent_archive", "parent_match", "cut", "cut_seat",
                               "cut_stage", "change", "change_text", "branch_repeat"})
        branch_columns_.push_back(columns_.add(name));
    for (auto& [number, game] : archive.games()) add_game(number, game);
    if (policy_ == "exclude") find_forced();
  }

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_.names(); }
  // The record of the match that the last row was of.
  [[nodiscard]] std::string_view record() const { return record_; }

  // Calls `row` with the cells of every row of a match.
  void each_row(const MatchRow& match, const ExportOptions& options,
                const std::function<void(const std::vector<ExportCell>&)>& row) {
    const ScenarioCells& scenario = archive_.row(scenarios_, match.key.scenario);
    const GameCells& game = archive_.row(games_, scenario.row.game);
    cells_.assign(columns_.names().size(), Absent{});
    next_ = 0;
    put_place(match, scenario, game);
    const std::size_t common = next_;
    for (const auto& [column, cell] : scenario.treatment) cells_[column] = cell;
    put_branch(match);
    if (kind_ == ExportRows::answers) return each_answer(match, options, row);
    if (kind_ == ExportRows::turns) return each_turn(match, game, *options.turns, row);
    if (kind_ == ExportRows::statements) return each_statement(match, scenario, game, options, row);
    put_metrics(game.match_metrics, match.metrics);
    if (kind_ != ExportRows::seats) {
      put_match(match);
      record_ = match.record;
      row(cells_);
      return;
    }
    for (std::size_t i = 0; i < match.seats.size(); ++i) {
      const SeatRow& seat = match.seats[i];
      next_ = common;
      put_seat(i, seat, archive_.row(agents_, seat.agent), match, game);
      row(cells_);
    }
  }

 private:
  [[nodiscard]] bool has_results() const {
    return kind_ != ExportRows::answers && kind_ != ExportRows::turns &&
           kind_ != ExportRows::statements;
  }

  [[nodiscard]] bool is_of_seats() const {
    return kind_ == ExportRows::seats || kind_ == ExportRows::answers ||
           kind_ == ExportRows::statements;
  }

  /// Who answered at the seat, where the archive has people.
  void put_person(const MatchId& match, std::int64_t seat) {
    if (people_.empty()) return;
    const auto at = people_.find({match, static_cast<int>(seat)});
    put("pseudonym", at == people_.end() ? ExportCell(Absent{}) : ExportCell(at->second));
  }

  /// The columns that every export of this kind has are those of an empty row.
  void name_columns(const ExportOptions& options) {
    put_place({}, {}, {});
    if (kind_ == ExportRows::seats) {
      put_seat(0, {}, {}, {}, {});
    } else if (kind_ == ExportRows::turns) {
      put_turn({}, {}, 0);
    } else if (kind_ == ExportRows::statements) {
      for (const StatementRow& empty : options.statements({}, {}, {}))
        put_statement({}, {}, {}, empty);
    } else if (kind_ == ExportRows::answers) {
      put_question({}, 0, {}, {}, 0, "", false, false);
      put_field("", nullptr);
    } else {
      put_match({});
    }
  }

  /// Blocks that the policy `exclude` leaves out.
  void find_forced() {
    archive_.matches().each({}, [&](std::int64_t, const MatchRow& match) {
      if (excludes_block(match)) left_out_.emplace(match.key.scenario, match.key.block);
      return true;
    });
  }

  void add_treatments() {
    const auto rows = archive_.scenarios();
    std::vector<std::pair<std::int64_t, std::int64_t>> order;  // place, number
    for (const auto& [number, row] : rows) order.emplace_back(row.place, number);
    std::sort(order.begin(), order.end());
    for (const auto& [place, number] : order) {
      const ScenarioRow& row = rows.at(number);
      ScenarioCells& cells = scenarios_[number];
      cells.row = row;
      cells.settings = hash::hex(row.settings);
      const boost::json::value treatment = json::parse(row.treatment, archive_.path().string());
      if (!treatment.is_object()) continue;
      for (const auto& member : treatment.get_object()) {
        const std::size_t column = columns_.add("treatment_" + std::string(member.key()));
        cells.treatment.emplace_back(column, cell_of(member.value()));
      }
    }
  }

  void add_game(std::int64_t number, GameRow& row) {
    GameCells& game = games_[number];
    if (kind_ == ExportRows::seats) {
      for (const Metric& metric : row.seat_metrics) {
        const std::size_t column = columns_.add(std::string(kSeatMetric) + metric.name);
        game.seat_metrics.push_back({column, metric.decimals});
      }
    }
    for (const Metric& metric : row.match_metrics) {
      if (!has_results()) break;
      const std::size_t column = columns_.add(std::string(kMatchMetric) + metric.name);
      game.match_metrics.push_back({column, metric.decimals});
    }
    game.row = std::move(row);
  }

  /// The next cell. Beyond the cells of the row it adds a column.
  template <class Value>
  void put(std::string_view name, Value&& value) {
    if (next_ == cells_.size()) {
      columns_.add(std::string(name));
      cells_.emplace_back();
    }
    cells_[next_++] = std::forward<Value>(value);
  }

  void put_place(const MatchRow& match, const ScenarioCells& scenario, const GameCells& game) {
    put("match", match.key.id.hex());
    put("scenario", scenario.row.name);
    put("game", game.row.name);
    put("game_version", game.row.version);
    put("plugin", game.row.plugin);
    put("plugin_version", game.row.plugin_version);
    put("preset", scenario.row.preset);
    put("seed",
        scenario.row.seed ? ExportCell(std::to_string(*scenario.row.seed)) : ExportCell(Absent{}));
    put("block", match.key.block);
    put("repeat", match.key.repeat);
    put("position", match.key.position);
    put("line_up", match.key.line_up);
    put("assignment", match.key.assignment);
    put("cluster", match.cluster);
    put("focal",
        match.focal ? ExportCell(archive_.row(agents_, *match.focal).name) : ExportCell(Absent{}));
    put("status", std::string(name_of(match.status)));
    put("settings", scenario.settings);
    put("treatment", scenario.row.treatment);
  }

  void put_branch(const MatchRow& match) {
    const auto found = branches_.find(match.key.id);
    if (found == branches_.end()) return;
    const BranchRow& row = found->second;
    const auto number = [](const std::optional<std::int64_t>& value) {
      return value ? ExportCell(*value) : ExportCell(Absent{});
    };
    const std::vector<ExportCell> cells{ExportCell(row.unchanged.hex()),
                                        ExportCell(row.archive),
                                        ExportCell(row.parent),
                                        number(row.question),
                                        number(row.seat),
                                        ExportCell(row.stage),
                                        ExportCell(std::string(name_of(row.change))),
                                        ExportCell(row.text),
                                        ExportCell(row.repeat)};
    for (std::size_t i = 0; i < cells.size(); ++i) cells_[branch_columns_[i]] = cells[i];
  }

  // Calls `row` with the cells of every field of every answer, in the order of the record.
  void each_answer(const MatchRow& match, const ExportOptions& options,
                   const std::function<void(const std::vector<ExportCell>&)>& row) {
    if (match.record.empty()) return;  // not kept
    const std::size_t common = next_;
    options.record_entries(match.record, [&](std::string_view json) {
      const boost::json::value each = json::parse(json, archive_.path().string());
      const boost::json::object& entry = each.as_object();
      const boost::json::value* value = entry.if_contains("value");
      if (entry.at("entry").as_string() != "question" || value == nullptr || value->is_null())
        return;
      next_ = common;
      const auto number = static_cast<std::size_t>(entry.at("seat").as_int64());
      if (number >= match.seats.size())
        throw Error(ErrorKind::invalid, "the record of a match is of more seats than it has",
                    archive_.path().string(), "restore the archive from a copy");
      const SeatRow& seat = match.seats[number];
      put_question(match.key.id, number, seat, archive_.row(agents_, seat.agent),
                   entry.at("number").as_int64(), entry.at("name").as_string(),
                   entry.at("probe").as_bool(), entry.at("forced").as_bool());
      each_field("", *value, row);
      if (const boost::json::value* thought = entry.if_contains("thought"))
        each_field("thought", *thought, row);
    });
  }

  void put_question(const MatchId& match, std::size_t number, const SeatRow& seat,
                    const AgentCells& agent, std::int64_t question, std::string_view stage,
                    bool probe, bool forced) {
    put("seat", static_cast<std::int64_t>(number));
    put("seat_name", seat.name);
    put("role", seat.role);
    put("agent", agent.name);
    put_person(match, static_cast<std::int64_t>(number));
    put("question", question);
    put("stage", std::string(stage));
    put("probe", std::int64_t{probe});
    put("fallback", std::int64_t{forced});
  }

  void put_field(const std::string& path, const boost::json::value& value) {
    put("field", path);
    put("value", value.is_bool() ? ExportCell(std::int64_t{value.get_bool()}) : cell_of(value));
    put("words",
        value.is_string() ? ExportCell(words_of(value.get_string())) : ExportCell(Absent{}));
  }

  void put_turn(const Turn& turn, const SeatRow& seat, int score_decimals) {
    for (auto& [name, cell] : turn_cells(turn, seat, score_decimals)) put(name, std::move(cell));
  }

  void each_turn(const MatchRow& match, const GameCells& game, TurnReader& turns,
                 const std::function<void(const std::vector<ExportCell>&)>& row) {
    const std::size_t common = next_;
    turns.each(match, [&](const Turn& turn) {
      next_ = common;
      put_turn(turn, match.seats[static_cast<std::size_t>(turn.seat)], game.row.score_decimals);
      row(cells_);
    });
  }

  void put_statement(const MatchId& match, const SeatRow& seat, const AgentCells& agent,
                     const StatementRow& statement) {
    put("seat", statement.seat);
    put("seat_name", seat.name);
    put("role", seat.role);
    put("agent", agent.name);
    put_person(match, statement.seat);
    put("question", statement.question);
    for (const auto& [name, cell] : statement.cells) put(name, cell);
  }

  void each_statement(const MatchRow& match, const ScenarioCells& scenario, const GameCells& game,
                      const ExportOptions& options,
                      const std::function<void(const std::vector<ExportCell>&)>& row) {
    if (match.record.empty()) return;  // not kept
    const std::size_t common = next_;
    for (const StatementRow& each :
         options.statements(game.row.name, scenario.row.settings, match.record)) {
      next_ = common;
      const SeatRow& seat = match.seats.at(static_cast<std::size_t>(each.seat));
      put_statement(match.key.id, seat, archive_.row(agents_, seat.agent), each);
      row(cells_);
    }
  }

  // A list is one field, as JSON; what a struct, a variant or a map holds are fields of their own.
  void each_field(const std::string& path, const boost::json::value& value,
                  const std::function<void(const std::vector<ExportCell>&)>& row) {
    if (const boost::json::object* object = value.if_object()) {
      for (const auto& member : *object)
        each_field(
            path.empty() ? std::string(member.key()) : path + "." + std::string(member.key()),
            member.value(), row);
      return;
    }
    const std::size_t before = next_;
    put_field(path, value);
    row(cells_);
    next_ = before;
  }

  static std::int64_t words_of(std::string_view text) {
    std::int64_t words = 0;
    bool inside = false;
    for (const char c : text) {
      const bool space = c == ' ' || (c >= '\t' && c <= '\r');
      words += !space && !inside ? 1 : 0;
      inside = !space;
    }
    return words;
  }

  void put_seat(std::size_t number, const SeatRow& seat, const AgentCells& agent,
                const MatchRow& match, const GameCells& game) {
    const auto amount = [&](std::string_view name, double of, int decimals) {
      put(name, decimal(of, decimals));
    };
    put("seat", static_cast<std::int64_t>(number));
    put("seat_name", seat.name);
    put("role", seat.role);
    put("agent", agent.name);
    put("agent_hash", agent.hash);
    put_person(match.key.id, static_cast<std::int64_t>(number));
    amount("payoff", seat.payoff, game.row.score_decimals);
    amount("disagreement", seat.disagreement, game.row.score_decimals);
    amount("ideal", seat.ideal, game.row.score_decimals);
    put("rank", seat.rank == 0 ? ExportCell(Absent{}) : ExportCell(std::int64_t{seat.rank}));
    put("fallbacks", seat.fallbacks);
    const double stake = stake_of(game.row.match_metrics, match.metrics);
    const int decimals = has_stake(game.row.match_metrics) ? 0 : game.row.score_decimals;
    amount("gain", gain(seat) / stake, decimals);
    amount("surplus", pie(seat) / stake, decimals);
    put("counted", std::int64_t{counts(match, seat)});
    put("policy", policy_);
    for (std::size_t i = 0; i < kFaults; ++i) put(name_of(static_cast<Fault>(i)), seat.attempts[i]);
    put_use(seat);
    put_metrics(game.seat_metrics, seat.metrics);
  }

  /// Whether the seat counts for the report's scores and metrics.
  [[nodiscard]] bool counts(const MatchRow& match, const SeatRow& seat) const {
    return match.status == MatchStatus::finished && (!match.focal || seat.agent == *match.focal) &&
           !left_out_.contains({match.key.scenario, match.key.block});
  }

  // Both are undefined together, so that their sums are over the same seats.
  [[nodiscard]] double gain(const SeatRow& seat) const {
    if (!std::isfinite(seat.payoff) || !std::isfinite(pie(seat))) return nothing;
    return (policy_ == "forfeit" ? forfeited(seat) : seat.payoff) - seat.disagreement;
  }
  [[nodiscard]] static double pie(const SeatRow& seat) {
    return std::isfinite(seat.payoff) ? seat.ideal - seat.disagreement : nothing;
  }

  void put_match(const MatchRow& match) {
    put("rng_key", hex_of(match.rng_key));
    put("game_error", match.fault ? ExportCell(*match.fault) : ExportCell(Absent{}));
    std::string names = "[";
    SeatRow sum;
    for (const SeatRow& seat : match.seats) {
      if (names.size() > 1) names += ',';
      json::append_string(names, archive_.row(agents_, seat.agent).name);
      sum.input_tokens += seat.input_tokens;
      sum.output_tokens += seat.output_tokens;
      sum.cached_tokens += seat.cached_tokens;
      sum.reasoning_tokens += seat.reasoning_tokens;
      sum.cost = add_capped(sum.cost, seat.cost);
      sum.unpriced += seat.unpriced;
    }
    sum.waiting_ms = match.waiting_ms;
    put("agents", ExportJson{names + "]"});
    put("questions", match.questions);
    put("wall_ms", match.wall_ms);
    put("created", utc(match.created));
    put_use(sum);
  }

  void put_use(const SeatRow& seat) {
    put("input_tokens", seat.input_tokens);
    put("output_tokens", seat.output_tokens);
    put("cached_tokens", seat.cached_tokens);
    put("reasoning_tokens", seat.reasoning_tokens);
    // Without the price of every call the cost is not known, and is not what the others cost.
    put("cost_usd", seat.unpriced > 0 ? ExportCell(std::numeric_limits<double>::quiet_NaN())
                                      : ExportCell(dollars(seat.cost)));
    put("waiting_ms", seat.waiting_ms);
  }

  void put_metrics(const std::vector<MetricColumn>& columns, const std::vector<double>& metrics) {
    for (std::size_t i = 0; i < std::min(columns.size(), metrics.size()); ++i)
      cells_[columns[i].column] = decimal(metrics[i], columns[i].decimals);
  }

  static std::string hex_of(std::uint64_t number) {
    std::array<std::uint8_t, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
    return hash::hex(bytes);
  }

  static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

  const Archive& archive_;
  ExportRows kind_;
  std::string policy_;
  std::map<std::pair<MatchId, int>, std::string> people_;  // pseudonyms, by match and seat
  std::map<MatchId, BranchRow> branches_;
  std::vector<std::size_t> branch_columns_;                   // none without branches
  std::set<std::pair<std::int64_t, std::int64_t>> left_out_;  // scenario, block: by the policy
  ColumnNames columns_;
  std::string_view record_;  // of the match whose row it is
  std::map<std::int64_t, ScenarioCells> scenarios_;
  std::map<std::int64_t, GameCells> games_;
  std::map<std::int64_t, AgentCells> agents_;
  std::vector<ExportCell> cells_;
  std::size_t next_ = 0;
};

void each_match(const Archive& archive, Rows& rows, const ExportOptions& options,
                const std::function<void(const std::vector<ExportCell>&)>& row) {
  ReadOptions wanted;
  wanted.record = options.rows != ExportRows::seats && options.rows != ExportRows::matches;
  wanted.scenarios = options.scenarios;
  archive.matches().each(wanted, [&](std::int64_t, const MatchRow& match) {
    rows.each_row(match, options, row);
    return true;
  });
}

// The member of a record, an entry at a time: it may be much larger than its bytes.
void write_record(std::string_view record, const ExportOptions& options, Output& output) {
  output.line() += ",\"record\":";
  if (record.empty()) {
    output.line() += "null";
    return;
  }
  char before = '[';
  options.record_entries(record, [&](std::string_view entry) {
    output.line() += std::exchange(before, ',');
    output.line() += text::printable_json(entry);
    output.line_done();
  });
  output.line() += before == '[' ? "[]" : "]";
}

}  // namespace

void export_jsonl(const Archive& archive, std::ostream& out, const ExportOptions& options) {
  if ((options.rows == ExportRows::records || options.rows == ExportRows::answers) &&
      !options.record_entries)
    throw Error(ErrorKind::failure, "records cannot be exported without a decoder");
  Output output(out);
  archive.together([&] {
    Rows rows(archive, options);
    each_match(archive, rows, options, [&](const std::vector<ExportCell>& cells) {
      std::string line;
      char separator = '{';
      for (std::size_t i = 0; i < cells.size(); ++i) {
        line += std::exchange(separator, ',');
        json::append_string(line, rows.columns()[i]);
        line += ':';
        append_json(line, cells[i]);
      }
      output.line() += text::printable_json(line);
      if (options.rows == ExportRows::records) write_record(rows.record(), options, output);
      output.line() += "}\n";
      output.line_done();
    });
  });
  output.flush();
}

void export_csv(const Archive& archive, std::ostream& out, const ExportOptions& options) {
  if (options.rows == ExportRows::records) {
    throw Error(ErrorKind::usage, "--rows records cannot be written as CSV", {},
                "add --format jsonl");
  }
  Output output(out);
  const auto write = [&](const auto& fields) {
    std::string& line = output.line();
    bool first = true;
    for (const auto& field : fields) {
      if (!std::exchange(first, false)) line += ',';
      append_csv(line, field, options.reader);
    }
    line += "\r\n";
    output.line_done();
  };
  archive.together([&] {
    Rows rows(archive, options);
    write(rows.columns());
    each_match(archive, rows, options, write);
  });
  output.flush();
}

}  // namespace agon::archive
