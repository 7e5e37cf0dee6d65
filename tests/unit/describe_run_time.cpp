// Types that were made at run time do what those that the compiler made do, to the byte.

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <map>

#include "catch.hpp"
#include "describe/description.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "describe_samples.hpp"
#include "record/codec.hpp"
#include "record/shape.hpp"

namespace describe_run_time_test {

using namespace agon;
using namespace describe_samples;

std::string drawn(const Type& type, std::span<const LimitData> limits, std::uint64_t key) {
  Value value(type);
  Dice dice(key, 0);
  draw_value(type, nullptr, value.get(), 0, limits, dice);
  return write_json(type, value.get());
}

std::string problem(const Type& type, std::string_view json, std::span<const LimitData> limits) {
  Value value(type);
  const auto found = read_json(type, value.get(), json, limits);
  return found ? found->text() : "";
}

std::string recorded(const Type& type, std::string_view json) {
  Value value(type);
  REQUIRE_FALSE(read_json(type, value.get(), json));
  std::string bytes;
  record::encode(bytes, type, value.get());
  return bytes;
}

/// Takes every default, and shows what it was asked; leaves when that goes on and on.
class Defaults final : public Dialogue {
 public:
  void show(std::string_view lines) override { shown += lines; }
  std::optional<std::string> ask(std::string_view prompt) override {
    shown += std::string(prompt) + "\n";
    if (++asked_ > 100) return std::nullopt;
    return "";
  }
  std::string shown;

 private:
  int asked_ = 0;
};

TEST_CASE("a type from a written description does all that the compiled one does") {
  const Type& compiled = type_of<Everything>();
  const std::string written = write_description(compiled);
  const OwnedType owned = read_description(written, "a test");
  const Type& made = owned.get();

  CHECK(write_description(made) == written);
  CHECK(made.slots == compiled.slots);
  CHECK(record::shape_of(made) == record::shape_of(compiled));
  CHECK(write_json(made, Value(made).get()) == write_json(compiled, Value(compiled).get()));
  std::uint64_t key = 0;
  for (const auto& limits : limit_sets()) {
    CHECK(schema_json(made, limits) == schema_json(compiled, limits));
    CHECK(Form(made, limits).outline() == Form(compiled, limits).outline());
    Defaults ours, theirs;
    CHECK(Form(made, limits).fill(ours) == Form(compiled, limits).fill(theirs));
    CHECK(ours.shown == theirs.shown);
    for (int n = 0; n < 200; ++n) {
      const std::string json = drawn(compiled, limits, ++key);
      REQUIRE(drawn(made, limits, key) == json);
      REQUIRE(problem(made, json, limits).empty());
      // What fits one set of limits mostly breaks another.
      for (const auto& others : limit_sets())
        REQUIRE(problem(made, json, others) == problem(compiled, json, others));
      REQUIRE(recorded(made, json) == recorded(compiled, json));
      REQUIRE(plain_text(&made, json) == plain_text(&compiled, json));
      REQUIRE(plain_line(&made, json) == plain_line(&compiled, json));
    }
  }
}

TEST_CASE("a type from a recorded shape reads and writes what was recorded") {
  const Type& compiled = type_of<Everything>();
  const auto owned = record::read_shape(record::shape_of(compiled));
  REQUIRE(owned);
  const Type& made = owned->get();
  CHECK(record::shape_of(made) == record::shape_of(compiled));
  CHECK(made.slots == compiled.slots);
  for (std::uint64_t key = 0; key < 200; ++key) {
    const std::string json = drawn(compiled, {}, key);
    REQUIRE(problem(made, json, {}).empty());
    REQUIRE(recorded(made, json) == recorded(compiled, json));
  }
  // Its own draws are legal for it.
  for (std::uint64_t key = 0; key < 200; ++key)
    REQUIRE(problem(made, drawn(made, {}, key), {}).empty());
}

TEST_CASE("a recorded shape has as many parts as it likes, and is as deep as it may be") {
  std::string many = "{";
  for (int i = 0; i < 100; ++i) many += (i > 0 ? ",n" : "n") + std::to_string(i) + ":i";
  many += "}";
  const auto wide = record::read_shape(many);
  REQUIRE(wide);
  CHECK(record::shape_of(wide->get()) == many);
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "i" + std::string(depth, ']');
  };
  CHECK(record::read_shape(nested(10)));
  CHECK_FALSE(record::read_shape(nested(100)));
}

