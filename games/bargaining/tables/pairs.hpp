#pragma once

#include <agon/analysis/paper_table.hpp>
#include <functional>
#include <string>
#include <vector>

namespace bargaining {

/// Who bargained under which budget.
struct Pair {
  std::string factor;  ///< of the list price, as the settings have it: "0.8"
  std::string buyer, seller;
  auto operator<=>(const Pair&) const = default;
};

/// Calls `each` with every session and who bargained in it.
void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each);

/// What sessions about one product share: they are no independent observations.
[[nodiscard]] std::string product_of(const agon::PlayedMatch& match);

/// Gives `table` a column for each of them, in this order. Who is the same throughout stands in the
/// corner alone.
void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs);

}  // namespace bargaining
