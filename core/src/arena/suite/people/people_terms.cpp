#include "suite/people/people_terms.hpp"

#include <algorithm>
#include <set>

#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

using suite_file::PanelParameters;
using suite_file::TextByOutcome;
using suite_file::TextsByOutcome;

/// Calls `each` with every text and the member that it stands at; empty: it is the whole value.
template <class Each>
void each_text(const TextByOutcome& texts, Each each) {
  if (const auto* one = std::get_if<std::string>(&texts)) return each("", *one);
  const auto& by = std::get<TextsByOutcome>(texts);
  const std::pair<const char*, const std::optional<std::string>&> all[] = {
      {"complete", by.complete},   {"waited", by.waited},         {"screened_out", by.screened_out},
      {"timed_out", by.timed_out}, {"no_consent", by.no_consent}, {"left", by.left}};
  for (const auto& [outcome, text] : all)
    if (text) each(outcome, *text);
}

json::Path at(const json::Path& path, const std::string& member) {
  return member.empty() ? path : path / member;
}

void check_payment(const suite_file::Payment& payment, const FileText& text,
                   const json::Path& path) {
  if (payment.round.cents < 1) text.fail("must be 0.01 or more", path / "round");
  if (payment.per_point < 0) text.fail("must be 0 or more", path / "per_point");
  if (payment.minimum.cents % payment.round.cents != 0)
    text.fail("must be a multiple of round, as all payments are", path / "minimum");
  if (payment.screened_out && payment.screened_out->cents < 0)
    text.fail("must be 0 or more", path / "screened_out");
  if (!payment.maximum) return;
  if (payment.maximum->cents % payment.round.cents != 0)
    text.fail("must be a multiple of round, as all payments are", path / "maximum");
  if (*payment.maximum < payment.minimum || payment.maximum->cents < 0)
    text.fail("must be 0 or more, and not less than minimum", path / "maximum");
}

void check_address(const std::string& address, const std::set<std::string>& known,
                   const FileText& text, const json::Path& path) {
  const std::size_t host = address.starts_with("https://")  ? 8
                           : address.starts_with("http://") ? 7
                                                            : 0;
  if (host == 0) text.fail("must begin with https:// or http://", path);
  if (address.size() > 2000) text.fail("has at most 2000 characters", path);
  for (const std::string& name : text::names_in_braces(address))
    if (!known.contains(name))
      text.fail(
          "nothing stands for {" + name + "}", path,
          "use {code}" + std::string(known.size() > 1 ? ", or a parameter of the panel" : ""));
  const std::size_t brace = address.find('{');
  if (brace != std::string::npos &&
      brace < std::min(address.find_first_of("/?#", host), address.size()))
    text.fail("what comes with a person must not name the host", path,
              "put {...} behind the first / of the address");
}

bool is_parameter(const std::string& name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
             std::string::npos;
}

std::set<std::string> check_panel(const suite_file::People& people, const FileText& text,
                                  const json::Path& path) {
  const auto panel = panel_of(people);
  if (!panel) return {};
  if (panel->id.empty())
    text.fail("no panel is known by this name", path,
              "say prolific, mturk or sona, or {\"id\": \"PARAMETER\"}");
  std::set<std::string> names;
  std::vector<std::string> all{panel->id};
  if (panel->session) all.push_back(*panel->session);
  all.insert(all.end(), panel->more.begin(), panel->more.end());
  for (const std::string& name : all) {
    if (!is_parameter(name) || name == "code")
      text.fail("'" + name + "' is no name of a parameter: letters, digits, -, _ and ., not code",
                path);
    if (!names.insert(name).second) text.fail("duplicate parameter '" + name + "'", path);
  }
  if (names.size() > 20) text.fail("a panel has at most 20 parameters", path);
  return names;
}

}  // namespace

std::optional<PanelParameters> panel_of(const suite_file::People& people) {
  if (!people.panel) return {};
  if (const auto* own = std::get_if<PanelParameters>(&*people.panel)) return *own;
  const std::string& name = std::get<std::string>(*people.panel);
  if (name == "prolific") return PanelParameters{"PROLIFIC_PID", "SESSION_ID", {"STUDY_ID"}};
  if (name == "mturk")
    return PanelParameters{"workerId", "assignmentId", {"hitId", "turkSubmitTo"}};
  if (name == "sona") return PanelParameters{"survey_code", {}, {}};
  return PanelParameters{};
}

void check_terms(const suite_file::People& people, const FileText& text, const json::Path& path) {
  check_payment(people.payment, text, path / "payment");
  std::set<std::string> known = check_panel(people, text, path / "panel");
  known.insert("code");
  if (people.code)
    each_text(*people.code, [&](const std::string& outcome, const std::string& code) {
      if (code.empty() || code.size() > 100)
        text.fail("a code has 1 to 100 characters", at(path / "code", outcome));
    });
  if (people.return_to)
    each_text(*people.return_to, [&](const std::string& outcome, const std::string& address) {
      check_address(address, known, text, at(path / "return_to", outcome));
    });
}

}  // namespace agon
