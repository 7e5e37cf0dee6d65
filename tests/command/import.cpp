#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

constexpr const char* kTagged =
    "<input> 1 4 2 3 3 0 </input> <dialogue> YOU: mine <eos> THEM: fine <eos> YOU: <selection> "
    "</dialogue> <output> item0=1 item1=0 item2=3 item0=0 item1=2 item2=0 </output> "
    "<partner_input> 1 0 2 2 3 2 </partner_input>\n"
    "<input> 1 4 2 3 3 0 </input> <dialogue> YOU: no <eos> THEM: <selection> </dialogue> <output> "
    "<no_agreement> <no_agreement> <no_agreement> <no_agreement> <no_agreement> <no_agreement> "
    "</output> <partner_input> 1 0 2 2 3 2 </partner_input>\n";
constexpr const char* kFlat =
    "1 4 2 3 3 0 YOU: mine <eos> THEM: <selection> item0=1 item1=0 item2=3 <eos> reward=4 agree "
    "1 0 2 2 3 2\n"
    "1 4 2 3 3 0 YOU: no <eos> THEM: <selection> no agreement <eos> reward=0 agree 1 0 2 2 3 2\n";
constexpr const char* kPairs = "1 4 2 3 3 0\n1 0 2 2 3 2\n2 1 2 2 1 4\n2 3 2 0 1 4\n";
constexpr const char* kPools = "1,2,3 4,3,0 0,2,2\n2,2,1 1,2,4 3,0,4\n";
constexpr const char* kMusic = R"([
  {"title": "A", "list_price": "$10.50", "highest_price": "$12.00", "lowest_price": "$4.25",
   "category": "music", "description": "a quiet record", "features": ""},
  {"title": "B", "list_price": "$1,010.50", "highest_price": "$1,000.00",
   "lowest_price": "$904.25", "category": "music", "description": "", "features": "a loud record"}
])";

}  // namespace

