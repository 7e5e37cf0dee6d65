#include "theory/cone.hpp"

#include <agon/error.hpp>
#include <bit>
#include <string>
#include <utility>

namespace agon::theory {
namespace {

void reduce(std::vector<Integer>& at) {
  Integer divisor = 0;
  for (const Integer& x : at) divisor = gcd(divisor, x);
  if (divisor > 1) {
    for (Integer& x : at) x /= divisor;
  }
}

Integer side(const std::vector<Integer>& row, const Ray& ray) {
  Integer sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!row[k].is_zero() && !ray.at[k].is_zero()) sum += row[k] * ray.at[k];
  }
  return sum;
}

/// Two rays span a face of dimension two if no third one meets all the constraints they share.
bool adjacent(const std::vector<Ray>& rays, std::size_t a, std::size_t b, std::size_t d) {
  const std::uint64_t shared = rays[a].tight & rays[b].tight;
  if (static_cast<std::size_t>(std::popcount(shared)) + 2 < d) return false;
  for (std::size_t c = 0; c < rays.size(); ++c) {
    if (c != a && c != b && (rays[c].tight & shared) == shared) return false;
  }
  return true;
}

}  // namespace

std::vector<Ray> extreme_rays(std::size_t d, const std::vector<std::vector<Integer>>& rows,
                              std::size_t most_rays) {
  std::vector<Ray> rays(d);
  const std::uint64_t coordinates = (std::uint64_t{1} << d) - 1;
  for (std::size_t k = 0; k < d; ++k) {
    rays[k].at.assign(d, 0);
    rays[k].at[k] = 1;
    rays[k].tight = coordinates & ~(std::uint64_t{1} << k);
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::uint64_t bit = std::uint64_t{1} << (d + j);
    std::vector<Integer> sides;
    for (const Ray& ray : rays) sides.push_back(side(rows[j], ray));
    std::vector<Ray> next;
    for (std::size_t a = 0; a < rays.size(); ++a) {
      if (sides[a] < 0) continue;
      next.push_back(rays[a]);
      if (sides[a].is_zero()) next.back().tight |= bit;
    }
    for (std::size_t a = 0; a < rays.size(); ++a) {
      if (sides[a] <= 0) continue;
      for (std::size_t b = 0; b < rays.size(); ++b) {
        if (sides[b] >= 0 || !adjacent(rays, a, b, d)) continue;
        Ray ray{std::vector<Integer>(d), (rays[a].tight & rays[b].tight) | bit};
        for (std::size_t k = 0; k < d; ++k) {
          ray.at[k] = sides[a] * rays[b].at[k] - sides[b] * rays[a].at[k];
        }
        reduce(ray.at);
        next.push_back(std::move(ray));
      }
      if (next.size() > most_rays) {
        throw Error(ErrorKind::invalid,
                    "the game is too large for mixed equilibria: its best-reply regions have more "
                    "than " +
                        std::to_string(most_rays) + " corners",
                    "game", "ask for its pure equilibria, or take fewer actions");
      }
    }
    rays = std::move(next);
  }
  return rays;
}

}  // namespace agon::theory
