// Values read back from bytes made by hand: what the type cannot hold is refused.

#include <limits>

#include "catch.hpp"
#include "describe_samples.hpp"
#include "record/codec.hpp"

using namespace agon::record;
using describe_samples::Mood;

namespace {

std::string number(std::uint64_t n) {
  std::string out;
  put_number(out, n);
  return out;
}

std::string whole(std::int64_t n) {
  std::string out;
  put_signed(out, n);
  return out;
}

/// The value, if the bytes are one and nothing is left over.
template <class T>
std::optional<T> decoded(const std::string& bytes) {
  T value{};
  Bytes in(bytes);
  if (!decode(in, agon::type_of<T>(), &value) || !in.empty()) return std::nullopt;
  return value;
}

template <class T>
bool comes_back(const T& value) {
  std::string bytes;
  encode(bytes, agon::type_of<T>(), &value);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    if (decoded<T>(bytes.substr(0, n))) return false;
  const std::optional<T> back = decoded<T>(bytes);
  return back && *back == value;
}

using Int = std::numeric_limits<int>;
using Large = std::numeric_limits<std::int64_t>;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

struct Nothing {};
AGON_DESCRIBE(Nothing)

}  // namespace

TEST_CASE("codec: whole numbers as far as 64 bits go") {
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 63, kMost}) {
    const std::string bytes = number(n);
    std::uint64_t out = 1;
    Bytes in(bytes);
    CHECK(in.number(out));
    CHECK(out == n);
    CHECK(in.left() == 0);
  }
  CHECK(number(127).size() == 1);
  CHECK(number(128).size() == 2);
  CHECK(number(kMost).size() == 10);
  // A number that goes on beyond ten bytes, or ends before it says so.
  std::uint64_t out = 0;
  const std::string endless(10, '\x80');
  CHECK_FALSE(Bytes(endless + '\x01').number(out));
  CHECK_FALSE(Bytes("\x80").number(out));
  CHECK_FALSE(Bytes("").number(out));

  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, Large::min(), Large::max()}) {
    std::int64_t back = 7;
    const std::string bytes = whole(n);
    Bytes in(bytes);
    CHECK(in.signed_number(back));
    CHECK(back == n);
  }
  CHECK(whole(-1) == "\x01");
  CHECK(whole(1) == "\x02");
}

TEST_CASE("codec: a text is as long as it says, and no longer than the bytes") {
  std::string_view out;
  CHECK(Bytes(number(3) + "abc").text(out));
  const std::string three = number(3) + "abcd";
  Bytes in(three);
  CHECK(in.text(out));
  CHECK(out == "abc");
  CHECK(in.left() == 1);
  CHECK_FALSE(Bytes(number(4) + "abc").text(out));
  CHECK_FALSE(Bytes(number(kMost) + "abc").text(out));
}

TEST_CASE("codec: every kind of value comes back, and no beginning of it is taken for it") {
  CHECK(comes_back(true));
  CHECK(comes_back(false));
  CHECK(comes_back(Int::min()));
  CHECK(comes_back(Int::max()));
  CHECK(comes_back(Large::min()));
  CHECK(comes_back(Large::max()));
  CHECK(comes_back(std::uint8_t{255}));
  CHECK(comes_back(-0.1));
  CHECK(comes_back(std::numeric_limits<double>::denorm_min()));
  CHECK(comes_back(std::string("some words")));
  CHECK(comes_back(Mood::calm));
  CHECK(comes_back(Mood::cross));
  CHECK(comes_back(std::optional<int>()));
  CHECK(comes_back(std::optional<int>(300)));
  CHECK(comes_back(std::vector<int>{1, 2, 300}));
  CHECK(comes_back(std::array<int, 3>{1, 2, 3}));
  CHECK(comes_back(std::map<std::string, double>{{"a", 1}, {"b", 2}}));
}

TEST_CASE("codec: a boolean is 0 or 1") {
  CHECK(decoded<bool>(std::string("\x00", 1)) == false);
  CHECK(decoded<bool>("\x01") == true);
  CHECK_FALSE(decoded<bool>("\x02"));
  CHECK_FALSE(decoded<bool>("\xff"));
}

