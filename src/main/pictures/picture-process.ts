import { setTimeout as sleep } from 'node:timers/promises'
import { isPictureJob, type PictureAnswer } from './picture-job.ts'
import { shrinkPicture } from './shrink-picture.ts'

/** Electron gives a utility process this port instead of Node's pipe to the parent. */
type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** Time between two checks of the memory use, in ms. Decoders work in other threads. */
const LOOK_MS = 25

process.title = 'talaria-pictures'
const { parentPort } = process as { parentPort?: ParentPort }
if (parentPort) parentPort.on('message', event => void work(event.data))
else {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.on('message', message => void work(message))
}

function say(answer: PictureAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
  if (parentPort) parentPort.postMessage(answer)
  else process.send?.(answer)
}

async function work(job: unknown): Promise<void> {
  if (!isPictureJob(job)) return
  const watch = new AbortController()
  void endAt(job.mostMemory, watch.signal)
  const picture = await shrinkPicture(job.bytes, job.header, job.longest).catch(() => undefined)
  watch.abort()
  say(picture ? { outcome: 'picture', picture } : { outcome: 'damaged' })
}

/** End this process if it takes too much memory. */
async function endAt(mostMemory: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (process.memoryUsage.rss() > mostMemory) {
      say({ outcome: 'memory' })
      // Wait for the answer to be sent.
      await sleep(LOOK_MS)
      process.kill(process.pid, 'SIGKILL')
    }
    await sleep(LOOK_MS)
  }
}
