// Every question of every game can be answered in a form of which nobody but the core knows.

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "../../plugins/templates/game-cpp/ultimatum_game.cpp"
#include "catch.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "form/form.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "support.hpp"
#include "support/typed_tree.hpp"

namespace forms_test {

using namespace agon;
namespace bj = boost::json;

/// "/price: 5 is more than 3; ..."
std::string told(const TypedAnswer& answer) {
  std::string text;
  for (const TypedProblem& p : answer.problems) text += p.path + ": " + p.problem + "; ";
  return text;
}

/// A place of an answer.
struct AnswerPart {
  const Type* type;
  const Field* field;
  std::uint16_t slot;
};

/// Goes over a form, a drawn answer and its tree at the same time.
class Prober {
 public:
  Prober(const Type& type, std::span<const LimitData> limits, bj::value tree)
      : type_(type), limits_(limits), tree_(std::move(tree)) {}

  void probe() { visit({&type_, nullptr, 0}, form_description(type_, limits_), tree_, "", {}); }

  int edges = 0;

 private:
  void accepts(bj::value& at, bj::value other) {
    std::swap(at, other);
    const TypedAnswer answer = read_typed(type_, limits_, tree_);
    INFO(json::write(tree_));
    INFO(told(answer));
    REQUIRE(answer.problems.empty());
    std::swap(at, other);
    ++edges;
  }
  void refuses(bj::value& at, bj::value other, const std::string& path) {
    std::swap(at, other);
    const TypedAnswer answer = read_typed(type_, limits_, tree_);
    INFO(json::write(tree_));
    INFO(told(answer));
    REQUIRE(answer.problems.size() == 1);
    CHECK(answer.problems[0].path == path);
    CHECK_FALSE(answer.problems[0].problem.empty());
    CHECK(answer.json.empty());
    std::swap(at, other);
    ++edges;
  }
  /// Whatever it is, what comes of it is legal or a problem.
  void survives(bj::value& at, bj::value other) {
    std::swap(at, other);
    const TypedAnswer answer = read_typed(type_, limits_, tree_);
    if (answer.problems.empty()) {
      const Value value(type_);
      REQUIRE_FALSE(read_json(type_, const_cast<void*>(value.get()), answer.json, limits_));
    }
    std::swap(at, other);
  }
  void survives_all(bj::value& at) {
    bj::value deep = "x";
    for (int i = 0; i < 60; ++i) {
      bj::value around =
          i % 2 == 0 ? bj::value(bj::array{deep}) : bj::value(bj::object{{"kind", deep}});
      deep = std::move(around);
    }
    bj::object many;
    for (int i = 0; i < 300; ++i) many["member " + std::to_string(i)] = i;
    const bj::string nul(std::string_view("a\0b", 3));
    for (const bj::value& other :
         {bj::value(nullptr), bj::value(true), bj::value(7), bj::value(1e300), bj::value(""),
          bj::value(nul), bj::value("\xff\xfe"), bj::value(bj::array{}), bj::value(bj::object{}),
          bj::value(std::move(many)), bj::value(bj::object{{"kind", "nonsense"}}),
          bj::value(bj::array(500, "1")),
          bj::value("\xe2\x80\xae"
                    "12"),
          bj::value("1e999"), deep})
      survives(at, other);
  }

