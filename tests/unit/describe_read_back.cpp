#include <agon/analysis/paper_table.hpp>
#include <agon/conversion.hpp>

#include "catch.hpp"
#include "describe_samples.hpp"

namespace read_back_samples {

/// What a game says: it borrows texts and lists.
struct Mark {
  std::string_view name;
  std::optional<std::string_view> note;
};
AGON_DESCRIBE(Mark, (name, "whose"), (note, "may be missing"))

struct Sold {
  std::string_view item;
  agon::Money price;
  std::span<const int> bids;
  std::span<const Mark> marks;
  std::vector<std::span<const std::string>> words;
  std::optional<double> rank;
};
AGON_DESCRIBE(Sold, (item, "what"), (price, "paid"), (bids, "all"), (marks, "of all"),
              (words, "in groups"), (rank, "may be missing"))

inline constexpr agon::Event<"sold", Sold> kSold{"an item is sold"};
inline constexpr agon::PrivateEvent<"mark", Mark> kMark{"a mark"};

/// A match of which there is the record alone.
class Recorded final : public agon::PlayedMatch {
 public:
  explicit Recorded(std::vector<agon::PlayedEntry> entries) : entries_(std::move(entries)) {}
  std::string_view game() const override { return "sale"; }
  std::string_view scenario() const override { return ""; }
  std::string_view preset() const override { return ""; }
  std::string_view treatment() const override { return "{}"; }
  std::string_view settings() const override { return "{}"; }
  std::int64_t block() const override { return 0; }
  std::int64_t repeat() const override { return 0; }
  std::int64_t position() const override { return 0; }
  std::string_view focal() const override { return ""; }
  std::span<const agon::PlayedSeat> seats() const override { return {}; }
  double metric(std::string_view) const override { return agon::kNothing; }
  double metric(const agon::PlayedSeat&, std::string_view) const override { return agon::kNothing; }
  std::vector<agon::PlayedEntry> entries() const override { return entries_; }

 private:
  std::vector<agon::PlayedEntry> entries_;
};

agon::PlayedEntry said(std::string_view name, std::string json) {
  return {.what = agon::PlayedEntry::What::event, .name = name, .json = std::move(json)};
}

}  // namespace read_back_samples

using namespace read_back_samples;
using Catch::Matchers::Contains;

TEST_CASE("read_back: what a description wrote is read again, with what it borrows") {
  std::string json;
  {
    const std::string item = "a lamp", note = "scratched";
    const std::vector<int> bids{3, 1, 2};
    const std::vector<Mark> marks{{"Ann", note}, {"Bo", std::nullopt}};
    const std::vector<std::string> words{"one", ""};
    json = agon::write_json(Sold{item, agon::Money{1234}, bids, marks, {words, {}}, 0.5});
  }
  const auto sold = agon::read_back<Sold>(json);
  json.assign(json.size(), '#');
  CHECK(sold->item == "a lamp");
  CHECK(sold->price == agon::Money{1234});
  CHECK(std::vector<int>(sold->bids.begin(), sold->bids.end()) == std::vector{3, 1, 2});
  REQUIRE(sold->marks.size() == 2);
  CHECK(sold->marks[0].name == "Ann");
  CHECK(sold->marks[0].note == "scratched");
  CHECK_FALSE(sold->marks[1].note);
  REQUIRE(sold->words.size() == 2);
  CHECK(sold->words[0][0] == "one");
  CHECK(sold->words[1].empty());
  CHECK(sold->rank == 0.5);
  CHECK(
      agon::write_json(*sold) ==
      R"({"item":"a lamp","price":12.34,"bids":[3,1,2],"marks":[{"name":"Ann","note":"scratched"},)"
      R"({"name":"Bo","note":null}],"words":[["one",""],[]],"rank":0.5})");
  // It owns what it holds: a copy of the pointer keeps it alive.
  const std::shared_ptr<const Mark> mark(sold, &sold->marks[0]);
  CHECK(mark->name == "Ann");
  using describe_samples::Everything;
  CHECK(agon::write_json(*agon::read_back<Everything>(agon::write_json(Everything()))) ==
        agon::write_json(Everything()));
}

TEST_CASE("read_back: members that another version wrote are passed over, and none is made up") {
  CHECK(agon::read_back<Mark>(R"({"name":"Ann","colour":"red"})")->name == "Ann");
  CHECK_THROWS_WITH(agon::read_back<Mark>(R"({"note":"x"})"),
                    Contains("a 'Mark' cannot be read: $.name: is missing"));
  CHECK_THROWS_WITH(agon::read_back<Mark>(R"({"name":7})"), Contains("$.name: must be a text"));
  CHECK_THROWS_WITH(agon::read_back<Sold>(R"({"item":"","price":1,"bids":[1,"2"]})"),
                    Contains("$.bids[1]: must be a whole number"));
  CHECK_THROWS_AS(agon::read_back<Mark>("{"), agon::Error);
}

TEST_CASE("each_said: hands out the events that are asked for, in order, and no others") {
  using agon::PlayedEntry;
  const std::string empty = R"({"item":"x","price":0,"bids":[],"marks":[],"words":[]})";
  const Recorded match({said("mark", R"({"name":"Ann"})"),
                        said("sold", empty),
                        {.what = PlayedEntry::What::answer, .name = "sold", .json = "1"},
                        {.what = PlayedEntry::What::draw, .name = "mark", .json = "2"},
                        said("other", "3"),
                        said("mark", R"({"name":"Bo"})")});
  std::string seen;
  agon::each_said<kMark>(match, [&](const Mark& mark) { seen += mark.name; });
  CHECK(seen == "AnnBo");
  seen.clear();
  agon::each_said<kSold, kMark>(match,
                                agon::Overloaded{[&](const Sold& sold) { seen += sold.item; },
                                                 [&](const Mark& mark) { seen += mark.name; }});
  CHECK(seen == "AnnxBo");
  CHECK_THROWS_AS(agon::each_said<kSold>(Recorded({said("sold", "{}")}), [](const Sold&) {}),
                  agon::Error);
}
