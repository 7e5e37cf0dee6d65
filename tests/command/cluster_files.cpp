// The files of scenarios/cluster, with stand-ins for what schedules them.
#include <cstdlib>
#include <filesystem>
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
    code=0
    SLURM_ARRAY_TASK_ID=$id bash "$script" >&2 &
    if [[ -e warned ]]; then
      signal=$(cat warned)
      rm warned
      until [[ -e begun ]]; do sleep 0.02; done
      kill -"$signal" $!
    fi
    wait $! || code=$?
    if [[ $code != 0 && -e requeued ]]; then
      code=0
      SLURM_ARRAY_TASK_ID=$id bash "$script" >&2 || code=$?
    fi
    [[ $code == 0 ]] || echo "task $id ended with $code" >> failed
  done
  echo "77;cluster"
else
  [[ $dependency == afterok:77 && ! -e failed ]]
  bash "$script"
fi
rm "$script"
)";

/// Runs a script of scenarios/cluster in the folder, where `agon` and the stand-ins are found.
int run_script(const Folder& folder, const std::string& words) {
  const std::string source = AGON_TEST_SOURCE;
  return shell(folder, "PATH=\"$PWD/bin:$PATH\" && bash '" + source + "/scenarios/cluster/'" +
                           words + " > told 2>&1 < /dev/null");
}

void make_folder(const Folder& folder) {
  folder.write("mine.json", kSuite);
  folder.write_program("bin/agon", "#!/bin/sh\nexec '" + command_path() + "' \"$@\"\n");
  REQUIRE(folder.agon({"run", "mine.json", "--out", "whole.agon", "--quiet"}).code == 0);
}

}  // namespace

TEST_CASE("the script for Slurm plays an array of shards and merges them") {
  const Folder folder;
  make_folder(folder);
  folder.write_program("bin/sbatch", kSbatch);
  const int code = run_script(folder, "slurm.sh mine.json 3 --time=1:00");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK_FALSE(folder.has("failed"));
  CHECK(content(folder, "mine.agon") == content(folder, "whole.agon"));
}

TEST_CASE("a task whose time is nearly over is queued again") {
  const Folder folder;
  make_folder(folder);
  folder.write_program("bin/sbatch", kSbatch);
  folder.write_program("bin/scontrol", "#!/bin/sh\necho \"$@\" >> requeued\n");
  // The first one plays until it is stopped.
  folder.write_program("bin/agon",
                       "#!/bin/sh\nif [ ! -e begun ]; then\n  trap 'exit 130' TERM\n  touch begun\n"
                       "  while :; do sleep 0.02; done\nfi\nexec '" +
                           command_path() + "' \"$@\"\n");
  folder.write("warned", "USR1");
  const int code = run_script(folder, "slurm.sh mine.json 3");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK(folder.read("requeued") == "requeue 77_1\n");
  CHECK_FALSE(folder.has("failed"));
  CHECK(content(folder, "mine.agon") == content(folder, "whole.agon"));
}

TEST_CASE("a task of Slurm that is cancelled stays cancelled; one that is killed is queued again") {
  const Folder folder;
  make_folder(folder);
  folder.write_program("bin/sbatch", kSbatch);
  folder.write_program("bin/scontrol", "#!/bin/sh\necho \"$@\" >> requeued\n");
  const std::string waits =
      "#!/bin/sh\nif [ ! -e begun ]; then\n  trap 'exit 143' TERM\n"
      "  touch begun\n  while :; do sleep 0.02; done\nfi\nexec '" +
      command_path() + "' \"$@\"\n";
  folder.write_program("bin/agon", waits);
  folder.write("warned", "TERM");
  CHECK(run_script(folder, "slurm.sh mine.json 3") != 0);
  CHECK_FALSE(folder.has("requeued"));
  CHECK(folder.read("failed") == "task 1 ended with 143\n");
  CHECK_FALSE(folder.has("mine.agon"));

  std::filesystem::remove(folder.at("failed"));
  folder.write_program(
      "bin/agon",
      "#!/bin/sh\nif [ ! -e killed ]; then\n  touch killed\n  kill -KILL $$\nfi\nexec '" +
          command_path() + "' \"$@\"\n");
  const int code = run_script(folder, "slurm.sh mine.json 3");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK(folder.read("requeued") == "requeue 77_1\n");
  CHECK(content(folder, "mine.agon") == content(folder, "whole.agon"));
}

TEST_CASE("the commands in the files for Kubernetes and Nextflow play shards") {
  const Folder folder;
  make_folder(folder);
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    INFO(from);
    REQUIRE(contains(text, from));
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to), at += to.size();
    return text;
  };
  const auto run = [&](const std::string& command) {
    const int code =
        shell(folder, "PATH=\"$PWD/bin:$PATH\"; " + command + " > told 2>&1 < /dev/null");
    INFO(folder.read("told"));
    CHECK(code == 0);
  };
  const fs::path files = fs::path(AGON_TEST_SOURCE) / "scenarios/cluster";
  const std::string job = read_file(files / "kubernetes.yaml");
  check_has(job, {"completions: 16 ", "kubernetes/16"});
  const std::size_t at = job.find("command: [agon");
  REQUIRE(at != std::string::npos);
  std::string command = job.substr(at + 10, job.find(']', at) - at - 10);
  command = replaced(command, ",", " ");
  command = replaced(command, "\n", " ");
  command = replaced(command, "/suite/suite.json", "mine.json");
  command = replaced(command, "kubernetes/16", "kubernetes/2");
  command = replaced(command, "/agon/", "");
  command = replaced(command, "$(JOB_COMPLETION_INDEX)", "$JOB_COMPLETION_INDEX");
  run("mkdir shards");
  for (const std::string index : {"0", "1"})
    run("export JOB_COMPLETION_INDEX=" + index + "; " + command);
  run("agon merge pods.agon shards/*.agon");
  CHECK(content(folder, "pods.agon") == content(folder, "whole.agon"));

  const std::string flow = read_file(files / "main.nf");
  const auto script = [&](const std::string& process) {
    const std::size_t begin = flow.find("\"\"\"", flow.find("process " + process)) + 3;
    return flow.substr(begin, flow.find("\"\"\"", begin) - begin);
  };
  std::string shard = replaced(script("SHARD"), "${suite}", "mine.json");
  shard = replaced(shard, "${params.shards}", "2");
  shard = replaced(shard, "${task.cpus}", "2");
  shard = replaced(shard, "${file(params.work_folder)}", "flow");
  for (const std::string n : {"1", "2"}) run("{ " + replaced(shard, "${shard}", n) + " }");
  run("{ " + replaced(script("MERGE"), "${shards}", "shard-1.agon shard-2.agon") + " }");
  CHECK(content(folder, "merged.agon") == content(folder, "whole.agon"));
  CHECK(folder.has("report.html"));
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
  const int code =
      shell(folder, "PATH=\"$PWD/bin:$PATH\" && snakemake --snakefile '" + source +
                        "/scenarios/cluster/Snakefile' --cores 2 --config suite=mine.json " +
                        "shards=3 > told 2>&1 < /dev/null");
  INFO(folder.read("told"));
  REQUIRE(code == 0);
  CHECK(content(folder, "merged.agon") == content(folder, "whole.agon"));
  CHECK(folder.has("report.html"));
}