  void visit(const AnswerPart& place, const bj::object& form, bj::value& tree,
             const std::string& path, std::optional<std::pair<std::int64_t, std::int64_t>> own) {
    const Type& type = *place.type;
    const std::string_view kind(form.at("kind").as_string());
    survives_all(tree);
    switch (type.kind) {
      case Kind::integer: {
        IntegerBounds b = integer_bounds(type, place.field, place.slot, limits_);
        if (own) b = {std::max(own->first, b.lo), std::min(own->second, b.hi)};
        CHECK(kind == (type.decimals == 0 ? "integer" : "money"));
        bound(type, form.at("min"), b.lo, b.lo > type.low);
        if (!own) bound(type, form.at("max"), b.hi, b.hi < type.high);
        if (b.lo > type.low) {
          accepts(tree, bj::string(integer_text(type, b.lo)));
          refuses(tree, bj::string(integer_text(type, b.lo - 1)), path);
        }
        if (b.hi < type.high) {
          accepts(tree, bj::string(integer_text(type, b.hi)));
          refuses(tree, bj::string(integer_text(type, b.hi + 1)), path);
        }
        refuses(tree, type.decimals == 0 ? "0.5" : "0.505", path);
        refuses(tree, "", path);  // chosen and left empty is not none
        refuses(tree, "ten", path);
        return refuses(tree, 5, path);
      }
      case Kind::number: {
        const NumberBounds b = number_bounds(place.field, place.slot, limits_);
        for (const double edge : {b.lo, b.hi}) {
          if (!std::isfinite(edge)) continue;
          accepts(tree, bj::string(number_text(edge)));
          refuses(tree, bj::string(number_text(edge == b.lo ? edge - 1 : edge + 1)), path);
        }
        return refuses(tree, "a lot", path);
      }
      case Kind::boolean:
        CHECK(kind == "boolean");
        for (const bool yes : {false, true}) {
          const bool may = (allowed_mask(place.slot, limits_) >> (yes ? 1U : 0U) & 1U) != 0;
          if (may)
            accepts(tree, yes);
          else
            refuses(tree, yes, path);
        }
        return refuses(tree, nullptr, path);
      case Kind::enumeration:
        return choices(form, tree, path);
      case Kind::text:
        if (kind == "choice") return choices(form, tree, path);
        return text(place, form, tree, path);
      case Kind::optional: {
        const unsigned may = allowed_presence(place.slot, limits_);
        CHECK(form.at("may_be_absent").as_bool() == ((may & 1U) != 0));
        if ((may & 1U) != 0)
          accepts(tree, nullptr);
        else
          refuses(tree, nullptr, path);
        if (tree.is_null()) return;
        return visit({type.element, place.field, static_cast<std::uint16_t>(place.slot + 1)},
                     form.at("node").as_object(), tree, path, {});
      }
      case Kind::list:
        return list(place, form, tree, path);
      case Kind::map:
        return map(place, form, tree, path);
      case Kind::structure:
        refuses_more(tree, path);
        return members(type, place.slot, form, tree, path);
      case Kind::variant: {
        const bj::array& offered = form.at("choices").as_array();
        bj::value& chosen = tree.as_object().at("kind");
        refuses_more(tree, path);
        refuses(chosen, nullptr, path + "/kind");
        refuses(chosen, "nonsense", path + "/kind");
        std::size_t next = 0;
        for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
          const std::string name = kind_of(*type.alternatives[i]);
          if ((allowed_mask(place.slot, limits_) >> i & 1U) == 0) {
            refuses(chosen, bj::string(name), path + "/kind");
            continue;
          }
          const bj::object& choice = offered.at(next++).as_object();
          CHECK(choice.at("name").as_string() == name);
          if (chosen.as_string() == name)
            members(*type.alternatives[i], alternative_slot(type, place.slot, i),
                    choice.at("node").as_object(), tree, path);
        }
        CHECK(next == offered.size());
        return;
      }
    }
  }

  static void bound(const Type& type, const bj::value& given, std::int64_t bound, bool is_there) {
    if (is_there)
      CHECK(given.to_number<double>() ==
            static_cast<double>(bound) / (type.decimals == 0 ? 1 : 100));
    else
      CHECK(given.is_null());
  }

  void refuses_more(bj::value& tree, const std::string& path) {
    bj::value more = tree;
    more.as_object()["some/thing~else"] = "1";
    refuses(tree, std::move(more), path + "/some~1thing~0else");
  }

