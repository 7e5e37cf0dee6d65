#include "text/layout.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "text/utf8.hpp"

namespace agon::text {
namespace {

std::string cut(const std::string& cell, std::size_t limit) {
  return limit == 0 ? cell : shorten(cell, limit);
}

}  // namespace

bool stay_apart(const std::vector<std::string>& texts, std::size_t limit) {
  const std::set<std::string> whole(texts.begin(), texts.end());
  std::set<std::string> shortened;
  for (const std::string& text : whole)
    if (!shortened.insert(cut(text, limit)).second) return false;
  return true;
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.header = cut(printable(column.header), column.limit);
}

void TextTable::add(std::vector<std::string> cells) {
  if (cells.size() > columns_.size()) throw std::invalid_argument("a row has too many cells");
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::str(std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::vector<std::string> headers;
  std::vector<std::string> dashes;
  bool has_header = false;
  std::vector<std::vector<std::string>> rows = rows_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::vector<std::string> column;
    for (const auto& row : rows_) column.push_back(row[i]);
    if (stay_apart(column, columns_[i].limit))
      for (auto& row : rows) row[i] = cut(row[i], columns_[i].limit);
    std::size_t widest = width(columns_[i].header);
    for (const auto& row : rows) widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
    headers.push_back(columns_[i].header);
    dashes.emplace_back(widest, '-');
    has_header = has_header || !columns_[i].header.empty();
  }
  std::string out;
  const auto write_row = [&](const std::vector<std::string>& cells) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - width(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  if (has_header) {
    write_row(headers);
    write_row(dashes);
  }
  for (const auto& row : rows) write_row(row);
  return out;
}

std::string paragraph(std::string_view words, const ParagraphLayout& layout) {
  std::string out;
  std::string line = std::string(layout.indent, ' ') + std::string(layout.bullet);
  const std::string next(layout.indent + layout.bullet.size(), ' ');
  bool fresh = true;
  const std::string shown = printable(words);
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', at), shown.size());
    const std::string word = shown.substr(at, end - at);
    if (!fresh && width(line) + 1 + width(word) > layout.columns) {
      out += line + '\n';
      line = next;
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += word;
    fresh = false;
    at = end + 1;
  }
  return out + line + '\n';
}

}  // namespace agon::text
