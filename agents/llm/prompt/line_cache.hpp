#pragma once

#include <agon/type.hpp>
#include <array>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace agon::llm {

/// Lines made from deliveries, kept so that a long memory is not rendered anew at each question. It
/// remembers and changes nothing: a line is a pure function of what it is made from.
class LineCache {
 public:
  /// What a line is made from.
  struct Source {
    char what;               ///< which kind of line
    const Type* type;        ///< of `json`
    std::string_view scope;  ///< names of the seats
    std::string_view name;
    std::string_view json;
    friend bool operator==(const Source&, const Source&) = default;
  };

  /// What `make()` returns for the source, from memory where it was made before.
  [[nodiscard]] std::string line(const Source& source, const std::function<std::string()>& make);

 private:
  struct Entry {
    char what = 0;
    const Type* type = nullptr;
    std::string scope;
    std::string name;
    std::string json;
    std::string line;
    [[nodiscard]] Source source() const { return {what, type, scope, name, json}; }
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::size_t, Entry> entries;
  };
  std::array<Shard, 16> shards_;
};

}  // namespace agon::llm
