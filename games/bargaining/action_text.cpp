#include "bargaining/action_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "bargaining/products.hpp"
#include "bargaining/rounding.hpp"

namespace bargaining {
namespace {

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes `mark` from the front of `text`.
bool take(std::string_view& text, std::string_view mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(mark.size());
  return true;
}

/// The last "[WORD]" of a text: the word, and what follows it.
struct Tag {
  std::string_view word;
  std::string_view rest;
};

std::optional<Tag> last_tag(std::string_view text) {
  for (std::size_t open = text.rfind('['); open != std::string_view::npos;
       open = open == 0 ? std::string_view::npos : text.rfind('[', open - 1)) {
    std::size_t end = open + 1;
    while (end < text.size() && is_capital(text[end])) ++end;
    if (end > open + 1 && end < text.size() && text[end] == ']')
      return Tag{text.substr(open + 1, end - open - 1), text.substr(end + 1)};
  }
  return std::nullopt;
}

/// "$1,234.5" at the front, as cents.
std::optional<agon::Money> take_price(std::string_view& text) {
  if (!take(text, "$")) return std::nullopt;
  std::string number;
  std::size_t n = 0;
  while (n < text.size() && (is_digit(text[n]) || text[n] == ',')) {
    if (is_digit(text[n])) number += text[n];
    ++n;
  }
  if (number.empty()) return std::nullopt;
  if (n + 1 < text.size() && text[n] == '.' && is_digit(text[n + 1])) {
    number += text[n++];
    while (n < text.size() && is_digit(text[n])) number += text[n++];
  }
  text.remove_prefix(n);
  double dollars = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), dollars);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  const auto price = cents_of(dollars);
  if (!price || price->cents > max_price_cents) return std::nullopt;
  return price;
}

/// "2x apple_1" or "2 apple_1".
std::optional<Item> read_item(std::string_view text) {
  Item item;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), item.quantity);
  if (error != std::errc{} || item.quantity < 1 || !is_digit(text.front())) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  take(text, "x");
  if (!take(text, " ") || text.empty()) return std::nullopt;
  if (text.find_first_of("()[]") != std::string_view::npos) return std::nullopt;
  item.name = text;
  return item;
}

/// "(2x apple_1, 1 pear_3)" at the front.
std::optional<std::vector<Item>> take_items(std::string_view& text) {
  if (!take(text, "(")) return std::nullopt;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view list = text.substr(0, close);
  text.remove_prefix(close + 1);
  std::vector<Item> items;
  while (true) {
    const std::size_t comma = list.find(", ");
    auto item = read_item(list.substr(0, comma));
    if (!item || item->name.find(',') != std::string::npos) return std::nullopt;
    items.push_back(*std::move(item));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 2);
  }
}

std::string price_text(agon::Money price) {
  const auto whole = price.cents / 100, rest = price.cents % 100;
  if (rest == 0) return fmt::format("{}", whole);
  if (rest % 10 == 0) return fmt::format("{}.{}", whole, rest / 10);
  return fmt::format("{}.{:02}", whole, rest);
}

std::string_view word_of(const Action& action) {
  static constexpr std::array<std::string_view, std::variant_size_v<Action>> words{
      "BUY", "SELL", "REJECT", "DEAL", "QUIT"};
  return words[action.index()];
}

std::optional<agon::Money> price_of(const Action& action) {
  if (const auto* buy = std::get_if<Buy>(&action)) return buy->price;
  if (const auto* sell = std::get_if<Sell>(&action)) return sell->price;
  if (const auto* deal = std::get_if<Deal>(&action)) return deal->price;
  return std::nullopt;
}

std::string_view field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + name.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string action_text(const TextAction& action) {
  const auto price = price_of(action.action);
  if (!price) return fmt::format("[{}]", word_of(action.action));
  std::string list;
  for (const Item& item : action.items)
    list += fmt::format("{}{}x {}", list.empty() ? "" : ", ", item.quantity, item.name);
  return fmt::format("[{}] ${} ({})", word_of(action.action), price_text(*price), list);
}

std::string action_text(const Action& action, std::string_view codename, int quantity) {
  return action_text(TextAction{action, {{quantity, std::string(codename)}}});
}

std::optional<TextAction> read_action(std::string_view text) {
  const auto tag = last_tag(text);
  if (!tag) return std::nullopt;
  std::string_view rest = tag->rest;
  std::optional<agon::Money> price;
  std::optional<std::vector<Item>> items;
  if (take(rest, " ")) price = take_price(rest);
  if (price && take(rest, " ")) items = take_items(rest);

  if (tag->word == "REJECT" || tag->word == "QUIT") {
    if (items) return std::nullopt;
    return tag->word == "QUIT" ? TextAction{Quit{}, {}} : TextAction{Reject{}, {}};
  }
  if (!items) return std::nullopt;
  if (tag->word == "BUY") return TextAction{Buy{*price}, *std::move(items)};
  if (tag->word == "SELL") return TextAction{Sell{*price}, *std::move(items)};
  if (tag->word == "DEAL") return TextAction{Deal{*price}, *std::move(items)};
  return std::nullopt;
}

bool is_about(const TextAction& action, std::string_view codename) {
  if (!price_of(action.action)) return action.items.empty();
  return action.items.size() == 1 && action.items[0].quantity == 1 &&
         action.items[0].name == codename;
}

TextReply read_reply(std::string_view text) {
  return {field(text, "Thought: "), field(text, "Talk: "), field(text, "Action: ")};
}

}  // namespace bargaining