  void members(const Type& type, std::uint16_t slot, const bj::object& form, bj::value& tree,
               const std::string& path) {
    const bj::array& fields = form.at("fields").as_array();
    REQUIRE(fields.size() == type.fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Field& f = type.fields[i];
      const bj::object& field = fields[i].as_object();
      CHECK(field.at("name").as_string() == f.name);
      CHECK_FALSE(field.at("label").as_string().empty());
      visit({f.type, &f, slot}, field.at("node").as_object(), tree.as_object().at(f.name),
            path + "/" + std::string(f.name), {});
      slot = static_cast<std::uint16_t>(slot + f.type->slots);
    }
  }

  void choices(const bj::object& form, bj::value& tree, const std::string& path) {
    REQUIRE_FALSE(form.at("choices").as_array().empty());
    for (const bj::value& choice : form.at("choices").as_array())
      accepts(tree, choice.as_object().at("name"));
    refuses(tree, "no such thing", path);
    refuses(tree, "", path);
    refuses(tree, nullptr, path);
  }

  void text(const AnswerPart& place, const bj::object& form, bj::value& tree,
            const std::string& path) {
    const auto signs = [](std::size_t n) {
      std::string text;
      for (std::size_t i = 0; i < n; ++i) text += i % 2 == 0 ? "\u00e9" : "\U0001f600";
      return bj::string(text);
    };
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, limits_);
    CHECK(form.at("max").is_null() == (b.hi == std::numeric_limits<std::size_t>::max()));
    accepts(tree, signs(b.lo));
    if (b.lo > 0) refuses(tree, signs(b.lo - 1), path);
    if (form.at("max").is_null()) return accepts(tree, bj::string(1'000'000, 'x'));
    accepts(tree, signs(b.hi));
    refuses(tree, signs(b.hi + 1), path);
    refuses(tree, bj::string(1'000'000, 'x'), path);
    refuses(tree, "\xff", path);
  }

  void list(const AnswerPart& place, const bj::object& form, bj::value& tree,
            const std::string& path) {
    const LengthBounds b = length_bounds(*place.type, place.field, place.slot, limits_);
    const bj::array items = tree.as_array();
    const LimitData* each = limit_at(limits_, place.slot, LimitKind::each);
    CHECK(form.at("each").is_null() == (each == nullptr));
    if (!items.empty()) {
      if (b.lo > 0) {
        const bj::array shorter(items.begin(),
                                items.begin() + static_cast<std::ptrdiff_t>(b.lo) - 1);
        refuses(tree, shorter, path);
      }
      if (b.hi < 1000) refuses(tree, bj::array(b.hi + 1, items[0]), path);
    }
    for (std::size_t i = 0; i < items.size(); ++i)
      visit({place.type->element, place.field, static_cast<std::uint16_t>(place.slot + 1)},
            form.at("node").as_object(), tree.as_array()[i], path + "/" + std::to_string(i),
            each == nullptr ? std::nullopt
                            : std::optional(std::pair{each->lo, std::int64_t{each->each[i]}}));
  }

  void map(const AnswerPart& place, const bj::object& form, bj::value& tree,
           const std::string& path) {
    const bj::value& keys = form.at("keys");
    if (keys.is_array()) {
      REQUIRE(tree.as_object().size() == keys.as_array().size());
      bj::value fewer = tree;
      const std::string first(tree.as_object().begin()->key());
      fewer.as_object().erase(first);
      refuses(tree, std::move(fewer), path + "/" + first);
      refuses_more(tree, path);
    }
    for (auto& entry : tree.as_object())
      visit({place.type->element, place.field, static_cast<std::uint16_t>(place.slot + 1)},
            form.at("node").as_object(), entry.value(), path + "/" + std::string(entry.key()), {});
  }

  const Type& type_;
  std::span<const LimitData> limits_;
  bj::value tree_;
};

