#include "record/codec.hpp"

#include <array>
#include <bit>
#include <limits>

#include "describe/limits.hpp"
#include "json/parse.hpp"

namespace agon::record {
namespace {

/// Elements of no bytes in a list: lists of such lists must not become much larger than their
/// bytes.
constexpr std::uint64_t kMostEmpty = 16;

}  // namespace

void put_signed(std::string& out, std::int64_t n) {
  put_number(out, (static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
}

void put_real(std::string& out, double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  std::array<char, 8> bytes;
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<char>(bits >> 8 * i);
  out.append(bytes.data(), bytes.size());
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

void encode(std::string& out, const Type& type, const void* object) {
  void* value = const_cast<void*>(object);
  switch (type.kind) {
    case Kind::boolean:
      out += static_cast<char>(type.get(object));
      return;
    case Kind::integer:
      put_signed(out, type.get(object));
      return;
    case Kind::number:
      put_real(out, *static_cast<const double*>(object));
      return;
    case Kind::text:
      put_text(out, type.text(object));
      return;
    case Kind::enumeration:
      put_number(out, enumerator_index(type, type.get(object)));
      return;
    case Kind::optional:
    case Kind::list: {
      const std::size_t n = type.count(object);
      put_number(out, n);
      for (std::size_t i = 0; i < n; ++i) encode(out, *type.element, type.item(value, i));
      return;
    }
    case Kind::map: {
      const std::size_t n = type.count(object);
      put_number(out, n);
      for (std::size_t i = 0; i < n; ++i) {
        put_text(out, type.key(object, i));
        encode(out, *type.element, type.item(value, i));
      }
      return;
    }
    case Kind::structure:
      for (const Field& f : type.fields) encode(out, *f.type, f.at(value));
      return;
    case Kind::variant: {
      const std::size_t i = type.index(object);
      put_number(out, i);
      encode(out, *type.alternatives[i], type.alternative(value));
      return;
    }
  }
}

bool decode(Bytes& in, const Type& type, void* object) {
  std::uint64_t n = 0;
  switch (type.kind) {
    case Kind::boolean: {
      std::uint8_t b = 0;
      if (!in.byte(b) || b > 1) return false;
      type.set(object, b);
      return true;
    }
    case Kind::integer: {
      std::int64_t v = 0;
      if (!in.signed_number(v) || v < type.low || v > type.high) return false;
      type.set(object, v);
      return true;
    }
    case Kind::number:
      return in.real(*static_cast<double*>(object));
    case Kind::text: {
      std::string_view t;
      if (!in.text(t) || !type.can_set_text()) return false;
      if (type.any_json && !json::is_value(t)) return false;
      type.set_text(object, t);
      return true;
    }
    case Kind::enumeration:
      if (!in.number(n) || n >= type.enumerators.size()) return false;
      type.set(object, type.enumerators[n].value);
      return true;
    case Kind::optional:
    case Kind::list:
      if (!in.number(n) || n > type.capacity || !type.can_resize()) return false;
      // Every element takes a byte or more, unless it is an empty struct, of which nobody lists
      // many.
      if (n > in.left() && (type.element->slots != 0 || n > kMostEmpty)) return false;
      if (!type.resize(object, n)) return false;
      for (std::uint64_t i = 0; i < n; ++i)
        if (!decode(in, *type.element, type.item(object, i))) return false;
      return true;
    case Kind::map: {
      if (!in.number(n) || n > in.left()) return false;
      type.resize(object, 0);
      for (std::uint64_t i = 0; i < n; ++i) {
        std::string_view key;
        if (!in.text(key) || !decode(in, *type.element, type.emplace(object, key))) return false;
      }
      return true;
    }
    case Kind::structure:
      for (const Field& f : type.fields)
        if (!decode(in, *f.type, f.at(object))) return false;
      return true;
    case Kind::variant:
      if (!in.number(n) || n >= type.alternatives.size()) return false;
      return decode(in, *type.alternatives[n], type.become(object, n));
  }
  return false;
}

namespace {

using Metrics = InlineList<double, kMaxMetrics>;

/// What can be held; whether there are as many seats is looked at where the card is known.
constexpr auto kMostRank = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

void put_metrics(std::string& out, const Metrics& metrics) {
  put_number(out, metrics.size());
  for (const double value : metrics) put_real(out, value);
}

bool read_metrics(Bytes& in, Metrics& metrics) {
  std::uint64_t n = 0;
  if (!in.number(n) || n > kMaxMetrics) return false;
  metrics.resize_for_overwrite(n);
  for (double& value : metrics)
    if (!in.real(value)) return false;
  return true;
}

}  // namespace

void encode(std::string& out, const Outcome& outcome) {
  put_number(out, static_cast<std::uint64_t>(outcome.seats()));
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    put_real(out, seat.score);
    put_real(out, seat.disagreement);
    put_real(out, seat.ideal);
    put_number(out, static_cast<std::uint64_t>(seat.rank));
    put_metrics(out, seat.metrics);
  }
  put_metrics(out, outcome.match_metrics());
}

bool decode(Bytes& in, Outcome& outcome) {
  std::uint64_t seats = 0;
  if (!in.number(seats) || seats > kMaxSeats) return false;
  outcome.resize(static_cast<int>(seats));
  for (int i = 0; i < outcome.seats(); ++i) {
    SeatOutcome& seat = outcome[i];
    std::uint64_t rank = 0;
    if (!in.real(seat.score) || !in.real(seat.disagreement) || !in.real(seat.ideal) ||
        !in.number(rank) || rank > kMostRank || !read_metrics(in, seat.metrics))
      return false;
    seat.rank = static_cast<int>(rank);
  }
  return read_metrics(in, outcome.match_metrics());
}

}  // namespace agon::record