TEST_CASE("codec: an integer lies in the range of its type") {
  CHECK(decoded<int>(whole(Int::max())) == Int::max());
  CHECK(decoded<int>(whole(Int::min())) == Int::min());
  CHECK_FALSE(decoded<int>(whole(std::int64_t{Int::max()} + 1)));
  CHECK_FALSE(decoded<int>(whole(std::int64_t{Int::min()} - 1)));
  CHECK(decoded<std::uint8_t>(whole(255)) == 255);
  CHECK(decoded<std::uint8_t>(whole(0)) == 0);
  CHECK_FALSE(decoded<std::uint8_t>(whole(256)));
  CHECK_FALSE(decoded<std::uint8_t>(whole(-1)));
}

TEST_CASE("codec: an enumerator and an alternative are among those that there are") {
  CHECK(decoded<Mood>(number(2)) == Mood::cross);
  CHECK_FALSE(decoded<Mood>(number(3)));
  CHECK_FALSE(decoded<Mood>(number(kMost)));

  using Either = std::variant<describe_samples::Agree, describe_samples::WalkAway>;
  const auto second = decoded<Either>(number(1) + number(2) + "no");
  REQUIRE(second);
  CHECK(std::get<1>(*second).why == "no");
  CHECK(decoded<Either>(number(0)));
  std::string encoded;
  encode(encoded, agon::type_of<Either>(), &*second);
  CHECK(encoded == number(1) + number(2) + "no");
  CHECK_FALSE(decoded<Either>(number(2)));
  CHECK_FALSE(decoded<Either>(number(kMost)));
}

TEST_CASE("codec: a list is as long as its type allows and its bytes can hold") {
  const std::string one = whole(1);
  CHECK(decoded<std::optional<int>>(number(1) + one) == 1);
  CHECK_FALSE(decoded<std::optional<int>>(number(2) + one + one));

  using Few = agon::InlineList<int, 4>;
  const auto four = decoded<Few>(number(4) + one + one + one + one);
  REQUIRE(four);
  CHECK(four->size() == 4);
  CHECK_FALSE(decoded<Few>(number(5) + one + one + one + one + one));

  // std::array has one length.
  using Three = std::array<int, 3>;
  CHECK(decoded<Three>(number(3) + one + one + one));
  CHECK_FALSE(decoded<Three>(number(2) + one + one));
  CHECK_FALSE(decoded<Three>(number(4) + one + one + one + one));

  // A length that no memory would hold is no reason to ask for it.
  CHECK_FALSE(decoded<std::vector<int>>(number(std::uint64_t{1} << 60) + one));
  CHECK_FALSE(decoded<std::vector<int>>(number(2) + one));
  using Named = std::map<std::string, int>;
  CHECK(decoded<Named>(number(1) + number(1) + "a" + one) == Named{{"a", 1}});
  CHECK_FALSE(decoded<Named>(number(2) + number(1) + "a" + one));
  CHECK_FALSE(decoded<Named>(number(kMost) + number(1) + "a" + one));
  CHECK(decoded<std::map<std::string, Nothing>>(number(1) + number(0)));
  // Elements without any content take no bytes.
  const auto nothings = decoded<std::vector<Nothing>>(number(3));
  REQUIRE(nothings);
  CHECK(nothings->size() == 3);
  // Not many, as lists of such lists would be far larger than their bytes.
  CHECK(decoded<std::vector<Nothing>>(number(16)));
  CHECK_FALSE(decoded<std::vector<Nothing>>(number(17)));
}

TEST_CASE("codec: what stands for any JSON is JSON without comments") {
  const auto text = [](std::string_view json) { return number(json.size()) + std::string(json); };
  CHECK(decoded<agon::JsonText>(text(R"({"a": [1, "x"]})")));
  for (const char* bad : {"", "{", "1, \"entry\": 2", "1 2", "1 // one", "\"\x1b\"", "\"\xff\"",
                          R"({"a": 1, "a": 2})"}) {
    INFO(bad);
    CHECK_FALSE(decoded<agon::JsonText>(text(bad)));
  }
}

TEST_CASE("codec: what was in a map or a list before is gone") {
  std::map<std::string, int> named{{"old", 1}};
  const std::string bytes = number(1) + number(1) + "a" + whole(2);
  Bytes in(bytes);
  REQUIRE(decode(in, agon::type_of<std::map<std::string, int>>(), &named));
  CHECK(named == std::map<std::string, int>{{"a", 2}});
}
