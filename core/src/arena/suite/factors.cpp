#include "suite/factors.hpp"

#include <agon/error.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "describe/json_text.hpp"
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

std::vector<FactorLevels> cross_factors(const std::optional<InOrder<std::vector<JsonText>>>& given,
                                        const ErrorPlace& place) {
  if (!given) return {FactorLevels()};
  const auto wrong = [&](const std::string& what, const std::string& name) {
    throw Error(ErrorKind::invalid, what, (place / name).str(),
                "write \"factors\": {\"memory\": [\"whole\", \"notebook\"]}");
  };
  std::vector<design::Factor> factors;
  std::vector<std::vector<bj::value>> levels;
  for (const auto& [name, list] : *given) {
    if (list.empty()) wrong("a factor needs a list of levels", name);
    std::set<std::string> seen;
    auto& its = levels.emplace_back();
    for (const JsonText& level : list) {
      const std::string text = level_text(its.emplace_back(parsed(level)));
      if (!seen.insert(text).second) wrong("the level '" + text + "' is there twice", name);
      if (text.find('*') != std::string::npos)
        wrong("a level becomes part of the agent's name and has no '*': '" + text + "'", name);
    }
    factors.push_back({name, static_cast<int>(list.size())});
  }
  const design::Treatments all(factors);
  if (all.size() > kMostAgents)
    throw Error(ErrorKind::invalid,
                "these factors make " + std::to_string(all.size()) + " agents, more than " +
                    std::to_string(kMostAgents),
                place.str());
  std::vector<FactorLevels> made;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    FactorLevels one;
    const std::vector<int> level = all.levels(i);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const bj::value& v = levels[f][static_cast<std::size_t>(level[f])];
      one.suffix += (f == 0 ? "/" : ",") + factors[f].name + "=" + level_text(v);
      one.members[factors[f].name] = v;
    }
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace agon
