#include <array>

#include "archive/cell.hpp"
#include "report/render.hpp"

namespace agon::report {
namespace {

class Csv {
 public:
  explicit Csv(const Document& document) : document_(document) {}

  std::string write() {
    for (std::size_t f = 0; f < fields; ++f) out_ += (f == 0 ? "" : ",") + std::string(names[f]);
    out_ += "\r\n";
    for (const Alert& alert : document_.alerts)
      say("notes", alert.words + (alert.command.empty() ? "" : " " + alert.command));
    for (const Section& section : document_.sections) {
      if (section.where == Where::shown) continue;
      for (const Table& table : section.tables) add(section, table);
      if (section.id == "notes")
        for (const std::string& point : section.points) say("notes", point);
    }
    return std::move(out_);
  }

 private:
  /// The columns, in order.
  enum Field : std::size_t {
    section_field,
    game,
    treatment,
    role,
    agent,
    other,
    position,
    metric,
    unit,
    value,
    low,
    high,
    level,
    low_together,
    high_together,
    p,
    p_adjusted,
    n,
    blocks,
    out_of,
    unseen,
    text,
    method,
    note,
    fields,
  };
  static constexpr std::array<const char*, fields> names = {
      "section",  "game",         "treatment",     "role",  "agent",      "other",
      "position", "metric",       "unit",          "value", "low",        "high",
      "level",    "low_together", "high_together", "p",     "p_adjusted", "n",
      "blocks",   "out_of",       "unseen",        "text",  "method",     "note"};
  using Line = std::array<archive::Cell, fields>;

  static void set(archive::Cell& field, const std::string& words) {
    if (!words.empty()) field = words;
  }
  static void set(archive::Cell& field, const std::optional<double>& number) {
    if (number) field = *number;
  }
  static void set(archive::Cell& field, std::size_t count) {
    if (count > 0) field = static_cast<std::int64_t>(count);
  }
  static void set(Line& line, const Subject& about) {
    set(line[game], about.game);
    set(line[treatment], about.treatment);
    set(line[role], about.role);
    set(line[agent], about.agent);
    set(line[other], about.other);
    set(line[position], about.position);
    set(line[metric], about.metric);
    set(line[unit], about.unit);
    set(line[text], about.text);
  }

  void say(const std::string& id, const std::string& words) {
    Line line;
    line[section_field] = id;
    line[text] = words;
    add(line);
  }

  void add(const Section& from, const Table& table) {
    for (const Row& row : table.rows) {
      if (row.where == Where::shown) continue;
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        const Column& column = table.columns[c];
        if (column.key || column.where == Where::shown) continue;
        Line line;
        line[section_field] = from.id;
        set(line, table.about);
        set(line, column.about);
        set(line, row.about);
        if (put(line, row.cells[c], from)) add(line);
      }
    }
  }

  /// False if the cell has nothing to say.
  bool put(Line& line, const Cell& cell, const Section& from) const {
    if (std::holds_alternative<Missing>(cell)) return false;
    if (const auto* words = std::get_if<std::string>(&cell)) {
      line[text] = *words;
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      line[value] = *whole;
    } else if (const auto* number = std::get_if<Number>(&cell)) {
      line[value] = number->value;
    } else if (const auto* money = std::get_if<Dollars>(&cell)) {
      line[value] = archive::dollars(money->billionths);
    } else {
      put(line, std::get<Estimated>(cell), from);
    }
    return true;
  }

  void put(Line& line, const Estimated& figure, const Section& from) const {
    const stats::Estimate& e = figure.estimate;
    set(line[value], e.value);
    if (e.interval) {
      line[low] = e.interval->low;
      line[high] = e.interval->high;
    }
    if (figure.together) {
      line[low_together] = figure.together->low;
      line[high_together] = figure.together->high;
    }
    if (e.interval || figure.together) line[level] = from.level.value_or(document_.level);
    set(line[p], e.p_value);
    set(line[p_adjusted], figure.p_adjusted);
    set(line[n], e.units);
    set(line[blocks], e.blocks);
    set(line[out_of], figure.out_of);
    set(line[unseen], e.unseen);
    if (e.interval || e.p_value) set(line[method], from.method);
    set(line[note], figure.instead.empty() ? stats::describe(e.note) : figure.instead);
    if (!figure.mark.empty()) set(line[note], figure.mark);
  }

  void add(const Line& line) {
    for (std::size_t f = 0; f < fields; ++f) {
      if (f > 0) out_ += ',';
      archive::append_csv(out_, line[f]);
    }
    out_ += "\r\n";
  }

  const Document& document_;
  std::string out_;
};

}  // namespace

std::string render_csv(const Document& document) {
  return Csv(document).write();
}

}  // namespace agon::report
