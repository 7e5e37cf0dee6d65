#pragma once

#include <boost/json/value.hpp>
#include <deque>
#include <memory>
#include <string>

#include "describe/value.hpp"

namespace agon::worker {

/// A value of a game's view or event, read from JSON. What it only views, texts and lists that are
/// elsewhere while the game plays, it keeps here.
class ViewValue {
 public:
  /// Throws Error for JSON that does not fit the type.
  ViewValue(const Type& type, const boost::json::value& json);
  [[nodiscard]] const void* get() const { return value_.get(); }

 private:
  /// The elements of a list that is viewed.
  class Elements;

  void read(const Type& type, void* at, const boost::json::value& json);
  void read_list(const Type& type, void* at, const boost::json::value& json);
  void read_variant(const Type& type, void* at, const boost::json::value& json);

  std::deque<std::string> texts_;
  std::deque<std::shared_ptr<Elements>> lists_;
  Value value_;
};

}  // namespace agon::worker
