import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { endOnUncaughtErrors } from '../../../../lib/processes/uncaught-errors.ts'
import { answerBinaryTest } from './answer-binary-test.ts'
import type { FromEngine } from './protocol.ts'
import { serveEngine, type EnginePort } from './serve-engine.ts'

/** Electron's replacement, in a utility process, for Node's own pipe to the parent. */
type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

process.title = 'talaria-engine'
const { parentPort } = process as { parentPort?: ParentPort }

/** Time for a last message to be delivered, in ms. A utility process does not report delivery. */
const LEAVE_MS = 100

answerBinaryTest()
const port = parentPort ? portOfUtility(parentPort) : portOfFork()
endOnUncaughtErrors({
  report: error => port.post({ t: 'crash', trace: inspect(error) } satisfies FromEngine),
  finish: () => sleep(LEAVE_MS),
  // The host informs the user when the engine is gone.
  tell: () => undefined,
  exit: code => process.exit(code),
})
serveEngine(port)

function portOfUtility(parent: ParentPort): EnginePort {
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    post: message => parent.postMessage(message),
    onMessage: listener => parent.on('message', event => listener(event.data)),
  }
}

function portOfFork(): EnginePort {
  // An orphaned engine has no work. A clean exit would wait for native code to finish, so kill the process.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl+C reaches the whole process group. Ignore it: the host decides what to stop, and stops it cleanly.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  return {
    post: message => process.send?.(message),
    onMessage: listener => process.on('message', listener),
  }
}
