#include "deal-or-no-deal/import_json.hpp"

#include <agon/json_writer.hpp>

namespace deal_or_no_deal {
namespace {

constexpr agon::DataFormat kFileFormat{"agon.deal-or-no-deal.instances", 1};

void append_amounts(std::string& out, const Amounts& amounts) {
  out += '[';
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (i > 0) out += ", ";
    agon::append_json_number(out, amounts[i]);
  }
  out += ']';
}

void append_pair(std::string& out, const std::array<Amounts, 2>& pair) {
  out += '[';
  append_amounts(out, pair[0]);
  out += ", ";
  append_amounts(out, pair[1]);
  out += ']';
}

std::string row_text(const Row& row) {
  std::string out = "{\"id\": ";
  agon::append_json_text(out, row.instance.id);
  if (row.instance.line > 0) {
    out += ", \"line\": ";
    agon::append_json_number(out, row.instance.line);
  }
  out += ", \"counts\": ";
  append_amounts(out, row.instance.counts);
  out += ", \"values\": ";
  append_pair(out, row.instance.values);
  if (row.human) {
    out += ", \"human\": {\"ending\": ";
    agon::append_json_text(out, name(row.human->ending));
    out += ", \"messages\": ";
    agon::append_json_number(out, row.human->messages);
    if (row.human->split) {
      out += ", \"split\": ";
      append_pair(out, row.human->split->parts);
    }
    out += '}';
  }
  out += '}';
  return out;
}

}  // namespace

std::string write_instances(const InstanceFile& file) {
  std::vector<std::string> rows;
  for (const Row& row : file.rows) rows.push_back(row_text(row));
  return agon::write_data_file(kFileFormat, file.source, rows);
}

}  // namespace deal_or_no_deal
