import { workerData } from 'node:worker_threads'

// A thread beside the measured functions: it ends the process when a reading has taken too much processor
// time, which a timer in the reading thread could not do. Time by the clock would say nothing, because the
// machine does other things too.

/**
 * `begunMs`: one number, the processor time of the process at the start of the reading; Infinity while
 * nothing is read.
 */
export type Watched = { begunMs: Float64Array; mostMs: number }

const { begunMs, mostMs } = workerData as Watched

setInterval(() => {
  if (process.cpuUsage().user / 1_000 - begunMs[0]! > mostMs) process.kill(process.pid, 'SIGKILL')
}, 200)
