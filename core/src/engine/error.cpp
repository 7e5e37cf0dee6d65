#include <agon/error.hpp>
#include <utility>

namespace agon {
namespace {

std::string message(const std::string& problem, const std::string& where, const std::string& mend) {
  std::string text = where.empty() ? problem : where + ": " + problem;
  if (!mend.empty()) text += "; " + mend;
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, std::string problem, std::string where, std::string mend)
    : std::runtime_error(message(problem, where, mend)),
      kind_(kind),
      problem_(std::move(problem)),
      where_(std::move(where)),
      mend_(std::move(mend)) {}

Error::~Error() = default;

Error Error::within(std::string_view outer) const {
  return Error(kind_, problem_, std::string(outer) + where_, mend_);
}

}  // namespace agon
