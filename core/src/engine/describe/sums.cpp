#include <agon/detail/typed_answer.hpp>
#include <algorithm>
#include <cmath>

#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "text/language.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

using Whole = std::int64_t;

/// Whole numbers further from zero than this are not drawn into a sum: theirs fits into 64 bits.
constexpr Whole kFar = Whole{1} << 53;

/// Bounds of a sum that are no further apart than this share of their own sum are for rounding.
constexpr double kRoundingRoom = 0.02;

/// Sums and differences that stay at the end of what a number can hold.
Whole plus(Whole a, Whole b) {
  Whole sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<Whole>::min() : std::numeric_limits<Whole>::max();
}
Whole minus(Whole a, Whole b) {
  Whole difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<Whole>::min() : std::numeric_limits<Whole>::max();
}
double plus(double a, double b) {
  return a + b;
}
double minus(double a, double b) {
  return a - b;
}

/// How far a sum of doubles may be beyond its bound: they are not added exactly.
double slack(double bound) {
  return 1e-9 * std::max(1.0, std::abs(bound));
}

template <class N>
N bound_of(std::int64_t bound) {
  if constexpr (std::same_as<N, double>)
    return std::bit_cast<double>(bound);
  else
    return bound;
}

/// A number that sums count.
template <class N>
struct Summand {
  const Type* type;
  void* at;
  N lo, hi;
  std::uint64_t sums = 0;  ///< which count it, as bits

  [[nodiscard]] N get() const {
    if constexpr (std::same_as<N, double>)
      return *static_cast<const double*>(at);
    else
      return type->get(at);
  }
  void put(N value) const {
    if constexpr (std::same_as<N, double>)
      *static_cast<double*>(at) = value;
    else
      type->set(at, value);
  }
};

/// A sum, and what it comes to.
template <class N>
struct Sum {
  const LimitData* limit;
  N lo, hi;
  N total = 0;
  bool is_met = false;  ///< something that it counts is there, were it an empty list

  [[nodiscard]] N over() const { return minus(total, hi); }
  [[nodiscard]] N under() const { return minus(lo, total); }
  [[nodiscard]] bool holds() const {
    if constexpr (std::same_as<N, double>)
      return !is_met || (over() <= slack(hi) && under() <= slack(lo));
    else
      return !is_met || (over() <= 0 && under() <= 0);
  }
};

/// What the sums of one kind of number, whole or not, say of a value.
template <class N>
class Sums {
 public:
  static constexpr Kind kKind = std::same_as<N, double> ? Kind::number : Kind::integer;

  Sums(const Type& type, void* object, std::span<const LimitData> limits) : limits_(limits) {
    for (const LimitData& limit : limits)
      if (limit.kind == LimitKind::sum && sums_.size() < 64 && is_of(limit, type))
        sums_.push_back({&limit, bound_of<N>(limit.lo), bound_of<N>(limit.hi)});
    walk(type, nullptr, object, 0, nullptr, 0);
    for (const Summand<N>& item : items_) add(item, item.get());
  }

  [[nodiscard]] std::span<const Summand<N>> items() const { return items_; }
  [[nodiscard]] const Sum<N>* broken() const {
    for (const Sum<N>& sum : sums_)
      if (!sum.holds()) return &sum;
    return nullptr;
  }

  bool fit(Dice& dice, const void* kept) {
    for (const Summand<N>& item : items_)
      if (item.at != kept)
        change(item, std::clamp(item.get(), item.lo, std::max(item.lo, item.hi)));
    std::vector<Summand<N>> order = items_;
    std::erase_if(order, [kept](const Summand<N>& item) { return item.at == kept; });
    dice.shuffle(std::span(order));
    // Sums that share places may need more than one turn.
    for (int turn = 0; turn < 8 && broken() != nullptr; ++turn)
      for (std::size_t k = 0; k < sums_.size(); ++k)
        for (const Summand<N>& item : order) {
          if (sums_[k].holds()) break;
          if ((item.sums >> k & 1U) == 0) continue;
          const N value = item.get();
          if (sums_[k].over() > 0) {
            change(item, std::max(item.lo, minus(value, sums_[k].over())));
          } else {
            N step = std::min(minus(item.hi, value), sums_[k].under());
            for (std::size_t other = 0; other < sums_.size(); ++other)
              if (other != k && (item.sums >> other & 1U) != 0)
                step = std::min(step, std::max<N>(0, -sums_[other].over()));
            change(item, plus(value, step));
          }
        }
    return broken() == nullptr;
  }

