#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

struct Wrong {
  Words options;
  int code;
  std::string says;
};

boost::json::value played(const Words& arguments) {
  Words call = joined({"play"}, arguments);
  call.push_back("--json");
  const Ended ended = command_test::agon(call);
  INFO(ended.err);
  REQUIRE(ended.code == 0);
  return json_of(ended.out);
}

}  // namespace

TEST_CASE("each game plays one match with the default agents") {
  for (const char* game :
       {"english-auction", "water-allocation", "bargaining", "deal-or-no-deal"}) {
    INFO(game);
    const Ended match = command_test::agon({"play", game});
    CHECK(match.code == 0);
    CHECK(match.err.empty());
    CHECK(contains(match.out, "score"));
    CHECK(command_test::agon({"play", game}).out == match.out);
    CHECK(command_test::agon({"play", game, "--seed", "1"}).out == match.out);
    CHECK(command_test::agon({"play", game, "--seed", "2"}).out != match.out);
    const Ended quiet = command_test::agon({"play", game, "--agent", "default"});
    CHECK(quiet.code == 0);
    CHECK(quiet.out != match.out);
  }
}

TEST_CASE("seats go by number, by name and by role") {
  const auto agent = [](const boost::json::value& match, std::size_t seat) {
    return std::string(match.at("seats").at(seat).at("agent").as_string());
  };
  for (const char* buyer : {"0", "buyer"}) {
    const auto match = played({"bargaining", "--seat", std::string(buyer) + "=offer-generator",
                               "--agent", "time-dependent:concession=2"});
    CHECK(agent(match, 0) == "offer-generator");
    CHECK(agent(match, 1) == "time-dependent:concession=2");
  }
  const auto town = played({"water-allocation", "--seat", "Cindy=survivor", "--seat", "4=fixed"});
  CHECK(agent(town, 0) == "random");
  CHECK(agent(town, 2) == "survivor");
  CHECK(agent(town, 4) == "fixed");
  const auto auction = played({"english-auction", "--seat", "Bidder 2=value-cap"});
  CHECK(agent(auction, 1) == "value-cap");
}

TEST_CASE("a role that several seats have names none of them") {
  const Folder folder;
  folder.write("firms.py", R"py(from dataclasses import dataclass
import agon
@dataclass
class Order:
    units: int = agon.field(0, "units you order", min=0, max=9)
ORDER = agon.Stage("order", Order, "how many units you order")
@dataclass
class Settings:
    pass
def play(table: agon.Table[ORDER], s: Settings):
    return [agon.SeatScore(order.units) for order in table.ask_all([0, 1, 2], ORDER)]
agon.game("firms", play, title="Firms", seats=(3, 3), rules="Order.",
          seating=lambda s: [agon.SeatCard("A", "supplier"), agon.SeatCard("B", "buyer"),
                             agon.SeatCard("C", "supplier")],
          score="units", disagreement="none", ideal="none")
)py");
  CHECK(folder.agon({"play", "./firms.py", "--seat", "buyer=edge"}).code == 0);
  folder.refuses({"play", "./firms.py", "--seat", "supplier=edge"}, 2,
                 {"2 seats have the role 'supplier'", "use one of: A, C"});
}