/// Types random answers into forms, and probes each form of a stage some times. With AGON_FORMS it
/// writes forms to that folder, and reads what a browser has typed into them since.
class Typist final : public WaitingAgent {
 public:
  /// The table would take what a failed check throws for an agent that broke.
  void ask(OwnedQuestion q, Completion done) const override {
    try {
      fill(q, done);
    } catch (const std::exception& error) {
      failed = true;
      FAIL_CHECK(q.game << " " << q.stage << ": " << error.what());
      throw;
    } catch (...) {
      failed = true;
      throw;
    }
  }

  void fill(const OwnedQuestion& q, const Completion& done) const {
    if (failed) return done({.quit = true});
    const Type& type = *q.answer_type;
    const auto limits = q.limits.get();
    INFO(q.game << " " << q.stage);
    Dice dice(q.dice_key, q.dice_place, static_cast<std::uint32_t>(q.attempt));
    const Value drawn(type);
    draw_value(type, nullptr, const_cast<void*>(drawn.get()), 0, limits, dice);
    const bj::value tree = test::typed_tree(type, drawn.get(), dice);
    const TypedAnswer answer = read_typed(type, limits, tree);
    INFO(json::write(tree));
    INFO(told(answer));
    REQUIRE(answer.problems.empty());
    const Value read(type);
    REQUIRE_FALSE(read_json(type, const_cast<void*>(read.get()), answer.json, limits));
    CHECK(write_json(type, read.get()) == write_json(type, drawn.get()));

    int& seen = forms[q.game + "." + q.stage];
    if (seen < 3) exchange(q, q.game + "." + q.stage + "." + std::to_string(seen));
    if (seen < 4) {
      Prober prober(type, limits, tree);
      prober.probe();
      edges += prober.edges;
    }
    ++seen;
    look_at_ends(q, answer.json);
    done({.json = answer.json});
  }

  mutable bool failed = false;
  /// How often each stage was asked.
  mutable std::map<std::string, int> forms;
  mutable int edges = 0;
  mutable int ended = 0;  ///< answers that ended the match for who gave them
  mutable int typed_in_browser = 0;
  mutable std::map<int, std::uint32_t> last;  ///< questions of this match that were such, by seat

 private:
  /// Who has ended the match has nothing more to decide, unless that was turned down.
  void look_at_ends(const OwnedQuestion& q, const std::string& json) const {
    if (const auto before = last.find(q.seat); before != last.end()) {
      if (q.number == before->second)
        last.erase(before);
      else
        CHECK(q.probe);
    }
    if (q.probe || !ends_match(q, json)) return;
    last[q.seat] = q.number;
    ++ended;
  }

  void exchange(const OwnedQuestion& q, const std::string& name) const {
    const char* folder = std::getenv("AGON_FORMS");
    if (folder == nullptr) return;
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::ofstream(path.string() + ".form.json") << json::write(bj::object{
        {"title", q.stage_doc}, {"form", form_description(*q.answer_type, q.limits.get())}});
    const std::filesystem::path typed = path.string() + ".typed.json";
    if (!std::filesystem::exists(typed)) return;
    const TypedAnswer answer = read_typed(*q.answer_type, q.limits.get(), json::parse_file(typed));
    INFO(typed.string());
    INFO(told(answer));
    CHECK(answer.problems.empty());
    ++typed_in_browser;
  }
};

/// Two matches, of which the second begins with what seats have taken along from the first.
void play(const Typist& typist, const seam::Scene& scene, std::uint64_t luck) {
  std::vector<std::string> carried(scene.seats());
  for (std::uint64_t position = 0; position < 2; ++position) {
    typist.last.clear();
    MatchSetup setup = scene.setup({&typist}, luck);
    for (std::size_t i = 0; i < carried.size(); ++i) setup.seats[i].carried = carried[i];
    setup.position = position;
    setup.another_follows = position == 0;
    MatchResult result = play_match(setup);
    INFO(result.problem);
    CHECK(result.end == End::finished);
    carried = std::move(result.carried);
  }
}

