#include <agon/error.hpp>
#include <utility>

namespace agon {
namespace {

std::string message(const std::string& problem, const std::string& where, const std::string& hint) {
  std::string text = where.empty() ? problem : where + ": " + problem;
  if (!hint.empty()) text += "; " + hint;
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, std::string problem, std::string where, std::string hint)
    : std::runtime_error(message(problem, where, hint)),
      kind_(kind),
      problem_(std::move(problem)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

Error::~Error() = default;

Error Error::within(std::string_view outer) const {
  return Error(kind_, problem_, std::string(outer) + where_, hint_);
}

}  // namespace agon
