#include "suite/suite_text.hpp"

#include <algorithm>

#include "text/nearest.hpp"

namespace agon {

namespace bj = boost::json;

void SuiteText::fail(const std::string& what, const json::Path& path,
                     const std::string& mend) const {
  throw Error(ErrorKind::invalid, what, where(path), mend);
}

std::string SuiteText::where(const json::Path& path) const {
  return json::place(file_, text_, path);
}

const bj::object& SuiteText::object(const bj::value& v, const json::Path& path) const {
  if (!v.is_object()) fail("must be an object", path);
  return v.get_object();
}

std::string SuiteText::text(const bj::value& v, const json::Path& path) const {
  if (!v.is_string()) fail("must be a text", path);
  return std::string(v.get_string());
}

std::uint64_t SuiteText::whole(const bj::value& v, const json::Path& path, std::int64_t lo,
                               std::int64_t hi) const {
  const std::string low = std::to_string(lo);
  const std::string high = std::to_string(hi);
  if (!v.is_int64() && !v.is_uint64())
    fail("must be a whole number from " + low + " to " + high, path);
  if (v.is_uint64() || v.get_int64() < lo || v.get_int64() > hi)
    fail("must lie between " + low + " and " + high, path);
  return static_cast<std::uint64_t>(v.get_int64());
}

void SuiteText::known(const bj::object& o, const json::Path& path,
                      const std::vector<std::string>& names) const {
  for (const auto& entry : o)
    if (std::find(names.begin(), names.end(), std::string_view(entry.key())) == names.end())
      fail("'" + std::string(entry.key()) + "' is not known here" +
               text::did_you_mean(entry.key(), names),
           path / entry.key());
}

}  // namespace agon
