#include "llm/prompt/prompts.hpp"

#include <agon/error.hpp>

#include "catch.hpp"
#include "llm/prompt/data_text.hpp"
#include "model_table.hpp"

namespace llm_prompts_test {
namespace {

using namespace agon;
using namespace agon::test;
using llm::Template;

std::string fill(const std::string& text, const std::map<std::string, std::string>& values) {
  return Template(text, "file").fill({[&](std::string_view name) {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::string() : found->second;
  }});
}

/// Every prompt file that some part of this build reads.
std::vector<PromptUse> all_uses(std::string_view game) {
  std::vector<PromptUse> uses;
  for (const PartCard* card : catalogue().all<PartCard>()) {
    if (!card->game.empty() && card->game != game) continue;
    if (card->id == "text" || card->id == "window" || card->id == "meta-strategy")
      continue;  // they need parameters
    const auto made = catalogue().part(card->kind, card->id, game);
    const auto add = [&](const Part& part) {
      for (const PromptUse& use : part.prompts()) uses.push_back(use);
    };
    if (card->kind == PartKind::memory) add(*static_cast<const Memory*>(made.get()));
    if (card->kind == PartKind::learning) add(*static_cast<const Learning*>(made.get()));
    if (card->kind == PartKind::planning) add(*static_cast<const Planning*>(made.get()));
    if (card->kind == PartKind::beliefs) add(*static_cast<const Beliefs*>(made.get()));
    if (card->kind == PartKind::reasoning) add(*static_cast<const Reasoning*>(made.get()));
  }
  return uses;
}

std::vector<Finding> check(std::string_view game, const std::map<std::string, std::string>& own) {
  return llm::check_prompts(catalogue().game(game), *prompts_of(game, own), all_uses(game));
}

/// All that a model was told at the first question of a match.
std::string first_prompt(std::string_view game, const std::string& settings) {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable(game, settings).everybody("", model).play_to_end();
  REQUIRE_FALSE(model->asked().empty());
  return model->asked().front().text();
}

}  // namespace

TEST_CASE("a template fills its names once, and leaves out what has nothing to say") {
  CHECK(fill("Hello {{seat}}.\n", {{"seat", "Bob"}}) == "Hello Bob.");
  CHECK(fill("Hello {{ seat }}.", {{"seat", "Bob"}}) == "Hello Bob.");
  // A heading goes with what it heads.
  CHECK(fill("Your plan:\n{{plan}}\n\nNow bid.\n", {}) == "Now bid.");
  CHECK(fill("Your plan:\n{{plan}}\n\nNow bid.\n", {{"plan", "win"}}) ==
        "Your plan:\nwin\n\nNow bid.");
  // One line of a paragraph goes alone while another has something to say.
  CHECK(fill("a {{x}}\nb {{y}}\nc", {{"y", "2"}}) == "b 2\nc");
  // What is filled in is data: names in it stay as they are.
  CHECK(fill("{{a}}", {{"a", "{{b}} {{rules}}"}, {"b", "no"}}) == "{{b}} {{rules}}");
}

namespace {

/// A template over lists of rows: `list` in the values, and their members in a row.
std::string fill_rows(const std::string& text,
                      const std::vector<std::map<std::string, std::string>>& rows) {
  using llm::TemplateValues;
  std::function<TemplateValues(const std::map<std::string, std::string>&)> row;
  row = [&](const std::map<std::string, std::string>& members) {
    return TemplateValues{[members](std::string_view name) {
                            const auto found = members.find(std::string(name));
                            return found == members.end() ? std::string() : found->second;
                          },
                          [members, &row](std::string_view name) {
                            const auto found = members.find(std::string(name));
                            return found == members.end() || found->second.empty()
                                       ? std::vector<TemplateValues>()
                                       : std::vector<TemplateValues>{row(members)};
                          }};
  };
  TemplateValues all = row({{"day", "2"}});
  all.each = [&](std::string_view name) {
    std::vector<TemplateValues> made;
    if (name == "list")
      for (const auto& members : rows) made.push_back(row(members));
    return made;
  };
  return Template(text, "file").fill(all);
}

}  // namespace

TEST_CASE("a section of a template stands once for each element of a list") {
  const std::vector<std::map<std::string, std::string>> rows{
      {{"name", "Ann"}, {"bid", "5"}, {"won", ""}, {"hp", "1"}},
      {{"name", "Bob"}, {"bid", "12"}, {"won", "yes"}, {"hp", "0"}},
      {{"name", "Cem"}, {"bid", "5"}, {"won", "yes"}, {"hp", "-1"}},
  };
  CHECK(fill_rows("{{#list}}{{name}} bid {{bid}}{{^last}}, {{/last}}{{/list}}.", rows) ==
        "Ann bid 5, Bob bid 12, Cem bid 5.");
  CHECK(fill_rows("{{#list by bid}}{{name}} {{/list}}|", rows) == "Ann Cem Bob |");
  CHECK(fill_rows("{{#list where won by -bid}}{{name}}{{^last}}, {{/last}}{{/list}}", rows) ==
        "Bob, Cem");
  CHECK(fill_rows("{{#list where hp < 1}}{{name}} {{/list}}|", rows) == "Bob Cem |");
  CHECK(fill_rows("{{#list where hp > 0}}{{name}}{{/list}}", rows) == "Ann");
  CHECK(fill_rows("{{#list where bid = 12}}{{name}}{{/list}}", rows) == "Bob");
  CHECK(fill_rows("{{#list where name < 9}}{{name}}{{/list}}", rows).empty());
  CHECK(fill_rows("{{^list where hp > 9}}no one{{/list}} won", rows) == "no one won");
  CHECK(fill_rows("{{^list where hp > 0}}no one{{/list}}", rows).empty());
  // Several lines, and a paragraph that goes where there is no element.
  CHECK(fill_rows("All:\n{{#list where won}}- {{name}}{{^last}}\n{{/last}}{{/list}}\n\nEnd",
                  rows) == "All:\n- Bob\n- Cem\n\nEnd");
  CHECK(fill_rows("All:\n{{#list where hp > 9}}{{name}}{{/list}}\n\nEnd", rows) == "End");
  // Text of a line stands without its sections.
  CHECK(fill_rows("Plan{{#list where hp > 9}} with {{name}}{{/list}}.\n\nEnd", rows) ==
        "Plan.\n\nEnd");
  // What stands in a value is never read as a template.
  CHECK(fill_rows("{{#list}}{{name}}{{/list}}", {{{"name", "{{#list}}x{{/list}}"}}}) ==
        "{{#list}}x{{/list}}");
}

TEST_CASE("a section of a template knows the place of an element") {
  const std::vector<std::map<std::string, std::string>> rows{
      {{"name", "Ann"}, {"round", "1"}},
      {{"name", "Bob"}, {"round", "1"}},
      {{"name", "Ann"}, {"round", "2"}},
  };
  CHECK(fill_rows("{{#list}}{{index}}. {{name}}{{^last}}, {{/last}}{{/list}}", rows) ==
        "1. Ann, 2. Bob, 3. Ann");
  CHECK(
      fill_rows("{{#list}}{{#first}}Who: {{name}}{{/first}}{{^first}}, {{name}}{{/first}}{{/list}}",
                rows) == "Who: Ann, Bob, Ann");
  // The place is that in the section that stands around it.
  CHECK(fill_rows("{{#list}}{{#last}}{{index}} in all{{/last}}{{/list}}", rows) == "3 in all");
  CHECK(fill_rows("{{#list}}{{#name}}{{index}}{{/name}}{{/list}}", rows) == "111");
  // The first and the last of those in a row that agree in a member.
  CHECK(fill_rows("{{#list}}{{#first.round}}<{{round}}: {{/first.round}}{{name}}"
                  "{{#last.round}}>{{/last.round}}{{^last.round}} {{/last.round}}{{/list}}",
                  rows) == "<1: Ann Bob><2: Ann>");
}

TEST_CASE("a section of a template takes the elements with a text") {
  const std::vector<std::map<std::string, std::string>> rows{
      {{"name", "Ann"}, {"goal", "profit"}, {"rival", "Bob"}},
      {{"name", "Bob"}, {"goal", "items"}, {"rival", "Bob"}},
  };
  CHECK(fill_rows("{{#list where goal = profit}}{{name}}{{/list}}", rows) == "Ann");
  CHECK(fill_rows("{{^list where goal = spite}}nobody{{/list}}", rows) == "nobody");
  CHECK(fill_rows("{{#list where goal < 3}}{{name}}{{/list}}none", rows) == "none");
  CHECK(fill_rows("{{#list where rival is name}}{{name}}{{/list}}", rows) == "Bob");
  CHECK(fill_rows("{{#list where rival = name}}{{name}}{{/list}}none", rows) == "none");
}

TEST_CASE("a template adds to a number, and says texts with braces") {
  CHECK(fill("{{day + 1}} {{day - 1}} {{ day + 0.5 }}", {{"day", "2"}}) == "3 1 2.5");
  CHECK(fill("{{name + 1}}", {{"name", "Bob"}}) == "Bob");
  CHECK(fill("{{chance-envy}}", {{"chance-envy", "3"}}) == "3");
  CHECK(fill("{{'{{a}}'}} {\"a\": {\"b\": 1{{'}}'}}", {}) == "{{a}} {\"a\": {\"b\": 1}}");
  CHECK(fill_rows("{{#list}}{{'{'}}{{name}}}{{/list}}", {{{"name", "Ann"}}}) == "{Ann}");
}

TEST_CASE("a section over a value that is no list leaves the place to the list around it") {
  using llm::TemplateValues;
  const auto element = [](const std::string& name) {
    TemplateValues made{[name](std::string_view) { return name; }};
    made.each = [name](std::string_view wanted) {
      TemplateValues single{[name](std::string_view) { return name; }};
      single.is_single = true;
      return wanted == "won" ? std::vector<TemplateValues>{single} : std::vector<TemplateValues>();
    };
    return made;
  };
  const TemplateValues all{[](std::string_view) { return std::string(); },
                           [&](std::string_view name) {
                             return name == "list"
                                        ? std::vector<TemplateValues>{element("a"), element("b")}
                                        : std::vector<TemplateValues>();
                           }};
  CHECK(Template("{{#list}}{{#won}}{{index}} {{name}}{{^last}}, {{/last}}{{/won}}{{/list}}", "file")
            .fill(all) == "1 a, 2 b");
}

TEST_CASE("other words for a name are as good as the name") {
  const std::map<std::string, std::string> words{{"bidder_name", "seat"}};
  const Template made("As {{bidder_name}}:", "file", words);
  REQUIRE(made.uses().size() == 1);
  CHECK(made.uses()[0].name == "seat");
  CHECK(made.fill({[](std::string_view name) { return "<" + std::string(name) + ">"; }}) ==
        "As <seat>:");
}

TEST_CASE("a template that cannot be read says where") {
  for (const std::string wrong :
       {"x\n{{name", "x\nname}}", "x\n{{two words}}", "x\n{{}}", "x\n{{#list}} y", "x\n{{/list}}",
        "x\n{{#list}}y{{/other}}", "x\n{{#list of y}}z{{/list}}",
        "x\n{{#list where hp < many}}z{{/list}}", "x\n{{#list where hp =}}z{{/list}}",
        "x\n{{day + one}}", "x\n{{'text}}"}) {
    INFO(wrong);
    try {
      const Template made(wrong, "bid.txt");
      FAIL("it was read");
    } catch (const Error& error) {
      CHECK(error.where() == "bid.txt:2");
    }
  }
}

TEST_CASE("the shipped prompts of all games are sound, for every part") {
  for (const std::string_view game : game_ids()) {
    INFO(game);
    for (const Finding& finding : check(game, {})) {
      INFO(finding.what);
      CHECK(finding.level == Finding::Level::ok);
    }
  }
}

TEST_CASE("a wrong prompt file is found before a run") {
  const auto finds = [](const std::vector<Finding>& findings, std::string_view what) {
    for (const Finding& f : findings)
      if (f.level == Finding::Level::error && f.what.find(what) != std::string::npos) return true;
    for (const Finding& f : findings) UNSCOPED_INFO(f.what);
    return false;
  };
  const std::string parts = "{{news}} {{plan}} {{beliefs}} {{notes}}";
  CHECK(finds(check("water-allocation", {{"bid", parts + "\n{{view.balanse}}"}}),
              "own/bid.txt:2: nothing is called 'view.balanse' here (did you mean 'view.balance'"));
  CHECK(
      finds(check("english-auction", {{"bid", parts + "{{#view.later}}{{prize}}{{/view.later}}"}}),
            "did you mean 'price'"));
  CHECK(finds(check("english-auction", {{"bid", parts + "{{index}}"}}), "called 'index'"));
  CHECK(finds(check("water-allocation", {{"bid", "{{news}} {{plan}} {{beliefs}}"}}),
              "own/bid.txt: it leaves out {{notes}}"));
  CHECK(finds(check("water-allocation", {{"system", "{{rules}} {{view.balance}}{{persona}}"}}),
              "nothing is called 'view.balance'"));
  CHECK(finds(check("water-allocation", {{"system", "{{rules}}"}}), "leaves out {{persona}}"));
  CHECK(finds(check("water-allocation", {{"bid", parts + " {{facts.dayz}}"}}),
              "did you mean 'facts.days'"));
  CHECK(finds(check("water-allocation", {{"part-notebook", "{{old}} {{events}}"}}),
              "leaves out {{words}}"));
  // The reason for asking again has a prompt of its own.
  CHECK(finds(check("water-allocation", {{"bid", parts + "{{complaint}}"}}),
              "nothing is called 'complaint'"));
  CHECK(finds(check("water-allocation", {{"part-again", "Again."}}), "leaves out {{complaint}}"));
  CHECK(finds(check("water-allocation", {{"part-again", "{{complaint}}"}}), "leaves out {{left}}"));
  CHECK(finds(check("bargaining", {{"part-narrate", "{{product}}{{dialogue}}{{action}}{{x}}"}}),
              "nothing is called 'x'"));
  // A file for a stage that there is not is worth a word.
  bool warned = false;
  for (const Finding& f : check("water-allocation", {{"bids", parts}}))
    warned = warned || (f.level == Finding::Level::warning &&
                        f.what.find("did you mean 'bid'") != std::string::npos);
  CHECK(warned);
}

TEST_CASE("figures in prompts follow the settings") {
  const auto has = [](const std::string& prompt, std::string_view words) {
    if (prompt.find(words) != std::string::npos) return true;
    UNSCOPED_INFO(prompt);
    return false;
  };
  const std::string auction =
      first_prompt("english-auction",
                   R"({"seats": 4, "markup": 25, "arena": "demo", "everyone": {"budget": 4321},
                       "discount": true, "most_discounts": 2})");
  check_has(auction,
            {"4 bidders buy", "5 items come up", "at least 25%", "4,321", "up to 2 times"});