TEST_CASE("amounts are told in dollars, wherever they are told") {
  for (const std::string game :
       {"bargaining", "english-auction", "water-allocation", "deal-or-no-deal"}) {
    const auto card = json_of(command_test::agon({"describe", game, "--json"}).out);
    for (const char* metrics : {"seat_metrics", "match_metrics"})
      for (const auto& metric : card.at(metrics).as_array()) {
        INFO(game << " " << metric.at("name").as_string());
        const auto* unit = metric.as_object().if_contains("unit");
        CHECK((unit == nullptr || unit->as_string() != "cents"));
        if (metric.at("type").as_string() == "amount") CHECK((unit && *unit == "dollars"));
      }
  }
  const Words terms{"bargaining",   "--set", "product=3", "--set",
                    "budget=100.5", "--set", "cost=40.25"};
  Words deal = terms;
  deal.insert(deal.end(), {"--agent", "time-dependent"});
  const auto match = played(deal);
  const auto& buyer = match.at("seats").at(0);
  CHECK(match.at("metrics").at("budget").to_number<double>() == 100.5);
  CHECK(match.at("metrics").at("cost").to_number<double>() == 40.25);
  CHECK(buyer.at("ideal").to_number<double>() == 60.25);
  CHECK(buyer.at("payoff") == buyer.at("metrics").at("profit"));
  const Folder folder;
  Words call = joined({"play"}, deal);
  call.insert(call.end(), {"--out", "a.agon"});
  const Ended shown = folder.agon(call);
  INFO(shown.out);
  const auto value = [&](const std::string& metric) {
    for (const std::string& line : lines(shown.out))
      if (line.starts_with(metric)) return line.substr(line.rfind(' ') + 1);
    return std::string("none");
  };
  CHECK(value("budget (dollars)") == "100.50");
  CHECK(value("cost (dollars)") == "40.25");
  CHECK(contains(folder.agon({"show", "a.agon", "1"}).out, "60.25"));
  const auto row = json_of(
      lines(folder.agon({"export", "a.agon", "--rows", "matches", "--format", "jsonl"}).out).at(0));
  CHECK(contains(boost::json::serialize(row), "100.50"));
  const auto report = json_of(folder.agon({"report", "a.agon", "--json"}).out);
  const auto budgets = agon::test::figures(report, {{"metric", "budget"}, {"unit", "dollars"}});
  CHECK_FALSE(budgets.empty());
  for (const auto& budget : budgets) CHECK(budget.at("value").to_number<double>() == 100.5);
  CHECK(contains(folder.agon({"report", "a.agon", "--full"}).out, "100.50"));
}

TEST_CASE("settings of the command line") {
  const auto price = [](const Words& options) {
    return played(
               joined({"bargaining", "--agent", "time-dependent", "--set", "product=3"}, options))
        .at("metrics");
  };
  CHECK(price({}) == price({"--set", "factor=0.8"}));
  CHECK(price({}) != price({"--set", "factor=0.6"}));
  // Money is written in units with decimals, read as exact cents, shown so again.
  CHECK(price({"--set", "cost=12.34"}).at("cost").to_number<double>() == Approx(12.34));
  CHECK(price({"--preset", "paper"}).at("deal").is_bool());

  // A member of a member, beside a whole JSON value.
  const auto budgets = [](const Words& options) {
    const auto played_so = played(joined({"english-auction", "--agent", "default"}, options));
    return played_so.at("seats").at(0).at("metrics").at("money_left").to_number<double>();
  };
  CHECK(budgets({}) == Approx(10000));
  CHECK(budgets({"--set", "everyone.budget=750.25"}) == Approx(750.25));
  CHECK(budgets({"--set", R"(everyone={"budget": 20})"}) == Approx(20));
  CHECK(played({"english-auction", "--set", "seats=5"}).at("seats").as_array().size() == 5);
  CHECK(played({"water-allocation", "--set", "supply=[20,30]", "--set", "days=3"})
            .at("metrics")
            .at("days_played")
            .to_number<int>() == 3);
  const auto split = played({"deal-or-no-deal", "--preset", "openspiel"});
  CHECK(split.at("seats").as_array().size() == 2);
}

