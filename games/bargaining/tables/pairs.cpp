#include "bargaining/tables/pairs.hpp"

#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <set>

namespace bargaining {

void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each) {
  // Settings hold all products; matches of a scenario come one after the other and share them.
  std::string settings, factor;
  bool any = false;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    if (settings != match.settings()) {
      settings = match.settings();
      factor = agon::JsonDocument(settings, "settings").root()["factor"].number_text();
    }
    any = true;
    each({factor, std::string(match.seats()[0].agent), std::string(match.seats()[1].agent)}, match);
  });
  if (!any) throw agon::LacksData{"finished matches"};
}

std::string product_of(const agon::PlayedMatch& match) {
  return fmt::format("{:g}", match.metric("product"));
}

void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs) {
  std::set<std::string> buyers, sellers;
  for (const Pair& pair : pairs) {
    buyers.insert(pair.buyer);
    sellers.insert(pair.seller);
  }
  const bool one_seller = sellers.size() == 1;
  const bool one_buyer = !one_seller && buyers.size() == 1;
  table.corner = one_seller  ? "buyers against " + *sellers.begin()
                 : one_buyer ? "sellers against " + *buyers.begin()
                             : "buyer - seller";
  for (const Pair& pair : pairs)
    table.columns.push_back((one_seller  ? pair.buyer
                             : one_buyer ? pair.seller
                                         : pair.buyer + " - " + pair.seller) +
                            (pair.factor == "0.8" ? "" : ", B " + pair.factor + " L"));
}

}  // namespace bargaining
