#include "suite/factors.hpp"

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <set>

#include "design/treatments.hpp"
#include "json/write.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// More agents than this are a slip of the pen.
constexpr std::uint64_t kMostAgents = 1000;

std::string level_text(const bj::value& level) {
  return level.is_string() ? std::string(level.get_string()) : json::write(level);
}

}  // namespace

std::vector<FactorLevels> cross_factors(const bj::value& value, const std::string& where) {
  const auto wrong = [&](const std::string& what, const std::string& mend = {}) {
    throw Error(ErrorKind::invalid, what, where, mend);
  };
  if (!value.is_object() || value.get_object().empty())
    wrong("factors are an object of lists", "write {\"memory\": [\"whole\", \"notebook\"]}");
  std::vector<design::Factor> factors;
  std::vector<const bj::array*> levels;
  for (const auto& entry : value.get_object()) {
    const std::string name(entry.key());
    const bj::array* list = entry.value().if_array();
    if (list == nullptr || list->empty()) wrong("factor '" + name + "' needs a list of levels");
    std::set<std::string> seen;
    for (const bj::value& level : *list) {
      const std::string text = level_text(level);
      if (!seen.insert(text).second)
        wrong("factor '" + name + "' has the level '" + text + "' twice");
      if (text.find('*') != std::string::npos)
        wrong("a level becomes part of the agent's name and has no '*': '" + text + "'");
    }
    factors.push_back({name, static_cast<int>(list->size())});
    levels.push_back(list);
  }
  const design::Treatments all(factors);
  if (all.size() > kMostAgents)
    wrong("these factors make " + std::to_string(all.size()) + " agents, more than " +
          std::to_string(kMostAgents));
  std::vector<FactorLevels> made;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    FactorLevels one;
    const std::vector<int> level = all.levels(i);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const bj::value& v = (*levels[f])[static_cast<std::size_t>(level[f])];
      one.suffix += (f == 0 ? "" : ",") + factors[f].name + "=" + level_text(v);
      one.members[factors[f].name] = v;
    }
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace agon
