#include "describe/error_place.hpp"

#include "describe/file_text.hpp"

namespace agon {

ErrorPlace ErrorPlace::operator/(std::string_view member) const {
  ErrorPlace below = *this;
  below.path_ = path_ / member;
  return below;
}

ErrorPlace ErrorPlace::operator/(const json::Path& below) const {
  ErrorPlace place = *this;
  place.path_ = path_ / below;
  return place;
}

std::string ErrorPlace::str() const {
  if (file_ != nullptr) return file_->where(path_);
  return path_.steps().empty() ? words_ : words_ + " (" + path_.str() + ")";
}

}  // namespace agon
