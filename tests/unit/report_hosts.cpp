#include "archive/archive.hpp"
#include "catch.hpp"
#include "report/report.hpp"
#include "report_samples.hpp"
#include "results/hosts.hpp"

namespace archive = agon::archive;
namespace report = agon::report;
using report_samples::Book;

namespace {

/// Seat 0 of each match is of an agent whose calls hosts answer: those of the match's block, in
/// turn.
class RoutedBook {
 public:
  explicit RoutedBook(const std::vector<std::vector<std::string>>& fingerprints) {
    book_.scenario("s", book_.game("g"));
    for (std::size_t block = 0; block < fingerprints.size(); ++block) {
      // Half of the pie in even blocks, a tenth in odd ones.
      const double payoff = block % 2 == 0 ? 5 : 1;
      book_.match({"s", static_cast<int>(block)}, {{"a", payoff, 0, 10}, {"ref", 5, 0, 10}});
    }
    book_.writer().flush();
    std::vector<archive::MatchId> ids;
    archive::Archive::open(book_.path())
        .matches()
        .ids([&](const archive::MatchId& id, std::int64_t) { ids.push_back(id); });
    REQUIRE(ids.size() == fingerprints.size());
    for (std::size_t block = 0; block < ids.size(); ++block)
      for (const std::string& fingerprint : fingerprints[block]) save(ids[block], fingerprint);
    book_.writer().flush();
  }

  [[nodiscard]] std::string path() const { return book_.path().string(); }

 private:
  void save(const archive::MatchId& match, const std::string& fingerprint) {
    archive::CallRow row;
    row.match = match;
    row.place = place_++;
    row.answered = true;
    row.call.provider = "openrouter";
    row.call.model = "m";
    row.call.served_model = "m-1";
    row.call.fingerprint = fingerprint;
    row.parameters = book_.writer().store("parameters", "{}");
    book_.writer().save_call(row);
  }

  Book book_;
  std::int64_t place_ = 0;
};

}  // namespace

TEST_CASE("report: the host of a call is the router's, else name and fingerprint", "[report]") {
  CHECK(report::host_of("m-1", "provider:Deep Infra") == "Deep Infra");
  CHECK(report::host_of("m-1", "fp_1 provider:A") == "A");
  CHECK(report::host_of("m-1", "fp_1") == "m-1 fp_1");
  CHECK(report::host_of("m-1", "") == "m-1");
  CHECK(report::host_of("", "").empty());
}

TEST_CASE("report: hosts that answered have their share of calls and their mean score",
          "[report]") {
  // A answers all of one match and half of another, B the other half.
  const RoutedBook book({{"provider:A", "provider:A"}, {"provider:A", "provider:B"}});
  const auto uses = report::hosts_used(archive::Archive::open(book.path()));
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].agent == "a");
  CHECK(uses[0].game == "g");
  CHECK(uses[0].model == "openrouter/m");
  CHECK(uses[0].host == "A");
  CHECK(uses[0].calls == 3);
  CHECK(uses[0].share == Approx(0.75));
  CHECK(uses[0].seats == 2);
  CHECK(uses[1].host == "B");
  CHECK(uses[1].calls == 1);
  CHECK(uses[1].seats == 1);
  REQUIRE(uses[0].score);
  REQUIRE(uses[1].score);
  // One match gave 0.5, the other 0.1; which has which id is the archive's business.
  const bool shared_is_low = *uses[1].score < 0.3;
  CHECK(*uses[1].score == Approx(shared_is_low ? 0.1 : 0.5));
  CHECK(*uses[0].score == Approx(shared_is_low ? (5 + 0.5 * 1) / 15 : (1 + 0.5 * 5) / 15));
}

TEST_CASE("report: hosts are told of a router, and where a model has several", "[report]") {
  const auto hosts = [](const std::vector<std::vector<std::string>>& fingerprints) {
    return report::hosts_used(archive::Archive::open(RoutedBook(fingerprints).path())).size();
  };
  CHECK(hosts({{"fp_1", "fp_1"}, {"fp_1"}}) == 0);
  CHECK(hosts({{"", ""}}) == 0);
  CHECK(hosts({{"fp_1"}, {"fp_2"}}) == 2);
  CHECK(hosts({{"provider:A"}, {"provider:A"}}) == 1);
}
