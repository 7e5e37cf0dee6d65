#include "llm/prompt/line_cache.hpp"

namespace agon::llm {
namespace {

/// Entries of a shard; when there are more, it starts anew.
constexpr std::size_t kMostEntries = 4096;

/// Large values are told apart by their length and three samples; equality is checked in full.
std::size_t quick_hash(std::string_view name, std::string_view json) {
  const std::hash<std::string_view> hash;
  std::size_t h = hash(name) ^ json.size() * 0x9E3779B97F4A7C15ULL;
  if (json.size() <= 256) return h ^ hash(json);
  for (const std::size_t at : {std::size_t{0}, json.size() / 2, json.size() - 64})
    h = h * 31 + hash(json.substr(at, 64));
  return h;
}

}  // namespace

std::string LineCache::line(const Source& source, const std::function<std::string()>& make) {
  const std::size_t key =
      quick_hash(source.name, source.json) + static_cast<unsigned char>(source.what);
  Shard& shard = shards_[key % shards_.size()];
  {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.entries.find(key);
    if (found != shard.entries.end() && found->second.source() == source) return found->second.line;
  }
  std::string line = make();
  const std::lock_guard lock(shard.mutex);
  if (shard.entries.size() >= kMostEntries) shard.entries.clear();
  shard.entries.insert_or_assign(
      key, Entry{source.what, source.type, std::string(source.scope), std::string(source.name),
                 std::string(source.json), line});
  return line;
}

}  // namespace agon::llm