TEST_CASE("Deal or No Deal files of every kind, told apart by their content") {
  const Folder folder;
  for (const auto& [name, text] : {std::pair("tagged", kTagged), std::pair("flat", kFlat),
                                   std::pair("pairs", kPairs), std::pair("pools", kPools)}) {
    INFO(name);
    folder.write("in.txt", text);
    const Ended imported =
        folder.succeeds({"import", "deal-or-no-deal", "in.txt", "--out", "in.json"});
    CHECK(imported.out.empty());
    CHECK(contains(imported.err, "2 instances"));
    CHECK(folder.agon({"import", "deal-or-no-deal", "in.txt"}).out == folder.read("in.json"));
    const auto json = json_of(folder.read("in.json"));
    CHECK(json.at("version").to_number<int>() == 1);
    REQUIRE(json.at("rows").as_array().size() == 2);
    const auto& row = json.at("rows").at(0);
    CHECK(boost::json::serialize(row.at("counts")) == "[1,2,3]");
    CHECK(boost::json::serialize(row.at("values")) == "[[4,3,0],[0,2,2]]");
    CHECK(row.as_object().contains("human") == (text == kTagged || text == kFlat));
    CHECK_FALSE(folder.has("in.json.part"));
    // What is no ordinary file is not replaced by one.
    for (const auto& [device, code] : {std::pair("/dev/null", 0), std::pair("/dev/full", 1)}) {
      std::filesystem::remove(folder.at("device"));
      std::filesystem::create_symlink(device, folder.at("device"));
      CHECK(folder.agon({"import", "deal-or-no-deal", "in.txt", "--out", "device"}).code == code);
      CHECK(std::filesystem::is_symlink(folder.at("device")));
    }

    // The file is then played from.
    folder.write("s.json",
                 suite(R"({"game": "deal-or-no-deal", "set": {"instances": "in.json"}, "blocks": 3},
                                    {"game": "deal-or-no-deal", "set": {"instances": "in.json", "instance": 0}})"));
    folder.succeeds({"run", "s.json", "--out", std::string(name) + ".agon"});
    CHECK(folder.agon({"replay", std::string(name) + ".agon"}).code == 0);
  }
}

TEST_CASE("bad rows are named, and the good ones are kept: exit code 5") {
  const Folder folder;
  const std::vector<std::pair<std::string, std::string>> all{
      {std::string(kTagged) + "<input> 1 4 2 3 3 </input> <dialogue> YOU: x </dialogue>\n",
       "in.txt:3: "},
      {std::string(kFlat) + "1 4 2 3\n", "in.txt:3: "},
      {std::string(kPools) + "1,2,3 4,3,0\n1,2,3 4,3,x 0,2,2\n", "in.txt:4: "},
      {std::string(kPairs) + "1 4 2 3 3 0\n", "in.txt:5: "},
  };
  for (const auto& [text, place] : all) {
    folder.write("in.txt", text);
    const Ended imported =
        folder.refuses({"import", "deal-or-no-deal", "in.txt", "--out", "in.json"}, 5, {place});
    CHECK((contains(imported.err, "1 bad row was left out") ||
           contains(imported.err, "2 bad rows were left out")));
    CHECK(json_of(folder.read("in.json")).at("rows").as_array().size() == 2);
  }
  // Nothing that looks like any of the formats, bytes that are no text, and no rows at all.
  folder.write("in.txt", "Once upon a time\n");
  CHECK(folder.agon({"import", "deal-or-no-deal", "in.txt"}).code == 5);
  folder.write("in.txt", "\xff\xfe 1 2 3\n");
  CHECK(folder.agon({"import", "deal-or-no-deal", "in.txt"}).code == 5);
  folder.write("in.txt", "");
  CHECK(folder.agon({"import", "deal-or-no-deal", "in.txt"}).code == 5);
}

TEST_CASE("many bad rows take no longer each, and the first hundred are told") {
  // With a look through the file for each of them this took hours.
  const Folder folder;
  std::string text = "[\n";
  for (int i = 0; i < 100'000; ++i) text += "{\"category\": 1},\n";
  folder.write("bad.json", text + "{}]");
  const Ended imported =
      folder.refuses({"import", "amazon-history-price", "bad.json", "--out", "products.json"}, 5,
                     {"bad.json:2: \"category\" is not a text\n", "bad.json:101: "});
  CHECK_FALSE(contains(imported.err, "bad.json:102: "));
  check_has(imported.err, {"and 99901 more\n", "100001 bad rows were left out, named above\n"});
}

TEST_CASE("price histories: a folder of categories") {
  const Folder folder;
  folder.write("prices/music.json", kMusic);
  folder.write("prices/LICENSE.txt", "not a category");
  const Ended imported =
      folder.succeeds({"import", "amazon-history-price", "prices", "--out", "products.json"});
  check_has(imported.err, {"2 products", "1 have mutual and 1 conflicting interest"});
  const auto rows = json_of(folder.read("products.json")).at("rows");
  REQUIRE(rows.as_array().size() == 2);
  // The list price is the higher of list and highest; a description too short gives way to
  // features.
  CHECK(rows.at(0).at("codename").as_string() == "music_1");
  CHECK(rows.at(0).at("list_price_cents").to_number<int>() == 1200);
  CHECK(rows.at(0).at("cost_cents").to_number<int>() == 425);
  CHECK(rows.at(1).at("list_price_cents").to_number<int>() == 101050);
  CHECK(rows.at(1).at("description").as_string() == "a loud record");

  folder.write("s.json", suite(R"({"game": "bargaining", "set": {"products": "products.json"}})"));
  CHECK(folder.agon({"run", "s.json"}).code == 0);
  CHECK(contains(folder.agon({"show", "s.agon", "1"}).out, "music_"));

  // The imported file is checked when it is used.
  std::string wrong = folder.read("products.json");
  wrong.replace(wrong.find("\"cost_cents\": 425"), 17, "\"cost_cents\": -25");
  folder.write("products.json", wrong);
  folder.refuses({"run", "s.json"}, 5, {"cost_cents"});

  std::string bad = kMusic;
  bad.replace(bad.find("$904.25"), 7, "cheaply");
  folder.write("prices/music.json", bad);
  const Ended some = folder.refuses({"import", "amazon-history-price", "prices"}, 5,
                                    {"music.json:4: ", "cheaply"});
  CHECK(json_of(some.out).at("rows").as_array().size() == 1);

  std::filesystem::create_directory(folder.at("none"));
  CHECK(folder.agon({"import", "amazon-history-price", "none"}).code == 3);
  CHECK(folder.agon({"import", "amazon-history-price", "nowhere"}).code == 3);
}

TEST_CASE("the published data, by the command") {
  const std::filesystem::path data = published_data();
  const Folder folder;
  const Ended products =
      folder.succeeds({"import", "amazon-history-price", (data / "amazon-history-price").string(),
                       "--out", "p.json"});
  check_has(products.err,
            {"930 products from 18 files", "886 have mutual and 44 conflicting interest"});
  CHECK(json_of(folder.read("p.json")).at("rows").as_array().size() == 930);
  folder.write("s.json", suite(R"({"game": "bargaining", "preset": "paper",
                                   "set": {"products": "p.json"}, "blocks": 10})"));
  CHECK(folder.agon({"run", "s.json"}).code == 0);

  const std::vector<std::pair<std::string, std::size_t>> files{
      {"deal-or-no-deal/test.txt", 1052},
      {"deal-or-no-deal/val.txt", 1087},
      {"deal-or-no-deal/selfplay.txt", 4086},
      {"open-spiel-bargaining/bargaining_instances1000.txt", 1000},
      {"game-theory-llm/sampled_50_deal_no_deal.txt", 50}};
  for (const auto& [file, rows] : files) {
    const Ended imported =
        folder.agon({"import", "deal-or-no-deal", (data / file).string(), "--out", "d.json"});
    INFO(file << ": " << imported.err);
    CHECK(imported.code == 0);
    CHECK(json_of(folder.read("d.json")).at("rows").as_array().size() == rows);
  }
  folder.write("t.json", suite(R"({"game": "deal-or-no-deal", "set": {"instances": "d.json"},
                                   "blocks": 10})"));
  CHECK(folder.agon({"run", "t.json"}).code == 0);
}

TEST_CASE("one's own importer is a Python file that is named") {
  const Folder folder;
  folder.write("in.csv", "steel,100\nwood,x\n\xff,1\n");
  const auto mine = [&](const std::string& returned) {
    folder.write("mine.py", R"(import agon
def read(files):
    imported, rows = agon.Imported(), []
    for number, line in files[0].lines():
        name, _, price = line.partition(",")
        if price.isdigit():
            rows.append({"name": name.encode("utf-8", "backslashreplace").decode(), "price": int(price)})
        else:
            imported.bad_rows.append(agon.BadRow(files[0].name, number, f"{price} is no number"))
    imported.data = agon.write_data_file("agon.test.things", 1, rows)
)" + returned + "\nagon.importer(\"mine\", \"reads lines\", read)\n");
    return folder.agon({"import", "./mine.py", "in.csv"});
  };
  const Ended made = mine("    return imported");
  INFO(made.err);
  CHECK(made.code == 5);
  CHECK(contains(made.err, "in.csv:2: x is no number\n"));
  CHECK(json_of(made.out).at("rows").as_array().size() == 2);
  CHECK(json_of(made.out).at("rows").at(1).at("name").as_string() == "\\udcff");
  CHECK(folder.agon({"import", "mine.py:mine", "in.csv"}).out == made.out);
  CHECK(contains(folder.agon({"import", "mine.py:other", "in.csv"}).err, "brings no importer"));
  CHECK(contains(folder.agon({"list", "importers", "--plugin", "mine.py"}).out, "reads lines"));

  const Ended broken = mine("    return 1 / 0");
  CHECK(broken.code == 1);
  check_has(broken.err, {"importer 'mine': the importer threw: ZeroDivisionError", "(mine.py:11)"});
  const Ended wrong = mine("    return agon.Imported(summary=5)");
  CHECK(contains(wrong.err, "mine.py ($.summary): what importer 'mine' returns: "));
  CHECK(contains(mine("    imported.scenes = []\n    return imported").err, "($.scenes)"));
  // It reads what lies beside it, and nothing else.
  const Folder elsewhere;
  elsewhere.write("secret", "x");
  CHECK(contains(mine("    return open('" + elsewhere.at("secret").string() + "')").err,
                 "PermissionError"));
  CHECK(contains(mine("    raise agon.Refused('it is cut', 'in.csv:3', 'fetch it')").err,
                 "in.csv:3: it is cut\nhint: fetch it"));
}
