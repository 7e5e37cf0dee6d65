#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace agon::archive {

/// Values that were used last, up to a size in all; the last one stays, however large it is.
template <class Key, class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t most) : most_(most) {}
  RecentlyUsed(const RecentlyUsed&) = delete;
  RecentlyUsed& operator=(const RecentlyUsed&) = delete;

  /// Null if it is not kept. Valid until the next one is.
  const Value* find(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    values_.splice(values_.begin(), values_, found->second);
    return &values_.front().value;
  }
  /// Keeps a value of this size, unless there is one with its key.
  void keep(const Key& key, const Value& value, std::size_t size) {
    if (find(key) != nullptr) return;
    values_.push_front({key, value, size});
    places_.emplace(key, values_.begin());
    size_ += size;
    while (size_ > most_ && values_.size() > 1) {
      size_ -= values_.back().size;
      places_.erase(values_.back().key);
      values_.pop_back();
    }
  }

 private:
  struct UsedValue {
    Key key;
    Value value;
    std::size_t size;
  };

  const std::size_t most_;
  std::size_t size_ = 0;
  std::list<UsedValue> values_;  ///< the last used first
  std::map<Key, typename std::list<UsedValue>::iterator> places_;
};

}  // namespace agon::archive
