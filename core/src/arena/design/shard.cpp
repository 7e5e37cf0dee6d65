#include "design/shard.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>

#include "text/words.hpp"

namespace agon::design {

Shard Shard::parse(std::string_view text, const std::string& where, const std::string& form) {
  const std::size_t slash = text.find('/');
  const auto refuse = [&](const std::string& why, const std::string& hint = "") {
    throw Error(ErrorKind::usage, fmt::format("invalid value '{}' for {}; {}", text, where, why),
                "", hint);
  };
  const bool is_split = slash != std::string_view::npos;
  const auto number = text::number_in<std::uint64_t>(text.substr(0, slash));
  const auto count = text::number_in<std::uint64_t>(is_split ? text.substr(slash + 1) : "");
  if (!number || !count) refuse("expected " + form, "such as 3/16");
  const Shard shard{*number, *count};
  if (shard.count < 1 || shard.count > kMost)
    refuse(fmt::format("{} is from 1 to {}", form.back(), kMost));
  if (shard.number < 1 || shard.number > shard.count)
    refuse(fmt::format("{} is from 1 to {}", form.front(), shard.count));
  return shard;
}

std::string Shard::text() const {
  return fmt::format("{}/{}", number, count);
}

std::uint64_t Shard::units(std::uint64_t first, std::uint64_t end) const {
  const auto before = [&](std::uint64_t unit) {
    return unit / count + (unit % count >= number ? 1 : 0);
  };
  return before(end) - before(first);
}

std::int64_t part_of(std::int64_t amount, std::uint64_t from, std::uint64_t to, std::uint64_t of) {
  __extension__ using Wide = __int128;
  const auto upto = [&](std::uint64_t part) {
    return static_cast<std::int64_t>(static_cast<Wide>(amount) * part / of);
  };
  return upto(to) - upto(from);
}

}  // namespace agon::design