/// What only files hold.
struct Entry {
  std::variant<int, std::string, std::vector<int>> form;
  std::optional<int> left;
  JsonText any;
};
AGON_DESCRIBE(Entry, (form, "a number, a text or a list"), (left, "perhaps", left_out),
              (any, "whatever"))

TEST_CASE("forms without a kind, members that are left out and any JSON come back as well") {
  const Type& compiled = type_of<Entry>();
  const OwnedType owned = read_description(write_description(compiled), "a test");
  const auto shaped = record::read_shape(record::shape_of(compiled));
  REQUIRE(shaped);
  for (const Type* made : {&owned.get(), &shaped->get()}) {
    CHECK(record::shape_of(*made) == record::shape_of(compiled));
    for (const std::string json :
         {R"({"form":7,"left":3,"any":{"a":[1]}})", R"({"form":"x","left":1,"any":null})",
          R"({"form":[1,2],"left":0,"any":"text"})"}) {
      Value value(*made), theirs(compiled);
      REQUIRE_FALSE(read_json(*made, value.get(), json));
      CHECK(write_json(*made, value.get()) == json);
      REQUIRE_FALSE(read_json(compiled, theirs.get(), json));
      CHECK(recorded(*made, json) == recorded(compiled, json));
    }
  }
  CHECK(write_json(owned.get(), Value(owned.get()).get()) == R"({"form":0,"any":null})");
}

struct Sparse {
  std::string words;
  std::map<std::string, int> sums;
  int count = 0;
};
AGON_DESCRIBE(Sparse, (words, "perhaps", left_out), (sums, "perhaps", left_out),
              (count, "how many"))

TEST_CASE("what is left out where it is empty is read back as empty") {
  Sparse sparse;
  sparse.count = 3;
  const std::string json = write_json(sparse);
  CHECK(json == R"({"count":3})");
  CHECK_FALSE(read_json(sparse, json, Missing::is_wrong));
  REQUIRE(read_json(sparse, "{}", Missing::is_wrong));
  // So is the default of a description, which a sandbox process hands on.
  const OwnedType owned = read_description(write_description(type_of<Sparse>()), "a test");
  Value value(owned.get());
  CHECK(write_json(owned.get(), value.get()) == R"({"count":0})");
  CHECK_FALSE(read_json(owned.get(), value.get(), json));
}

TEST_CASE("a value outlives whoever made its type, as long as the type is kept") {
  std::optional<OwnedType> owned = read_description(write_description(type_of<Item>()), "a test");
  const OwnedType copy = *owned;
  owned.reset();
  Value value(copy.get());
  Value other = value;
  REQUIRE_FALSE(read_json(copy.get(), other.get(), R"({"name":"cup","price":2.5,"pieces":null})"));
  value = other;
  CHECK(write_json(copy.get(), value.get()) == R"({"name":"cup","price":2.50,"pieces":null})");
}

TEST_CASE("what is not of the notation makes no type") {
  for (const std::string_view text :
       {"",    "x",   "bb",   "[b",     "b]", "<t", "?",       "e",        "e(a",        "e(a|b",
        "{a}", "{a:", "{a:b", "{a:b,}", "(",  "()", "(offer)", "(offer{}", "(offer{}|)", "{a:b}}"})
    CHECK_FALSE(record::read_shape(text));
  CHECK_FALSE(record::read_shape(std::string(100, '?') + "b"));
  CHECK(record::read_shape(std::string(40, '?') + "b"));
  CHECK(record::read_shape("{}"));
  // Names that JSON could not tell apart, or that no terminal should be sent.
  for (const char* text : {"{a:b,a:i}", "e(a|a)", "(one{}|one{})", "(one{kind:b}|two{})", "{:b}",
                           "{a\x1b:b}", "{a\xff:b}", "e(|a)"}) {
    INFO(text);
    CHECK_FALSE(record::read_shape(text));
  }
  CHECK(record::read_shape("(one{a:b}|two{a:b})"));
  CHECK(record::read_shape("{a:{a:b},kind:i}"));
}

