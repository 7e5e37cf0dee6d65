#include "deal-or-no-deal/workflows/talk_reading.hpp"

#include <agon/json_reader.hpp>
#include <limits>

#include "deal-or-no-deal/telling.hpp"

namespace deal_or_no_deal {
namespace {

int whole_in(const agon::JsonNode& node) {
  return static_cast<int>(
      node.whole(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

Amounts amounts_in(const agon::JsonNode& list) {
  Amounts found;
  for (std::size_t i = 0; i < list.size(); ++i) found.push_back(whole_in(list[i]));
  return found;
}

bool is_there(const std::optional<agon::JsonNode>& member) {
  return member && member->kind() != agon::JsonNode::Kind::null;
}

void take_log(const agon::JsonNode& log, Talk& talk) {
  for (std::size_t i = 0; i < log.size(); ++i) {
    Spoken spoken{whole_in(log[i]["seat"]), std::string(log[i]["text"].text()), std::nullopt};
    const auto proposal = log[i].find("proposal");
    if (is_there(proposal)) spoken.take = amounts_in((*proposal)["take"]);
    if (const auto keep = log[i].find("keep")) spoken.take = amounts_in(*keep);
    talk.said.push_back(std::move(spoken));
  }
}

}  // namespace

Talk read_talk(std::string_view view_json) {
  const agon::JsonDocument document{std::string(view_json), "view"};
  const agon::JsonNode view = document.root();
  Talk talk;
  const agon::JsonNode piles = view["items"];
  for (std::size_t i = 0; i < piles.size(); ++i) {
    talk.items.emplace_back(piles[i]["item"].text());
    talk.counts.push_back(whole_in(piles[i]["count"]));
    talk.values.push_back(whole_in(piles[i]["value"]));
  }
  talk.total_value = whole_in(view["total_value"]);
  if (const auto round = view.find("round")) talk.round = whole_in(*round);
  for (const std::string_view log : {"messages", "offers"}) {
    if (const auto found = view.find(log)) take_log(*found, talk);
  }
  return talk;
}

bool lies_within(const Amounts& part, const Amounts& counts) {
  if (part.size() != counts.size()) return false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] < 0 || part[i] > counts[i]) return false;
  }
  return true;
}

std::string items_text(const Talk& talk, const Amounts& part) {
  return items_text({part.begin(), part.size()}, talk.items);
}

}  // namespace deal_or_no_deal
