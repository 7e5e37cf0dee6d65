#include "report/suite_wishes.hpp"

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"

namespace agon::report {

SuiteWishes suite_wishes(const archive::Archive& archive) {
  SuiteWishes said;
  const auto runs = archive.runs();
  if (runs.empty() || !runs.back().suite) return said;
  const auto text = archive.content(*runs.back().suite);
  if (!text || text->empty()) return said;
  boost::json::value suite;
  try {
    suite = json::parse(*text, "suite");
  } catch (const Error&) {
    return said;  // a run without a suite file says so in its own words
  }
  if (!suite.is_object()) return said;
  const auto member = [&](const char* object, const char* name) -> const boost::json::value* {
    const boost::json::value* of = suite.get_object().if_contains(object);
    return of != nullptr && of->is_object() ? of->get_object().if_contains(name) : nullptr;
  };
  if (const auto* v = member("report", "against"); v != nullptr && v->is_string())
    said.against = std::string(v->get_string());
  if (const auto* v = member("faults", "policy"); v != nullptr && v->is_string())
    said.policy = std::string(v->get_string());
  if (const auto* v = member("report", "level"); v != nullptr && v->is_double())
    said.level = v->get_double();
  return said;
}

FaultPolicy policy_of(const std::string& asked, const SuiteWishes& suite, const std::string& path) {
  if (!asked.empty()) return fault_policy(asked, "--policy");
  return suite.policy.empty() ? FaultPolicy::as_played : fault_policy(suite.policy, path);
}

}  // namespace agon::report
