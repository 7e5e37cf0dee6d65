#include "archive/matches/match_id.hpp"

#include <algorithm>

namespace agon::archive {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Collects the parts. Lengths keep ("ab", "c") and ("a", "bc") apart.
class Hasher {
 public:
  Hasher() = default;
  explicit Hasher(const hash::Sha256& sha) : sha_(sha) {}

  void add(std::string_view text) {
    put(text.size());
    sha_.update(text);
  }
  void add(const hash::Digest& digest) {
    add(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
  }
  void add(std::uint64_t number) {
    put(8);
    put(number);
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }

  [[nodiscard]] MatchId id() const {
    const hash::Digest digest = sha_.digest();
    MatchId id;
    std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
    return id;
  }
  [[nodiscard]] const hash::Sha256& sha() const { return sha_; }

 private:
  void put(std::uint64_t number) {
    std::array<char, 8> bytes{};  // little-endian on every machine
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>((number >> (8 * i)) & 0xFFU);
    sha_.update({bytes.data(), bytes.size()});
  }

  hash::Sha256 sha_;
};

}  // namespace

std::optional<MatchId> MatchId::read(std::string_view text) {
  MatchId id;
  if (text.size() != 2 * id.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return id;
}

MatchIds::MatchIds(const MatchParts& parts) : assignment_(parts.assignment) {
  Hasher hasher;
  hasher.add("agon match 1");  // the form of this list; another form must give other ids
  hasher.add(parts.game);
  hasher.add(parts.game_version);
  hasher.add(parts.plugin_version);
  hasher.add(parts.scenario);
  hasher.add(parts.settings);
  hasher.add(std::uint64_t{parts.agents.size()});
  for (const hash::Digest& agent : parts.agents) hasher.add(agent);
  hasher.add(parts.seed);
  if (!parts.branch.empty()) hasher.add(parts.branch);
  common_ = hasher.sha();
}

MatchId MatchIds::operator()(std::int64_t block, std::int64_t position, std::int64_t repeat) const {
  Hasher hasher(common_);
  for (const std::int64_t part : {block, position, repeat, assignment_}) hasher.add(part);
  return hasher.id();
}

MatchId match_id(const MatchParts& parts) {
  return MatchIds(parts)(parts.block, parts.position, parts.repeat);
}

}  // namespace agon::archive
