import { fork } from 'node:child_process'
import { basename } from 'node:path'
import { many } from '../../shared/text/amounts.ts'
import { entryPath } from '../lib/disk/shipped-files.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'
import type { Reading, ReadRefusal } from './document.ts'
import type { ProcessJob } from './document-process.ts'

/** A process for one document. It sends one message, or ends without one. */
type ReaderChild = {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (how: string) => void): void
  kill(): void
}

/** Start a script as a process: `child_process.fork` on a server, `utilityProcess.fork` on the desktop. */
export type SpawnReader = (script: string, env: NodeJS.ProcessEnv, switches: string[]) => ReaderChild

export type ReadOptions = {
  /** The file's name if its path has another; the extension tells a table from other text. */
  name?: string
  /** Opens a locked document. It is never stored. */
  password?: string
  signal?: AbortSignal
  spawn?: SpawnReader
  /** @internal Shorter limits for tests. */
  limits?: Partial<typeof LIMITS>
}

const LIMITS = { timeMs: 20_000, memoryMb: 512 }
/** Share of the time limit after which a reader returns what it has. */
const SOFT_SHARE = 0.7
/** Maximum number of documents read at the same time; others wait. */
const MOST_AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

/**
 * Read a document of any kind in a separate process, which is killed if it takes too long or too much memory.
 * Never rejects. A refusal continues a sentence that starts with the name: “report.pdf” “is locked …”.
 */
export async function readDocument(path: string, options: ReadOptions = {}): Promise<Reading | ReadRefusal> {
  if (running < MOST_AT_ONCE) running++
  else await new Promise<void>(resolve => waiting.push(resolve))
  try {
    return await readInProcess(path, options)
  } finally {
    // The next document takes over this slot, so the count stays.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function readInProcess(path: string, options: ReadOptions): Promise<Reading | ReadRefusal> {
  const { name = basename(path), password, signal, spawn = forkReader } = options
  const { timeMs, memoryMb } = { ...LIMITS, ...options.limits }
  if (signal?.aborted) return STOPPED
  const outcome = Promise.withResolvers<Reading | ReadRefusal>()
  let child: ReaderChild
  try {
    child = spawn(entryPath('document-process'), {}, ['--max-semi-space-size=8'])
  } catch (error) {
    return { refused: `cannot be read: no process could be started (${String(error)})` }
  }
  child.onMessage(message => outcome.resolve(message as Reading | ReadRefusal))
  child.onExit(how =>
    outcome.resolve({ refused: `cannot be read: the process that read it has ended (${how})` }),
  )
  const seconds = many(Math.ceil(timeMs / 1_000), 'second')
  const timer = setTimeout(
    () => outcome.resolve({ refused: `takes longer than ${seconds} to read, so it is not read` }),
    timeMs,
  )
  const stop = () => outcome.resolve(STOPPED)
  signal?.addEventListener('abort', stop, { once: true })
  const until = Date.now() + timeMs * SOFT_SHARE
  child.post({
    path,
    name,
    until,
    memoryMb,
    ...(password !== undefined && { password }),
  } satisfies ProcessJob)
  try {
    return await outcome.promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.kill()
  }
}

const STOPPED: ReadRefusal = { refused: 'was not read: the reading was stopped' }

const forkReader: SpawnReader = (script, env, switches) => {
  const child = fork(script, [], {
    env,
    execArgv: switches,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<string>()
  child.once('exit', (code, signal) => ended.resolve(signal ?? String(code)))
  child.on('error', error => ended.resolve(error.message))
  return {
    post: message => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill: () => void tidyUp('end a reader', () => child.kill('SIGKILL')),
  }
}