TEST_CASE("every stage of every game can be answered in its form") {
  Typist typist;
  for (const seam::Case& c : seam::all_cases())
    for (std::uint64_t luck = 1; luck <= 2; ++luck)
      play(typist, seam::Scene(c.game, c.settings), luck);
  const std::vector<std::pair<std::string, std::string>> more{
      {"english-auction",
       R"({"preset": "laboratory", "arena": "demo", "talk": 1, "seller": true})"},
      {"deal-or-no-deal", R"({"claims": "in_turn"})"},
      {"deal-or-no-deal", R"({"preset": "openspiel", "messages": false})"},
      {"deal-or-no-deal", R"({"preset": "openspiel", "messages": true})"},
      {"english-auction", R"({"everyone": {"learning": true}})"},
      {"clock-auction", R"({"rounds": 2, "written": true})"},
      {"clock-auction", R"({"preset": "dutch", "rounds": 2, "written": true})"},
  };
  for (const auto& [game, settings] : more)
    for (std::uint64_t luck = 1; luck <= 2; ++luck) play(typist, seam::Scene(game, settings), luck);
  const Game ultimatum =
      game<&ultimatum_game::play>("ultimatum", {.title = "Ultimatum", .seats = {2, 2}});
  for (std::uint64_t luck = 1; luck <= 2; ++luck) play(typist, seam::Scene(ultimatum), luck);

  for (const Game* game : seam::catalogue().all<Game>())
    for (const StageCard& stage : game->stages) {
      INFO(game->id << " " << stage.name);
      CHECK(typist.forms.contains(std::string(game->id) + "." + std::string(stage.name)));
    }
  CHECK(typist.forms.contains("ultimatum.offer"));
  CHECK(typist.forms.contains("ultimatum.reply"));
  CHECK(typist.edges > 2'000);
  CHECK(typist.ended > 20);
  if (std::getenv("AGON_FORMS") != nullptr)
    WARN(std::to_string(typist.typed_in_browser) +
         " answers that were typed in a browser were read");
}

TEST_CASE("answers that end a match for who gives them are known for what they are") {
  const auto ends = [](const std::string& game, std::string_view stage, std::string_view json) {
    for (const StageCard& card : seam::catalogue().game(game).stages) {
      if (card.name != stage) continue;
      const Value value(*card.answer);
      REQUIRE_FALSE(read_json(*card.answer, const_cast<void*>(value.get()), json));
      return card.ends != nullptr && card.ends(value.get());
    }
    FAIL("no such stage");
    return false;
  };
  for (const char* stage : {"buy", "sell"}) {
    CHECK(ends("bargaining", stage, R"({"talk":"","action":{"kind":"deal","price":5}})"));
    CHECK(ends("bargaining", stage, R"({"talk":"","action":{"kind":"quit"}})"));
    CHECK_FALSE(ends("bargaining", stage, R"({"talk":"","action":{"kind":"reject"}})"));
    CHECK_FALSE(ends("bargaining", stage, R"({"talk":"","action":{"kind":"buy","price":5}})"));
  }
  CHECK(ends("deal-or-no-deal", "move", R"({"action":{"kind":"agree"}})"));
  CHECK_FALSE(ends("deal-or-no-deal", "move", R"({"action":{"kind":"offer","keep":[1]}})"));
  CHECK(ends("deal-or-no-deal", "spoken-move", R"({"text":"","action":{"kind":"agree"}})"));
  CHECK(ends("deal-or-no-deal", "take", R"({"choice":{"kind":"take","items":[1]}})"));
  CHECK(ends("deal-or-no-deal", "take", R"({"choice":{"kind":"no_deal"}})"));
  CHECK_FALSE(ends("deal-or-no-deal", "message", R"({"text":"","proposal":null,"halt":true})"));
  // For one item only.
  CHECK_FALSE(ends("english-auction", "bid", R"({"move":{"kind":"withdraw"}})"));
}

}  // namespace forms_test
