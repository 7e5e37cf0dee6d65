#pragma once

#include <agon/detail/typed_answer.hpp>
#include <agon/question.hpp>
#include <tuple>

/// How what is said with a question is kept until it is answered.
namespace agon {

/// Most seats that one table has.
inline constexpr std::size_t kMaxSeats = 16;

template <class F>
struct ViewPart {
  F make;
};
template <class F>
struct CheckPart {
  F reason;
};
template <class T>
struct FallbackPart {
  T value;
};

namespace detail {

template <class P>
struct IsView : std::false_type {};
template <class F>
struct IsView<ViewPart<F>> : std::true_type {};
template <class P>
struct IsCheck : std::false_type {};
template <class F>
struct IsCheck<CheckPart<F>> : std::true_type {};
template <class P>
struct IsFallback : std::false_type {};
template <class T>
struct IsFallback<FallbackPart<T>> : std::true_type {};
template <class T, class P>
inline constexpr bool is_limit = std::same_as<P, Limit<T>>;

/// What a question keeps of a part: limits go into one array, the others stay as they are.
struct NotKept {};
template <class T, class P>
using Kept = std::conditional_t<is_limit<T, P>, NotKept, P>;

/// Turns into what `make` returns, so that emplace() builds it in place.
template <class F>
struct InPlace {
  F& make;
  operator decltype(std::declval<F&>()())() const { return make(); }  // NOLINT: implicit on purpose
};

template <template <class> class Is, class Default, class... P>
struct FindPart {
  using type = Default;
  static constexpr bool found = false;
};
template <template <class> class Is, class Default, class First, class... Rest>
struct FindPart<Is, Default, First, Rest...>
    : std::conditional_t<Is<First>::value, std::type_identity<First>,
                         FindPart<Is, Default, Rest...>> {
  static constexpr bool found = Is<First>::value || FindPart<Is, Default, Rest...>::found;
};

}  // namespace detail

/// A question about to be asked: the answer's type, and the parts that go with it.
template <class T, class... Parts>
class Asking {
  static_assert(((detail::IsView<Parts>::value || detail::IsCheck<Parts>::value ||
                  detail::IsFallback<Parts>::value || detail::is_limit<T, Parts>)&&...),
                "a question takes limits that name members of its answer, and view(), check(), "
                "fallback()");

 public:
  using Answered = T;

  constexpr explicit Asking(Parts... parts) : parts_(keep(parts)...) { (take(parts), ...); }
  Asking(const Asking& other) : parts_(other.parts_), limits_(other.limits_) {}
  Asking& operator=(const Asking&) = delete;

 private:
  friend class AnyTable;

  using View = detail::FindPart<detail::IsView, void, Parts...>;
  using Check = detail::FindPart<detail::IsCheck, void, Parts...>;
  using Fallback = detail::FindPart<detail::IsFallback, void, Parts...>;
  static constexpr std::size_t kLimits = (std::size_t{0} + ... + detail::is_limit<T, Parts>);

  template <class P>
  static constexpr detail::Kept<T, P> keep(P& part) {
    if constexpr (detail::is_limit<T, P>)
      return {};
    else
      return std::move(part);
  }
  template <class P>
  constexpr void take(P& part) {
    if constexpr (detail::is_limit<T, P>) limits_[filled_++] = part.data;
  }

  static auto view_made() {
    if constexpr (View::found)
      return std::type_identity<decltype(std::declval<typename View::type&>().make())>{};
    else
      return std::type_identity<const char&>{};
  }
  using ViewMade = typename decltype(view_made())::type;
  using ViewResult = std::remove_cvref_t<ViewMade>;

 public:
  static constexpr bool has_view = View::found;
  using Viewed = ViewResult;

 private:
  static constexpr bool kViewIsElsewhere = std::is_reference_v<ViewMade>;

  /// The game's fallback, until an agent's answer is there.
  [[nodiscard]] Answer<T> initial_answer() const {
    if constexpr (Fallback::found)
      return Answer<T>{std::get<typename Fallback::type>(parts_).value, {}};
    else
      return Answer<T>{};
  }
  static const void* build(void* self) {
    auto& me = *static_cast<Asking*>(self);
    auto& make = std::get<typename View::type>(me.parts_).make;
    if constexpr (kViewIsElsewhere) {
      return detail::address_of(make());
    } else {
      me.built_.emplace(detail::InPlace<std::remove_reference_t<decltype(make)>>{make});
      return &*me.built_;
    }
  }
  static std::string reason(void* self, const void* answer) {
    if constexpr (Check::found)
      return std::get<typename Check::type>(static_cast<Asking*>(self)->parts_)
          .reason(*static_cast<const T*>(answer));
    else
      return {};
  }

  std::tuple<detail::Kept<T, Parts>...> parts_;
  std::array<LimitData, kLimits> limits_{};
  std::size_t filled_ = 0;
  std::conditional_t<kViewIsElsewhere, detail::NotKept, std::optional<ViewResult>> built_{};
};

}  // namespace agon
