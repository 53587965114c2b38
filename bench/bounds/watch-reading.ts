import { workerData } from 'node:worker_threads'

// A thread beside the functions that are measured: it ends its process when one reading has taken too much processor time, which
// no timer of the thread that reads could. The time on the clock says nothing on a machine that does other things as well.

/** `begunMs`: one number, the processor time of the process when the reading began; Infinity while nothing is read. */
export type Watched = { begunMs: Float64Array; mostMs: number }

const { begunMs, mostMs } = workerData as Watched

setInterval(() => {
  if (process.cpuUsage().user / 1_000 - begunMs[0]! > mostMs) process.kill(process.pid, 'SIGKILL')
}, 200)
