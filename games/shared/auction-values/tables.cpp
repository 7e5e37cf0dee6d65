#include "shared/auction-values/tables.hpp"

#include <agon/json_reader.hpp>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <utility>
#include <vector>

namespace auction_values {

std::string bidders_of(const agon::PlayedMatch& match) {
  std::vector<std::string_view> names;
  std::string text;
  for (const agon::PlayedSeat& seat : match.seats()) {
    if (std::find(names.begin(), names.end(), seat.base) != names.end()) continue;
    names.push_back(seat.base);
    text += (text.empty() ? "" : " + ") + std::string(seat.base);
  }
  return text;
}

std::string_view format_name(std::string_view setting) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"ascending", "AC"},     {"ascending_blind", "AC-B"}, {"dutch", "Dutch"},
      {"first_price", "FPSB"}, {"second_price", "SPSB"},    {"third_price", "TPSB"},
      {"all_pay", "all-pay"}};
  for (const auto& [of, name] : kNames)
    if (of == setting) return name;
  return {};
}

std::optional<Format> format_of(const agon::PlayedMatch& match) {
  const agon::JsonDocument document(std::string(match.settings()), "settings");
  const agon::JsonNode settings = document.root();
  if (settings["bidders"].whole() != 3) return std::nullopt;
  const auto clock = settings.find("clock");
  if (!clock && (settings["rounds"].whole() == 1 || settings["intervention"].text() != "none"))
    return std::nullopt;
  return Format{format_name(clock ? clock->text() : settings["payment"].text()),
                std::string(settings["values"].text())};
}

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
