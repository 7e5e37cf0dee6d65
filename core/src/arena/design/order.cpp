#include "design/order.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <numeric>

namespace agon::design {
namespace {

__extension__ using Wide = unsigned __int128;

void check_size(std::uint64_t size) {
  if (size > kMostInOrder)
    throw Error(ErrorKind::invalid,
                fmt::format("more than {} matches are too many to order", kMostInOrder), {},
                "use fewer agents, seats or blocks");
}

}  // namespace

std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed) {
  check_size(count);
  std::vector<std::uint64_t> out(count);
  std::iota(out.begin(), out.end(), std::uint64_t{0});
  Dice dice(seed);
  dice.shuffle(std::span(out));
  return out;
}

std::vector<Turn> riffled(std::span<const std::uint64_t> sizes, std::uint64_t seed) {
  struct Timed {
    std::uint64_t time;  // a fraction of the whole, times 2^64
    Turn turn;
  };
  std::vector<Timed> timed;
  std::uint64_t total = 0;
  for (const std::uint64_t size : sizes) {
    check_size(size);
    total += size;
    check_size(total);
  }
  timed.reserve(total);
  Dice dice(seed);
  for (std::size_t list = 0; list < sizes.size(); ++list) {
    const std::uint64_t size = sizes[list];
    for (std::uint64_t item = 0; item < size; ++item) {
      const Wide time = static_cast<Wide>(item << 32 | dice.bits()) << 32;
      timed.push_back(
          {static_cast<std::uint64_t>(time / size), {static_cast<std::uint32_t>(list), item}});
    }
  }
  // Times of neighbours in a list differ by more than rounding, so a list cannot overtake itself.
  std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.turn.list != b.turn.list) return a.turn.list < b.turn.list;
    return a.turn.item < b.turn.item;
  });
  std::vector<Turn> out;
  out.reserve(timed.size());
  for (const Timed& entry : timed) out.push_back(entry.turn);
  return out;
}

std::vector<std::uint64_t> interleaved(std::span<const std::uint32_t> group, std::uint64_t seed) {
  std::uint32_t groups = 0;
  for (const std::uint32_t g : group) groups = std::max(groups, g + 1);
  std::vector<std::uint64_t> sizes(groups, 0);
  for (const std::uint32_t g : group) ++sizes[g];
  std::vector<std::uint64_t> starts(groups, 0);
  std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), std::uint64_t{0});

  std::vector<std::uint64_t> items(group.size());
  std::vector<std::uint64_t> next = starts;
  for (std::size_t i = 0; i < group.size(); ++i) items[next[group[i]]++] = i;
  Dice dice(seed);
  for (std::uint32_t g = 0; g < groups; ++g)
    dice.shuffle(std::span(items).subspan(starts[g], sizes[g]));

  std::vector<std::uint64_t> out;
  out.reserve(group.size());
  const std::uint64_t pattern = combine(seed, hash_of("riffle"));
  for (const Turn& turn : riffled(sizes, pattern))
    out.push_back(items[starts[turn.list] + turn.item]);
  return out;
}

}  // namespace agon::design
