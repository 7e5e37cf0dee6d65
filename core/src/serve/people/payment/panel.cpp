#include "people/payment/panel.hpp"

#include <algorithm>
#include <vector>

#include "json/parse.hpp"

namespace agon::serve {
namespace {

constexpr std::size_t kLongest = 300;
/// What MTurk sends for who looks at a task that they have not accepted.
constexpr std::string_view kPreview = "ASSIGNMENT_ID_NOT_AVAILABLE";

bool is_plain(const std::string& value) {
  return value.size() <= kLongest && std::none_of(value.begin(), value.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

}  // namespace

std::optional<PanelProblem> Panel::read(const JsonBody& body, PanelVisit& visit) const {
  visit.id = body.text(parameters_.id);
  if (visit.id.empty()) return PanelProblem::no_id;
  if (!is_plain(visit.id)) return PanelProblem::too_long;
  visit.parameters[parameters_.id] = visit.id;
  const auto keep = [&](const std::string& name) {
    const std::string value = body.text(name);
    if (!value.empty()) visit.parameters[name] = value;
    return is_plain(value) && value != kPreview;
  };
  if (parameters_.session) {
    visit.session = body.text(*parameters_.session);
    if (visit.session == kPreview) return PanelProblem::preview;
    if (!keep(*parameters_.session)) return PanelProblem::too_long;
  }
  for (const std::string& name : parameters_.more)
    if (!keep(name)) return PanelProblem::too_long;
  return {};
}

std::string Panel::path() const {
  std::vector<std::string> names{parameters_.id};
  if (parameters_.session) names.push_back(*parameters_.session);
  names.insert(names.end(), parameters_.more.begin(), parameters_.more.end());
  std::string path = "/join";
  for (const std::string& name : names) {
    path += (path == "/join" ? "?" : "&") + name + "=";
    path += parameters_.id == "PROLIFIC_PID"  ? "{{%" + name + "%}}"
            : parameters_.id == "survey_code" ? std::string("%SURVEY_CODE%")
                                              : std::string("...");
  }
  return path;
}

bool Panel::is_same_link(const PanelVisit& visit, const std::string& kept) const {
  if (!parameters_.session || visit.session.empty() || kept.empty()) return false;
  const boost::json::value before = json::parse(kept, "panel");
  const boost::json::value* session = before.as_object().if_contains(*parameters_.session);
  return session != nullptr && session->is_string() && session->as_string() == visit.session;
}

}  // namespace agon::serve
