import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readSource, type ReadJob } from './read-source.ts'

/** The message to this process. It answers once and then ends. */
export type ProcessJob = ReadJob & { memoryMb: number }

/** How often to check the memory, in ms. Growth of a gigabyte per second adds 25 MB in this time. */
const LOOK_MS = 25
/** How long to wait for the last message to be sent, in ms. */
const LEAVE_MS = 100

type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

if (isMainThread) watchReading()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
else void readSource(workerData as ReadJob).then(outcome => parentPort?.postMessage(outcome))

/** Read in a thread, so that this thread can always watch the memory use. It ends both. */
function watchReading(): void {
  process.title = 'talaria-reader'
  const { parentPort: utility } = process as { parentPort?: ParentPort }
  const answer = (outcome: unknown) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    if (utility) utility.postMessage(outcome)
    else process.send?.(outcome)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LEAVE_MS)
  }
  const begin = (job: ProcessJob) => {
    const outOfMemory = { refused: `needs more than ${job.memoryMb} MB of memory, so it is not read` }
    const thread = new Worker(new URL(import.meta.url), {
      workerData: job,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: Math.round(job.memoryMb * 0.7), stackSizeMb: 4 },
    })
    const look = setInterval(() => lookAtMemory(), LOOK_MS)
    const lookAtMemory = () => {
      if (process.memoryUsage.rss() < job.memoryMb * 1_048_576) return
      clearInterval(look)
      answer(outOfMemory)
      void thread.terminate()
    }
    lookAtMemory()
    thread.once('message', outcome => {
      clearInterval(look)
      answer(outcome)
    })
    thread.once('error', error =>
      answer(
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? outOfMemory
          : { refused: `cannot be read: it broke its reader (${error.message.slice(0, 120)})` },
      ),
    )
  }
  if (utility) utility.on('message', event => begin(event.data as ProcessJob))
  else {
    process.once('message', message => begin(message as ProcessJob))
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  }
}
