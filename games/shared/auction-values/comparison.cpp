#include "shared/auction-values/comparison.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace auction_values {

double Moments::mean() const {
  return n > 0 ? sum / n : agon::kNothing;
}

double Moments::variance() const {
  return n > 1 ? (squares - sum * sum / n) / (n - 1) : agon::kNothing;
}

agon::TTest welch(const Moments& a, const Moments& b) {
  const double va = a.variance() / a.n, vb = b.variance() / b.n;
  if (!(va + vb > 0)) return {};
  const double degrees = (va + vb) * (va + vb) / (va * va / (a.n - 1) + vb * vb / (b.n - 1));
  const double t = (a.mean() - b.mean()) / std::sqrt(va + vb);
  const boost::math::students_t distribution(degrees);
  return {t, degrees, 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)))};
}

}  // namespace auction_values