TEST_CASE("what play refuses") {
  const std::vector<Wrong> all{
      {{"bargaining", "--seat", "2=random"},
       2,
       "unknown seat '2'\nhint: use a number from 0, or one of: buyer, seller"},
      {{"bargaining", "--seat", "seler=random"},
       2,
       "unknown seat 'seler'\nhint: did you mean 'seller'?"},
      {{"bargaining", "--seat", "buyer"},
       2,
       "invalid value 'buyer' for --seat; expected NAME=VALUE"},
      {{"bargaining", "--seat", "=random"}, 2, "invalid value '=random' for --seat"},
      {{"bargaining", "--seat", "0=random", "--seat", "buyer=random"}, 2, "duplicate seat 'buyer'"},
      {{"bargaining", "--seat", "seller=offer-generator"}, 2, "does not play the role seller"},
      {{"sealed-bid", "--set", "values=common", "--set", "payment=first_price", "--seat",
        "Bidder Andy=equilibrium-bid"},
       5,
       "--seat Bidder Andy: agent 'equilibrium-bid' cannot play here"},
      {{"bargaining", "--seat", "seller=survivor"}, 3, "'survivor' plays water-allocation"},
      {{"bargaining", "--seat", "seller=tit-for-tatt"}, 3, "(did you mean 'tit-for-tat'?)"},
      {{"bargaining", "--agent", "time-dependent:concesion=2"}, 5, "(did you mean 'concession'?)"},
      {{"bargaining", "--agent", "time-dependent:concession"},
       2,
       "invalid parameter 'concession'; expected key=value"},
      {{"bargaining", "--agent", "time-dependent:concession=fast"}, 5, "must be a number"},
      {{"bargaining", "--set", "factr=1"},
       5,
       "--set ($.factr): unknown key 'factr' (did you mean 'factor'?)"},
      {{"bargaining", "--set", "factor"},
       2,
       "invalid value 'factor' for --set; expected NAME=VALUE"},
      {{"bargaining", "--set", "factor=-1"}, 5, "--set ($.factor): -1 is less than 0"},
      {{"bargaining", "--set", "factor=NaN"}, 5, "--set ($.factor): must be a number"},
      {{"bargaining", "--set", "factor=1e999"},
       5,
       "--set factor:1:1: the number '1e999' is too large"},
      {{"bargaining", "--set", "budget=-3"}, 5, "--set ($.budget): -3 is less than 0.01"},
      {{"bargaining", "--set", "budget=1.234"}, 5, "--set ($.budget): "},
      {{"bargaining", "--set", "max_turns=2.5"}, 5, "--set ($.max_turns): "},
      {{"bargaining", "--set", "max_turns=41"}, 5, "--set ($.max_turns): 41 is more than 40"},
      {{"bargaining", "--set", "max_turns=99999999999999999999"}, 5, "--set max_turns:1:1: "},
      {{"bargaining", "--set", "products=12 things"}, 3, "no data file '12 things'"},
      {{"bargaining", "--preset", "papr"}, 5, "--preset: game 'bargaining' has no preset 'papr'"},
      {{"bargain"}, 3, "unknown game 'bargain' (did you mean 'bargaining'?)"},
      {{"bargaining", "--seat", R"(buyer={"rule": )"}, 2, "--seat buyer:1:"},
      {{"bargaining", "--seat", R"(buyer={"rule": {"classic": "nash"}})"},
       5,
       "this agent does not play 'bargaining'"},
      {{"bargaining", "--agent", "llm", "--model", "fo"}, 2, "--model fo: unknown provider 'fo'"},
      {{"bargaining", "--set", "role_actions=yes"}, 5, "--set ($.role_actions): "},
      {{"bargaining", "--set", "products=nowhere"}, 3, "no data file 'nowhere'"},
      {{"english-auction", "--set", "everyone.budgt=1"},
       5,
       "--set ($.everyone.budgt): unknown key 'budgt'"},
      {{"english-auction", "--set", "seats=1"}, 5, "--set ($.seats): 1 is less than 2"},
      {{"english-auction", "--set", "seats=17"}, 5, "--set ($.seats): 17 is more than 16"},
      {{"english-auction", "--set", "ties=fair"}, 5, "--set ($.ties): "},
      {{"water-allocation", "--set", "supply=10"}, 5, "--set ($.supply): must be a list"},
      {{"water-allocation", "--set", "residents[0].need=3"}, 5, "unknown key 'residents[0]'"},
  };
  for (const Wrong& w : all) {
    Words call{"play"};
    call.insert(call.end(), w.options.begin(), w.options.end());
    std::string shown;
    for (const std::string& word : call) shown += " " + word;
    const Ended ended = command_test::agon(call);
    INFO("agon" << shown << "\n" << ended.err);
    CHECK(ended.code == w.code);
    CHECK(ended.out.empty());
    CHECK(contains(ended.err, w.says));
  }
}

