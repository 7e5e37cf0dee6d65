#pragma once

#include <agon/agent.hpp>
#include <algorithm>
#include <cstdint>

namespace shared {

/// Parameters of strategies that have none.
struct NoParams {};
AGON_DESCRIBE(NoParams)

namespace detail {

template <auto Function>
struct Answering;
template <class P, class View, class Answer, class... Asked,
          void (*Function)(const P&, const View&, Answer&, Asked&...)>
struct Answering<Function> {
  using Params = P;
  static bool fits(const P& params, agon::Question& question) {
    const View* view = question.view<View>();
    Answer* answer = question.answer<Answer>();
    if (view == nullptr || answer == nullptr) return false;
    if constexpr (sizeof...(Asked) == 0)
      Function(params, *view, *answer);
    else
      Function(params, *view, *answer, question);
    return true;
  }
};
template <class P, void (*Function)(const P&, agon::Question&)>
struct Answering<Function> {
  using Params = P;
  static bool fits(const P& params, agon::Question& question) {
    Function(params, question);
    return true;
  }
};

}  // namespace detail

/// An agent made of a function of its parameters, what it sees and the answer that it fills in, or
/// of several, for stages with other views or answers. What none of them is for it declines. A
/// function may take the question as well, for dice and memo, or in the place of view and answer.
///
///     void shade(const ShadeParams& params, const BidView& view, Bid& bid);
///     using Shade = shared::Strategy<&shade>;
template <auto First, auto... More>
class Strategy final : public agon::Agent {
 public:
  using Params = typename detail::Answering<First>::Params;
  explicit Strategy(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override {
    if (!detail::Answering<First>::fits(params_, question) &&
        !(detail::Answering<More>::fits(params_, question) || ...))
      question.decline();
  }

 private:
  Params params_;
};

}  // namespace shared

namespace auction_values {

/// Parameters of `shade`, which plays by a share of its value.
struct ShadeParams {
  int share = 80;
};
AGON_DESCRIBE(ShadeParams, (share, "what it takes for its value", agon::range(0, 300),
                            agon::unit("percent of the value")))

/// The most that is paid by who goes by its value.
inline int limit(const shared::NoParams&, int value) {
  return value;
}
/// A share of a value, halves rounded up; of a value below 0 it is 0.
inline int limit(const ShadeParams& params, int value) {
  return static_cast<int>((std::int64_t{std::max(0, value)} * params.share + 50) / 100);
}

}  // namespace auction_values