  /// Moves one number, or two against each other, to any place where all sums hold, many times: a
  /// walk that comes to be uniform over all that is legal (A. Smith, "A Gibbs sampler on the
  /// n-simplex", Annals of Applied Probability 24, 2014: after a multiple of n log n steps).
  void mix(Dice& dice) {
    const std::size_t n = items_.size();
    if (n == 0) return;
    const std::size_t steps = std::min<std::size_t>(
        20000, 8 * (n + 1) * (1 + static_cast<std::size_t>(std::bit_width(n))));
    for (std::size_t i = 0; i < steps; ++i) {
      const std::size_t one = dice.below(n);
      const std::size_t two = dice.below(n + 1);  // n: none
      if (one != two) move(items_[one], two == n ? nullptr : &items_[two], dice);
    }
  }

  [[nodiscard]] std::vector<SummedNumber> reach() const {
    std::vector<SummedNumber> found;
    for (const Summand<N>& item : items_) {
      N low = item.lo, high = item.hi;
      for (std::size_t k = 0; k < sums_.size(); ++k) {
        if ((item.sums >> k & 1U) == 0) continue;
        N least = 0, most = 0;
        bool is_open = false;
        for (const Summand<N>& other : items_) {
          if (other.at == item.at || (other.sums >> k & 1U) == 0) continue;
          least = plus(least, other.lo), most = plus(most, other.hi);
          is_open = is_open || is_endless(other.hi);
        }
        high = std::min(high, minus(sums_[k].hi, least));
        if (!is_open) low = std::max(low, minus(sums_[k].lo, most));
      }
      found.push_back({item.at, static_cast<double>(low), static_cast<double>(high)});
    }
    return found;
  }

 private:
  static bool is_endless(N high) {
    if constexpr (std::same_as<N, double>)
      return !std::isfinite(high);
    else
      return high >= std::numeric_limits<std::int32_t>::max();
  }

  void meet(std::uint16_t first, std::uint16_t slots) {
    for (Sum<N>& sum : sums_)
      for (std::uint16_t slot = first; slot < first + slots; ++slot)
        sum.is_met = sum.is_met || counts(*sum.limit, slot);
  }

  void add(const Summand<N>& item, N value) {
    for (std::size_t k = 0; k < sums_.size(); ++k)
      if ((item.sums >> k & 1U) != 0) sums_[k].total = plus(sums_[k].total, value);
  }
  void change(const Summand<N>& item, N value) {
    const N before = item.get();
    item.put(value);
    add(item, minus(value, before));
  }

  /// `each`: of the list that the value is element `index` of; else null.
  void walk(const Type& type, const Field* field, void* object, std::uint16_t slot,
            const LimitData* each, std::size_t index) {
    const auto inner = static_cast<std::uint16_t>(slot + 1);
    switch (type.kind) {
      case Kind::integer:
      case Kind::number:
        if (type.kind == kKind && is_summed(slot, limits_))
          count(type, field, object, slot, each, index);
        return;
      case Kind::structure:
        for (const Field& f : type.fields) {
          walk(*f.type, &f, f.at(object), slot, nullptr, 0);
          slot = static_cast<std::uint16_t>(slot + f.type->slots);
        }
        return;
      case Kind::variant: {
        const std::size_t held = type.index(object);
        return walk(*type.alternatives[held], type.forms ? field : nullptr,
                    type.alternative(object), alternative_slot(type, slot, held), nullptr, 0);
      }
      case Kind::list:
        each = limit_at(limits_, slot, LimitKind::each);
        [[fallthrough]];
      case Kind::map:
        meet(inner, type.element->slots);
        [[fallthrough]];
      case Kind::optional:
        for (std::size_t i = 0; i < type.count(object); ++i)
          walk(*type.element, field, type.item(object, i), inner, each, i);
        return;
      default:
        return;
    }
  }

  /// Whether the sum adds up numbers of this kind.
  static bool is_of(const LimitData& sum, const Type& type) {
    const Type* number = holder_of(sum, type).number;
    return number != nullptr && number->kind == kKind;
  }