TEST_CASE("scripted answers from the command line") {
  // The seller takes the buyer's second offer.
  const Words buyer{"bargaining",
                    "--set",
                    "product=0",
                    "--seat",
                    R"(buyer=script:answers=[{"talk":"","action":{"kind":"buy","price":1}},)"
                    R"({"talk":"my last","action":{"kind":"buy","price":2.5}}])",
                    "--seat",
                    R"(seller=script:answers=[{"talk":"","action":{"kind":"reject"}},)"
                    R"({"talk":"","action":{"kind":"deal","price":2.5}}])"};
  const auto match = played(buyer);
  CHECK(match.at("metrics").at("deal").as_bool());
  CHECK(match.at("metrics").at("price").to_number<double>() == Approx(2.5));
  CHECK(match.at("metrics").at("turns").to_number<int>() == 2);

  // The answers may be in a file.
  const Folder folder;
  folder.write("quit.json", R"([{"talk": "no thanks", "action": {"kind": "quit"}}])");
  folder.succeeds({"play", "bargaining", "--agent", "script:answers=quit.json", "--out", "q.agon"});
  CHECK(contains(folder.agon({"show", "q.agon", "1"}).out, "no thanks"));
  CHECK(folder.agon({"play", "bargaining", "--agent", "script:answers=none.json"}).code == 3);
}

TEST_CASE("a match is kept with --out, once") {
  const Folder folder;
  const Words call{"play", "bargaining", "--agent", "tit-for-tat", "--out", "m.agon"};
  const Ended first = folder.succeeds(call);
  CHECK_FALSE(first.out.empty());
  const Ended again = folder.succeeds(call);
  CHECK(contains(again.err, "finished already"));
  CHECK(finished(folder.at("m.agon")) == 1);
  // Another seed is another match, in the same archive.
  Words other = call;
  other.insert(other.end(), {"--seed", "9"});
  CHECK(folder.agon(other).code == 0);
  CHECK(finished(folder.at("m.agon")) == 2);
  CHECK(folder.agon({"replay", "m.agon"}).out ==
        "2 of 2 matches come out byte for byte the same\n");
}

TEST_CASE("an agent of play may be a JSON object, as in a suite") {
  const Ended by_json =
      command_test::agon({"play", "bargaining", "--json", "--seat",
                          R"(buyer={"rule": "time-dependent", "params": {"concession": 2}})"});
  INFO(by_json.err);
  REQUIRE(by_json.code == 0);
  const Ended by_text = command_test::agon(
      {"play", "bargaining", "--json", "--seat", "buyer=time-dependent:concession=2"});
  REQUIRE(by_text.code == 0);
  CHECK(json_of(by_json.out).at("metrics") == json_of(by_text.out).at("metrics"));
}

TEST_CASE("play --json says so where there is no result to tell") {
  const Folder folder;
  const Words left{"play", "bargaining", "--seat", "buyer=human", "--json"};
  const Ended quit = folder.agon(left);
  CHECK(quit.code == 6);
  CHECK(json_of(quit.out).at("finished") == false);
  CHECK(contains(json_of(quit.out).at("problem").as_string(), "the person at seat 0 left"));
  const Words kept{"play", "bargaining", "--out", "my match.agon", "--json"};
  REQUIRE(folder.agon(kept).code == 0);
  const Ended again = folder.succeeds(kept);
  CHECK(json_of(again.out).at("finished") == true);
  CHECK(contains(again.err, "agon show 'my match.agon' 1"));
}
