// Plays a suite in shards and merges them:
//   nextflow run main.nf --suite suite.json --shards 16 --work_folder /scratch/me/agon
// Each try of a task has a folder of its own. The archives grow in --work_folder, which all tries
// find, so nothing that was paid for is lost.
params.suite = 'suite.json'
params.shards = 4
params.work_folder = "${launchDir}/agon-work"

process SHARD {
  cpus 4
  // Trying again is no use: wrong usage, a missing file, key or model, a wrong suite, or a cap
  // that was reached.
  errorStrategy { task.exitStatus in [2, 3, 4, 5, 7] ? 'terminate' : 'retry' }
  maxRetries 3

  input:
  val suite  // not a copy: files that it names are beside it
  val shard

  output:
  path "shard-${shard}.agon"

  script:
  """
  agon run ${suite} --shard ${shard}/${params.shards} --jobs ${task.cpus} --quiet \
    --work ${file(params.work_folder)} --out shard-${shard}.agon
  """
}

process MERGE {
  publishDir launchDir, mode: 'copy'

  input:
  path shards

  output:
  path 'merged.agon'
  path 'report.html'

  script:
  """
  agon merge merged.agon ${shards}
  agon report merged.agon --html report.html
  """
}

workflow {
  shards = channel.of(1..(params.shards as int))
  MERGE(SHARD(file(params.suite), shards).collect())
}
