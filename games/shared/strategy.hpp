#pragma once

#include <agon/agent.hpp>

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

}  // namespace detail

/// An agent made of a function of its parameters, what it sees and the answer that it fills in, or
/// of several, for stages with other views or answers. What none of them is for it declines. A
/// function may take the question as well, for dice and memo.
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