  const std::string items =
      first_prompt("english-auction", R"({"everyone": {"desire": "items", "planning": "none"}})");
  CHECK(has(items, "You want as many items as possible"));

  const std::string water =
      first_prompt("water-allocation", R"({"days": 7, "supply": [3, 33], "max_hp": 14})");
  check_has(water, {"3 to 33 units", "to be alive after day 7", "up to 14", "day 1 of 7"});

  const std::string bargain =
      first_prompt("bargaining", R"({"max_turns": 9, "price_ceiling": 5, "product": 3})");
  check_has(bargain, {"turn 1 of 9", "above 5 times the list price"});

  const std::string deal = first_prompt("deal-or-no-deal", R"({"max_rounds": 3})");
  check_has(deal, {"round 1 of 3", "worth 10 points"});
  CHECK(has(first_prompt("deal-or-no-deal", R"({"deal_match": "eq"})"), "exactly once"));
}

TEST_CASE("a bargain's prompt tells every fact once, in dollars and cents") {
  const auto buyer = saying(R"({"talk":"hm","action":{"kind":"buy","price":7.5}})");
  const auto seller = saying(R"({"talk":"no","action":{"kind":"sell","price":15}})");
  ModelTable("bargaining", R"({"max_turns": 2, "product": 0})")
      .model(0, "", buyer)
      .model(1, "", seller)
      .play_to_end();
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++n;
    return n;
  };
  const auto once = [&](const ScriptedModel& model, std::string_view secret) {
    for (const ScriptedModel::Asked& asked : model.asked()) {
      const std::string& task = asked.last();
      INFO(asked.text());
      const std::size_t amount = task.find(secret);
      REQUIRE(amount != std::string::npos);
      const std::size_t begin = amount + secret.size();
      const std::string figure =
          task.substr(begin, task.find_first_not_of("0123456789.", begin) - begin);
      CHECK(figure.size() >= 4);
      CHECK(count(task, figure) == 1);
      CHECK(count(asked.text(), "times the list price") == 1);
      CHECK(count(task, "list price $") == 1);
      CHECK(count(asked.text(), "budget_rest") == 0);
      CHECK(count(asked.text(), "millionths") == 0);
    }
  };
  once(*buyer, "You can spend $");
  once(*seller, "It cost you $");
  const std::string last = seller->asked().back().last();
  INFO(last);
  CHECK(count(last, "Turn 2: The buyer offers to pay $7.50 and says: \"hm\"") == 1);
  CHECK(count(last, "The buyer has offered $7.50 so far.") == 1);
  CHECK(count(last, "deal (take a price that the buyer has offered)") == 1);
  CHECK(count(last, "sell (ask a price)") == 0);  // in the last turn nobody could take it
  CHECK(count(buyer->asked().front().last(), "deal (take") == 0);
}

