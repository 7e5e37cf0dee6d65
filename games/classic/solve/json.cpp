#include <agon/json_writer.hpp>

#include "classic/solve/solution.hpp"

namespace classic {
namespace {

using agon::JsonWriter;

void add_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.open_list();
  for (const std::string& text : texts) json.text(text);
  json.close_list();
}

void add_numbers(JsonWriter& json, const std::vector<double>& numbers) {
  json.open_list();
  for (const double x : numbers) json.number(x);
  json.close_list();
}

void add_outlined(JsonWriter& json, std::string_view name, const std::vector<Outlined>& list) {
  json.name(name).open_list();
  for (const Outlined& o : list) {
    json.open_object().name("actions");
    add_texts(json, o.actions);
    json.name("payoffs");
    add_numbers(json, o.payoffs);
    json.close_object();
  }
  json.close_list();
}

void add_dominance(JsonWriter& json, std::string_view name, const OutlinedDominance& d) {
  json.name(name).open_object().name("eliminated").open_list();
  for (const OutlinedElimination& e : d.eliminated)
    json.open_object()
        .name("round")
        .number(e.round)
        .name("player")
        .text(e.player)
        .name("action")
        .text(e.action)
        .name("by")
        .text(e.by)
        .close_object();
  json.close_list().name("left").open_list();
  for (const auto& own : d.left) add_texts(json, own);
  json.close_list().name("mixtures").truth(!d.by_single).close_object();
}

void add_table(JsonWriter& json, const Solution& s) {
  json.name("actions").open_list();
  for (const auto& own : s.game.actions) add_texts(json, own);
  json.close_list().name("payoffs").open_list();
  for (const auto& cell : s.game.payoffs) add_numbers(json, cell);
  json.close_list();
  add_outlined(json, "pure_equilibria", s.pure);
  std::vector<Outlined> best;
  for (const Outlined& o : s.pure)
    if (o.best) best.push_back(o);
  add_outlined(json, "best_pure_equilibria", best);
  json.name("mixed_equilibria");
  if (!s.mixed_missing.empty()) {
    json.null();
  } else {
    json.open_list();
    for (const OutlinedMix& mix : s.mixed) {
      json.open_object().name("probabilities").open_list();
      for (const auto& own : mix.probabilities) add_texts(json, own);
      json.close_list().name("payoffs");
      add_texts(json, mix.payoffs);
      json.close_object();
    }
    json.close_list();
  }
  add_dominance(json, "strict_dominance", s.strict);
  add_dominance(json, "weak_dominance", s.weak);
}

void add_tree(JsonWriter& json, const Solution& s) {
  json.name("nodes").open_list();
  for (const OutlinedNode& n : s.nodes) {
    json.open_object().name("after").text(n.way).name("mover").text(n.player);
    json.name("best").text(n.best).name("value");
    add_numbers(json, n.value);
    json.name("tied").truth(n.tied).name("on_path").truth(n.on_path).close_object();
  }
  json.close_list();
  add_outlined(json, "principal_path", s.pure);
}

}  // namespace

std::string as_json(const Solution& s) {
  JsonWriter json;
  json.open_object().name("game").text(s.name).name("title").text(s.game.title);
  json.name("players");
  add_texts(json, s.game.players);
  if (is_tree(s.game))
    add_tree(json, s);
  else
    add_table(json, s);
  add_outlined(json, "pareto_optimal", s.pareto);
  json.name("sure_of");
  add_texts(json, s.safe);
  add_outlined(json, "nash_bargain", s.bargain);
  return json.close_object().take();
}

}  // namespace classic
