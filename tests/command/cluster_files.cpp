// The files of scenarios/cluster, with stand-ins for what schedules them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace fs = std::filesystem;

namespace {

constexpr const char* kSuite = R"({"suite": "small", "seed": 5,
  "agents": {"floor": "random", "reference": {"rule": {"bargaining": "time-dependent"}}},
  "scenarios": [{"game": "bargaining", "blocks": 7}]})";

/// What sbatch does, at once: a task of an array after the other, under its variables.
constexpr const char* kSbatch = R"(#!/usr/bin/env bash
set -eu
tasks= dependency=
for word in "$@"; do
  case $word in
    --array=*) tasks=${word#--array=} ;;
    --dependency=*) dependency=${word#--dependency=} ;;
  esac
done
script=$(mktemp)
cat > "$script"
if [[ -n $tasks ]]; then
  export SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_MIN=${tasks%-*} SLURM_ARRAY_TASK_MAX=${tasks#*-}
  export SLURM_ARRAY_TASK_STEP=1
  export SLURM_ARRAY_TASK_COUNT=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
  for ((id = SLURM_ARRAY_TASK_MIN; id <= SLURM_ARRAY_TASK_MAX; ++id)); do
    SLURM_ARRAY_TASK_ID=$id bash "$script" >&2 || echo "task $id ended with $?" >> failed
  done
  echo "77;cluster"
else
  [[ $dependency == afterok:77 && ! -e failed ]]
  bash "$script"
fi
rm "$script"
)";

void make_program(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_all);
}

/// Runs a script of scenarios/cluster in the folder, where `agon` and the stand-ins are found.
int run_script(const Folder& folder, const std::string& words) {
  const std::string source = AGON_TEST_SOURCE;
  return std::system(("cd '" + folder.path().string() + "' && PATH=\"$PWD/bin:$PATH\" && bash '" +
                      source + "/scenarios/cluster/'" + words + " > told 2>&1 < /dev/null")
                         .c_str());
}

void make_folder(const Folder& folder) {
  folder.write("mine.json", kSuite);
  fs::create_directory(folder.at("bin"));
  make_program(folder.at("bin/agon"), "#!/bin/sh\nexec '" + command_path() + "' \"$@\"\n");
  REQUIRE(folder.agon({"run", "mine.json", "--out", "whole.agon", "--quiet"}).code == 0);
}

}  // namespace

TEST_CASE("the script for Slurm plays an array of shards and merges them") {
  const Folder folder;
  make_folder(folder);
  make_program(folder.at("bin/sbatch"), kSbatch);
  const int code = run_script(folder, "slurm.sh mine.json 3 --time=1:00");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK_FALSE(folder.has("failed"));
  CHECK(content(folder, "mine.agon") == content(folder, "whole.agon"));
}

TEST_CASE("the script for GNU parallel plays shards and merges them") {
  if (std::system("parallel --version 2>/dev/null | grep -q 'GNU parallel'") != 0)
    SKIP("there is no GNU parallel here");
  const Folder folder;
  make_folder(folder);
  const int code = run_script(folder, "parallel.sh mine.json 3 --jobs 2");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK(content(folder, "mine.agon") == content(folder, "whole.agon"));
}

TEST_CASE("the workflow for Snakemake plays shards, merges and reports") {
  if (std::system("snakemake --version > /dev/null 2>&1") != 0) SKIP("there is no Snakemake here");
  const Folder folder;
  make_folder(folder);
  const std::string source = AGON_TEST_SOURCE;
  const int code = std::system(
      ("cd '" + folder.path().string() + "' && PATH=\"$PWD/bin:$PATH\" && snakemake --snakefile '" +
       source + "/scenarios/cluster/Snakefile' --cores 2 --config suite=mine.json shards=3 " +
       "> told 2>&1 < /dev/null")
          .c_str());
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK(content(folder, "merged.agon") == content(folder, "whole.agon"));
  CHECK(folder.has("report.html"));
}