TEST_CASE("prompts of every stage are rendered without a trace of the template") {
  for (const std::string_view game : game_ids())
    for (const std::string_view reasoning :
         {"chain-of-thought", "plan-bid-reflect", "k-level:k=2"}) {
      INFO(game << " " << reasoning);
      const auto model = std::make_shared<ScriptedModel>();
      ModelTable(game)
          .everybody("memory=notebook planning=adaptive beliefs=corrected reasoning=" +
                         std::string(reasoning),
                     model)
          .play_to_end();
      for (const ScriptedModel::Asked& asked : model->asked()) {
        const std::string text = asked.text();
        CHECK(text.find("{{") == std::string::npos);
        CHECK(text.find("\n\n\n\n") == std::string::npos);
        // A figure that is not there takes its line with it. (Complaints have paths: "$.price".)
        for (std::size_t at = text.find('$'); at != std::string::npos;
             at = text.find('$', at + 1)) {
          INFO(text.substr(at > 40 ? at - 40 : 0, 80));
          CHECK((at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '.' ||
                                          std::isdigit(static_cast<unsigned char>(text[at + 1])))));
        }
      }
    }
}

TEST_CASE("a scenario's own prompt takes the place of the game's") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("water-allocation")
      .prompts(
          prompts_of("water-allocation", {{"bid", "OWN\n\n{{news}}{{plan}}{{beliefs}}{{notes}}"}}))
      .everybody("", model)
      .play_to_end();
  CHECK(model->asked().front().last().find("OWN") != std::string::npos);
}

TEST_CASE("who did what is told by name, never by a seat's number") {
  for (const std::string_view game : game_ids()) {
    const auto model = std::make_shared<ScriptedModel>();
    ModelTable(game).everybody("", model).play_to_end();
    for (const ScriptedModel::Asked& asked : model->asked())
      for (const char digit : std::string("01")) {
        INFO(game << "\n" << asked.text());
        CHECK(asked.text().find(std::string(", seat ") + digit) == std::string::npos);
      }
  }
}

}  // namespace llm_prompts_test