  void count(const Type& type, const Field* field, void* object, std::uint16_t slot,
             const LimitData* each, std::size_t index) {
    Summand<N> item{&type, object, 0, 0};
    if constexpr (std::same_as<N, double>) {
      const NumberBounds b = number_bounds(field, slot, limits_);
      item.lo = b.lo, item.hi = b.hi;
    } else {
      const IntegerBounds b = integer_bounds(type, field, slot, limits_);
      item.lo = std::max(b.lo, -kFar), item.hi = std::min(b.hi, kFar);
      if (each != nullptr && index < each->n) {
        item.lo = std::max<N>(item.lo, each->lo);
        item.hi = std::min<N>(item.hi, each->each[index]);
      }
    }
    for (std::size_t k = 0; k < sums_.size(); ++k)
      if (counts(*sums_[k].limit, slot)) item.sums |= std::uint64_t{1} << k;
    meet(slot, 1);
    items_.push_back(item);
  }

  void move(const Summand<N>& one, const Summand<N>* two, Dice& dice) {
    const N value = one.get();
    N low = one.lo, high = one.hi;
    if (two != nullptr) {
      low = std::max(low, minus(plus(value, two->get()), two->hi));
      high = std::min(high, minus(plus(value, two->get()), two->lo));
    }
    const std::uint64_t others = two == nullptr ? 0 : two->sums;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      if (((one.sums ^ others) >> k & 1U) == 0) continue;
      const bool up = (one.sums >> k & 1U) != 0;
      low = std::max(low, plus(value, up ? sums_[k].under() : sums_[k].over()));
      high = std::min(high, minus(value, up ? sums_[k].over() : sums_[k].under()));
    }
    if (!(low <= high)) return;
    N to = value;
    if constexpr (std::same_as<N, double>) {
      low = std::isfinite(low) ? low : value - 1;
      high = std::isfinite(high) ? high : value + 1;
      to = std::clamp(low + (high - low) * dice.unit(), low, high);
    } else {
      to = dice.between(low, high);
    }
    change(one, to);
    if (two != nullptr) change(*two, minus(plus(two->get(), value), to));
  }

  std::span<const LimitData> limits_;
  std::vector<Sum<N>> sums_;
  std::vector<Summand<N>> items_;
};

/// All slots that the sum counts lie in first..first + slots - 1.
bool is_within(const LimitData& sum, std::uint16_t first, std::uint16_t slots) {
  const unsigned last = sum.slot + static_cast<unsigned>(std::bit_width(sum.n)) - 1;
  return sum.slot >= first && last < static_cast<unsigned>(first + slots);
}

/// The names of the numbers below a place that the sum counts, and whether these are all there.
bool name_counted(const LimitData& sum, const Type& type, std::uint16_t slot,
                  const std::string& name, SumHolder& out) {
  if (type.kind == Kind::integer || type.kind == Kind::number) {
    if (!counts(sum, slot)) return false;
    out.number = &type;
    out.names.push_back(name);
    return true;
  }
  if (type.element != nullptr)
    return name_counted(sum, *type.element, static_cast<std::uint16_t>(slot + 1), name, out);
  if (type.kind != Kind::structure) return false;
  bool all = true;
  for (const Field& f : type.fields) {
    const std::string inner = (name.empty() ? "" : name + ".") + std::string(f.name);
    all = name_counted(sum, *f.type, slot, inner, out) && all;
    slot = static_cast<std::uint16_t>(slot + f.type->slots);
  }
  return all;
}

void find_holder(const LimitData& sum, const Type& type, std::uint16_t slot, SumHolder& out) {
  out.type = &type;
  out.slot = slot;
  if (type.kind == Kind::structure) {
    for (const Field& f : type.fields) {
      if (is_within(sum, slot, f.type->slots)) {
        out.path.emplace_back(f.name);
        return find_holder(sum, *f.type, slot, out);
      }
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
  } else if (type.kind == Kind::optional) {
    return find_holder(sum, *type.element, static_cast<std::uint16_t>(slot + 1), out);
  } else if (type.kind == Kind::variant) {
    for (std::size_t i = 0; i < type.alternatives.size(); ++i)
      if (const std::uint16_t at = alternative_slot(type, slot, i);
          is_within(sum, at, type.alternatives[i]->slots))
        return find_holder(sum, *type.alternatives[i], at, out);
  }
}

template <class N>
std::string number_of(const Type& type, N value) {
  if constexpr (std::same_as<N, double>)
    return number_text(value);
  else
    return integer_text(type, value);
}

template <class N>
std::optional<BrokenSum> broken_sum(const Type& type, const void* object,
                                    std::span<const LimitData> limits) {
  const Sums<N> sums(type, const_cast<void*>(object), limits);
  const Sum<N>* sum = sums.broken();
  if (sum == nullptr) return std::nullopt;
  SumHolder holder = holder_of(*sum->limit, type);
  const bool is_over = sum->over() > 0;
  std::string total = number_of(*holder.number, sum->total);
  for (std::size_t i = holder.names.size(); i > 0; --i)
    total = holder.names[i - 1] + (i == holder.names.size() ? ": " : " + ") + total;
  return BrokenSum{{is_over ? ArenaLine("{value} in total, more than {bound}")
                            : ArenaLine("{value} in total, less than {bound}"),
                    {{"value", std::move(total)},
                     {"bound", number_of(*holder.number, is_over ? sum->hi : sum->lo)}}},
                   std::move(holder.path)};
}

}  // namespace