TEST_CASE("a description that makes no sense is refused with its place") {
  const auto refusal = [](std::string_view json) {
    try {
      (void)read_description(json, "given");
      return std::string("read");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const auto says = [&](std::string_view json, std::string_view words) {
    const std::string said = refusal(json);
    INFO(said);
    CHECK(said.find(words) != std::string::npos);
  };
  says(R"({"kind":"bool"})", "'bool' is not a kind of value");
  says(R"({"kind":"boolean","low":1})", "$.low");
  says(R"({"kind":"integer","low":5,"high":4})", "$.high");
  says(R"({"kind":"enumeration","name":"E","values":[]})", "1 to 64 values");
  says(R"({"kind":"variant","alternatives":[]})", "1 to 64 alternatives");
  says(R"({"kind":"variant","alternatives":[{"kind":"text"}]})", "has to be a structure");
  says(R"({"kind":"structure","name":"S","members":[{"name":"","type":{"kind":"text"}}]})",
       "needs a name");
  says(R"({"kind":"structure","name":"S","members":[{"name":"a","type":{"kind":"text"}},)"
       R"({"name":"a","type":{"kind":"text"}}]})",
       "is a member already");
  says(R"({"kind":"structure","name":"S","members":[{"name":"a","type":{"kind":"text"}}],)"
       R"("default":{"a":1}})",
       "$.default");
  says(R"({"kind":"structure","name":"S","members":[{"name":"a","better":"larger",)"
       R"("type":{"kind":"number"}}]})",
       "higher or lower");
  std::string deep = R"({"kind":"text"})";
  for (int i = 0; i < 70; ++i) deep = R"({"kind":"optional","element":)" + deep + "}";
  CHECK(refusal(deep) != "read");
}

TEST_CASE("a description of huge values or of more places than limits can name is refused") {
  const auto refusal = [](const std::string& json) {
    try {
      (void)read_description(json, "given");
      return std::string("read");
    } catch (const Error& error) {
      return std::string(error.where().empty() ? "no place: " : "") + error.problem();
    }
  };
  // The lengths of fixed lists multiply, and so do default values in them.
  const auto fixed = [](const std::string& element, int length) {
    return R"({"kind":"list","length":)" + std::to_string(length) + R"(,"element":)" + element +
           "}";
  };
  const std::string text = R"({"kind":"text"})";
  CHECK(refusal(fixed(fixed(text, 900), 900)) == "read");
  CHECK(refusal(fixed(fixed(text, 1100), 1100)) ==
        "a new value of it would consist of more than a million");
  const std::string named = R"({"kind":"structure","name":"S","members":[{"name":"a","type":)" +
                            text + R"(}],"default":{"a":")" + std::string(2000, 'x') + R"("}})";
  CHECK(refusal(fixed(named, 100)) == "read");
  CHECK(refusal(fixed(named, 1000)) == "a new value of it would consist of more than a million");
  // 16 bits would wrap.
  const auto structure = [](const std::string& member, int n) {
    std::string json = R"({"kind":"structure","name":"S","members":[)";
    for (int i = 0; i < n; ++i)
      json += std::string(i == 0 ? "" : ",") + R"({"name":"m)" + std::to_string(i) +
              R"(","type":)" + member + "}";
    return json + "]}";
  };
  const std::string wide = structure(text, 3000);
  std::string variant = R"({"kind":"variant","alternatives":[)";
  for (int i = 0; i < 22; ++i) variant += (i == 0 ? "" : ",") + wide;
  variant += "]}";
  for (const std::string& json : {variant, structure(structure(text, 4000), 17)})
    CHECK(refusal(json) == "it has more than 10000 places with all that is in it");
  std::string shape = "(";
  for (int i = 0; i < 22; ++i) {
    shape += (i == 0 ? "a" : "|a") + std::to_string(i) + "{";
    for (int m = 0; m < 3000; ++m) shape += (m == 0 ? "m" : ",m") + std::to_string(m) + ":t";
    shape += "}";
  }
  CHECK_FALSE(record::read_shape(shape + ")"));
}

}  // namespace describe_run_time_test
