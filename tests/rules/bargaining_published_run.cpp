// All 930 published products played once: sections 1.7 and 1.8 of the rules of bargaining. The data
// are not ours to ship; without them the case says so and passes.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"
#include "bargaining/strategies.hpp"
#include "catch.hpp"
#include "support/data_rows.hpp"
#include "support/folders.hpp"
#include "table/match.hpp"

using namespace bargaining;

namespace {

std::vector<Product> published_products() {
  const auto folder = agon::test::published_data_folder() / "amazon-history-price";
  if (!std::filesystem::is_directory(folder))
    SKIP("there is no " << folder << " (set AGON_DATA to the folder with the data)");
  std::vector<agon::InputFile> files;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    if (item.path().extension() != ".json") continue;
    std::ifstream stream(item.path(), std::ios::binary);
    files.push_back(
        {item.path().filename().string(), std::string{std::istreambuf_iterator<char>(stream), {}}});
  }
  return agon::test::data_rows<Product>("agon.bargaining.products",
                                        agon::test::import("amazon-history-price", files).data);
}

double metric(const agon::Outcome& outcome, std::string_view name, int seat = -1) {
  const agon::Type& type = seat < 0 ? agon::type_of<MatchMetrics>() : agon::type_of<SeatMetrics>();
  const auto& values = seat < 0 ? outcome.match_metrics() : outcome[seat].metrics;
  for (std::size_t i = 0; i < type.fields.size(); ++i)
    if (type.fields[i].name == name) return values[i];
  FAIL("there is no such metric: " << name);
  return 0;
}

struct Totals {
  int matches = 0, mutual = 0, conflict = 0, valid = 0, mutual_deals = 0, conflict_deals = 0;
  double snp_mutual = 0, snp_conflict = 0;
};

Totals run(const std::vector<Product>& products, const agon::Agent& buyer,
           const agon::Agent& seller) {
  const agon::Game game = bargaining::game();
  Settings settings;
  settings.products = products;
  REQUIRE(check(settings).empty());
  Totals totals;
  for (std::size_t i = 0; i < products.size(); ++i) {
    settings.product = static_cast<int>(i);
    const Prepared prepared = prepare(settings);
    agon::MatchSetup setup;
    setup.game = &game;
    setup.settings = &settings;
    setup.prepared = &prepared;
    setup.seats = {{&buyer, 1, {}}, {&seller, 2, {}}};
    setup.cards = game.card.seating(&settings);
    setup.record = false;
    const agon::MatchResult result = agon::play_match(setup);
    REQUIRE(result.problem.empty());
    const agon::Outcome& o = result.outcome;
    REQUIRE(metric(o, "product") == static_cast<double>(i));
    const bool mutual = metric(o, "mutual") == 1;
    const bool deal = metric(o, "deal") == 1;
    const double sum = metric(o, "snp", 0) + metric(o, "snp", 1);
    ++totals.matches;
    ++(mutual ? totals.mutual : totals.conflict);
    totals.valid += metric(o, "valid") == 1 ? 1 : 0;
    if (deal) ++(mutual ? totals.mutual_deals : totals.conflict_deals);
    (mutual ? totals.snp_mutual : totals.snp_conflict) += sum;
    if (!mutual) REQUIRE(std::isnan(o[0].ideal));
    if (mutual) REQUIRE(o[1].ideal == Approx(metric(o, "budget") - metric(o, "cost")).margin(1e-6));
  }
  return totals;
}

}  // namespace

TEST_CASE("Bargaining 1.7: 886 products have mutual and 44 conflicting interest, by play") {
  const auto products = published_products();
  const OfferGenerator generator({});
  const TimeDependent concession({});
  const Totals t = run(products, generator, concession);
  CHECK(t.matches == 930);
  CHECK(t.mutual == 886);
  CHECK(t.conflict == 44);
  CHECK(t.valid == 930);
  // The generator ends with its whole budget, the seller with its cost: they always meet.
  CHECK(t.mutual_deals == 886);
  CHECK(t.conflict_deals == 0);
  CHECK(t.snp_mutual == Approx(886));
  CHECK(t.snp_conflict == 0);
}

TEST_CASE("Bargaining 1.2: acceptance identity over all products with a hasty seller") {
  const auto products = published_products();
  const OfferGenerator generator({});
  /// Takes whatever the buyer offers first, at a loss too.
  class Hasty : public agon::Agent {
   public:
    void answer(agon::Question& question) const override {
      *question.answer<Message>() = {{}, Deal{question.view<SellerView>()->buyer_offers.front()}};
    }
  };
  const Totals t = run(products, generator, Hasty{});
  CHECK(t.mutual_deals == 886);
  CHECK(t.conflict_deals == 44);
  CHECK(t.snp_mutual == Approx(886));
  CHECK(t.snp_conflict == Approx(-44));
}