SumHolder holder_of(const LimitData& sum, const Type& answer) {
  SumHolder out;
  find_holder(sum, answer, 0, out);
  const bool all = name_counted(sum, *out.type, out.slot, "", out);
  if (all && out.type->kind != Kind::structure) out.names.clear();
  return out;
}

SumBounds sum_bounds(const LimitData& sum, const Type& number) {
  SumBounds out;
  if (number.kind == Kind::number) {
    auto lo = std::bit_cast<double>(sum.lo), hi = std::bit_cast<double>(sum.hi);
    // Bounds that leave room for rounding alone, as of probabilities, mean the number between.
    if (hi - lo <= kRoundingRoom * std::abs(lo + hi)) lo = hi = (lo + hi) / 2;
    if (std::isfinite(lo)) out.lo = number_text(lo);
    if (std::isfinite(hi)) out.hi = number_text(hi);
  } else {
    if (sum.lo > std::numeric_limits<std::int64_t>::min()) out.lo = integer_text(number, sum.lo);
    if (sum.hi < std::numeric_limits<std::int64_t>::max()) out.hi = integer_text(number, sum.hi);
  }
  return out;
}

std::string sum_in_words(const LimitData& sum, const SumHolder& holder, const Language& language) {
  const SumBounds b = sum_bounds(sum, *holder.number);
  const bool from_zero = b.lo == "0";
  std::string words;
  if (b.lo == b.hi)
    words = language.say(ArenaLine("exactly {n} in total"), {{"n", b.hi}});
  else if (b.hi.empty())
    words = language.say(ArenaLine("at least {n} in total"), {{"n", b.lo}});
  else if (b.lo.empty() || from_zero)
    words = language.say(ArenaLine("at most {n} in total"), {{"n", b.hi}});
  else
    words = language.say(ArenaLine("{low} to {high} in total"), {{"low", b.lo}, {"high", b.hi}});
  return holder.names.empty() ? words : text::joined(holder.names, " + ") + ": " + words;
}

std::optional<BrokenSum> find_broken_sum(const Type& type, const void* object,
                                         std::span<const LimitData> limits) {
  if (!detail::has_sum(limits)) return std::nullopt;
  if (auto broken = broken_sum<Whole>(type, object, limits)) return broken;
  return broken_sum<double>(type, object, limits);
}

bool fit_sums_around(const Type& type, void* object, std::span<const LimitData> limits, Dice& dice,
                     const void* kept) {
  const bool whole = Sums<Whole>(type, object, limits).fit(dice, kept);
  return Sums<double>(type, object, limits).fit(dice, kept) && whole;
}

bool detail::fit_sums(const Type& type, void* object, std::span<const LimitData> limits,
                      Dice& dice) {
  return fit_sums_around(type, object, limits, dice, nullptr);
}

void mix_sums(const Type& type, void* object, std::span<const LimitData> limits, Dice& dice) {
  Sums<Whole>(type, object, limits).mix(dice);
  Sums<double>(type, object, limits).mix(dice);
}

std::vector<SummedNumber> summed_numbers(const Type& type, void* object,
                                         std::span<const LimitData> limits) {
  std::vector<SummedNumber> found = Sums<Whole>(type, object, limits).reach();
  const std::vector<SummedNumber> more = Sums<double>(type, object, limits).reach();
  found.insert(found.end(), more.begin(), more.end());
  return found;
}

}  // namespace agon
