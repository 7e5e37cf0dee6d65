#include "suite/labels.hpp"

#include <agon/error.hpp>

namespace agon {

boost::json::object take_labels(boost::json::object& entry, const std::string& where) {
  const boost::json::value* given = entry.if_contains("labels");
  if (given == nullptr) return {};
  const auto bad = [&](const std::string& what, const std::string& place) {
    throw Error(ErrorKind::invalid, what, where + ".labels" + place,
                "write \"labels\": {\"workflow\": \"use\"}");
  };
  if (!given->is_object()) bad("labels are an object of texts", "");
  for (const auto& label : given->get_object()) {
    const std::string place = "." + std::string(label.key());
    if (label.key().empty()) bad("a label needs a name", "");
    if (!label.value().is_string() || label.value().get_string().empty())
      bad("a label is a text that is not empty", place);
  }
  boost::json::object labels = given->get_object();
  // Erasing would move the last member to this place, and with it the order of messages.
  boost::json::object rest;
  for (auto& member : entry)
    if (member.key() != "labels") rest.emplace(member.key(), std::move(member.value()));
  entry = std::move(rest);
  return labels;
}

void add_labels(boost::json::object& levels, const boost::json::object& labels,
                const std::string& where) {
  for (const auto& label : labels) {
    if (levels.contains(label.key()))
      throw Error(ErrorKind::invalid,
                  "'" + std::string(label.key()) + "' is a factor and a label at once",
                  where + ".labels", "give the label another name");
    levels.emplace(label.key(), label.value());
  }
}

}  // namespace agon
