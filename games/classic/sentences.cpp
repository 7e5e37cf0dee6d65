#include <fmt/format.h>

#include <agon/telling.hpp>
#include <cmath>
#include <map>

#include "classic/prepared.hpp"

namespace classic {
namespace {

/// "you get 3 and Bob gets 0": the reader first, then the others in their order.
std::string rewards(const GameData& game, std::span<const double> payoffs, std::size_t reader) {
  std::string text = "you get " + payoff_text(payoffs[reader], game.prefix);
  std::size_t left = game.players.size() - 1;
  for (std::size_t p = 0; p < game.players.size(); ++p) {
    if (p == reader) continue;
    text += fmt::format("{}{} gets {}", --left == 0 ? " and " : ", ", game.players[p],
                        payoff_text(payoffs[p], game.prefix));
  }
  return text;
}

std::string table_sentences(const GameData& game, std::size_t reader) {
  const std::size_t n = game.players.size();
  // The reader's own action changes last, so that its outcomes stand together.
  std::vector<std::size_t> order{reader};
  for (std::size_t p = 0; p < n; ++p)
    if (p != reader) order.push_back(p);
  std::vector<std::size_t> strides(n, 1);
  for (std::size_t p = n - 1; p-- > 0;) strides[p] = strides[p + 1] * game.actions[p + 1].size();

  std::string text;
  std::vector<std::size_t> actions(n, 0);
  for (std::size_t count = 0; count < game.payoffs.size(); ++count) {
    std::size_t cell = 0;
    for (std::size_t p = 0; p < n; ++p) cell += actions[p] * strides[p];
    text += text.empty() ? "" : "\n";
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t p = order[i];
      const std::string& name = game.actions[p][actions[p]];
      if (i == 0)
        text += "If you choose " + name;
      else
        text += (i + 1 == n ? " and " : ", ") + game.players[p] + " chooses " + name;
    }
    text += ", then " + rewards(game, game.payoffs[cell], reader) + ".";
    for (std::size_t i = n; i-- > 0;) {
      const std::size_t p = order[i];
      if (++actions[p] < game.actions[p].size()) break;
      actions[p] = 0;
    }
  }
  return text;
}

class TreeSentences {
 public:
  TreeSentences(const GameData& game, std::size_t reader) : game_(game), reader_(reader) {
    for (std::size_t i = 0; i < game.nodes.size(); ++i) places_.emplace(game.nodes[i].name, i);
  }
  std::string take(std::size_t from) {
    walk(from, "If");
    return std::move(text_);
  }

 private:
  /// As deep as the tree, which is bounded by max_depth.
  void walk(std::size_t n, const std::string& way) {
    const TreeNode& node = game_.nodes[n];
    const auto player = static_cast<std::size_t>(node.player);
    for (const TreeMove& move : node.moves) {
      std::string here =
          way + (player == reader_ ? " you choose " : " " + game_.players[player] + " chooses ") +
          move.label;
      if (!move.to.empty()) {
        walk(places_.at(move.to), here + ", then");
        continue;
      }
      text_ +=
          (text_.empty() ? "" : "\n") + here + ": " + rewards(game_, move.payoffs, reader_) + ".";
    }
  }

  const GameData& game_;
  std::size_t reader_;
  std::map<std::string_view, std::size_t> places_;
  std::string text_;
};

}  // namespace

std::string payoff_text(double payoff, std::string_view prefix) {
  // Fifteen digits: a scale of 0.1 leaves no binary noise.
  const double size = std::fabs(payoff);
  std::string text = fmt::format("{:.15g}", size);
  // Amounts of money are written as everywhere.
  if (prefix == "$" && size < 1e12 && std::fabs(size * 100 - std::round(size * 100)) < 1e-6)
    return agon::money_text({std::llround(payoff * 100)});
  return fmt::format("{}{}{}", payoff < 0 ? "-" : "", prefix, text);
}

std::string sentences(const GameData& game, std::size_t player, std::size_t from) {
  return is_tree(game) ? TreeSentences(game, player).take(from) : table_sentences(game, player);
}

}  // namespace classic
