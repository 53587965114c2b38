import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createCleaner, createOutputRing, createSecretFilter, createShow } from './command-output.ts'
import { findLeft, leftByWatch, RUN_MARK, type Left } from './left-running.ts'
import { endGroup, startCommand } from './process-group.ts'
import { createScreen } from './screen.ts'
import type { ConfinedStart } from '../confinement/open-confinement.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'

/** Keys of skills. `given`: variables of the command. `secrets`: redacted in its output. */
export type CommandKeys = { given: Readonly<Record<string, string>>; secrets: readonly string[] }

type CommandRun = {
  command: string
  folder: string
  timeoutMs: number
  signal: AbortSignal
  /** How to start the command confined. */
  confined?: ConfinedStart
  keys?: CommandKeys | undefined
  /** Gets the output of the running command, a few times a second. */
  output(text: string): void
}

/** The output of a command: the last state of each line. */
type Printed = {
  output: string
  /** How many characters of the middle were discarded. */
  dropped: number
  /** Some text was overwritten. */
  isRedrawn: boolean
  /** The program drew on the whole screen of a terminal, as editors do. */
  isFullScreen: boolean
}

/**
 * How a command ended, and its output until then. `left`: processes that it had started and that were still
 * running. `gone` resolves when the killed processes have ended.
 */
export type Ran = Printed &
  (
    | { how: 'exited'; code: number; left: Left | undefined }
    | { how: 'stopped'; gone: Promise<unknown> }
    | { how: 'late'; gone: Promise<unknown> }
    | { how: 'exceeded'; reason: string; gone: Promise<unknown> }
  )

type CommandEnd = Ran | { how: 'not started'; reason: string } | { how: 'not confined'; reason: string }

const NOTHING: Printed = { output: '', dropped: 0, isRedrawn: false, isFullScreen: false }

/** After the shell exits, output is read until none arrives for `QUIET_MS`, but at most for `LINGER_MS`. */
const QUIET_MS = 60
const LINGER_MS = 1_000

/**
 * Run a shell command without input. Cancellation and time-out return immediately and end the process group
 * in the background. Background processes that the command starts are not awaited and keep running.
 */
export function runCommand({
  command,
  folder,
  timeoutMs,
  signal,
  confined,
  keys,
  output,
}: CommandRun): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>()
  if (signal.aborted) return Promise.resolve({ how: 'stopped', gone: Promise.resolve(), ...NOTHING })
  const mark = randomUUID()
  const child = startCommand(command, folder, confined, {
    env: { ...keys?.given, [RUN_MARK]: mark },
    reports: true,
  })
  const gone = Promise.withResolvers<void>()
  child.once('exit', () => gone.resolve())
  child.once('error', () => gone.resolve())
  const hasStarted = followStart(child, confined)
  const streams = [child.stdout, child.stderr].flatMap(stream => stream ?? [])
  const leftInside = confined && leftByWatch(child)
  const ring = createOutputRing()
  const redact = createSecretFilter(keys?.secrets)
  const screen = createScreen(text => ring.add(redact(text)))
  const show = createShow(text => tidyUp('show the output of a command', () => output(text)))
  let lastPieceAt = 0
  let ended = false

  /** Complete the output, and return it. */
  const printed = (): Printed => {
    screen.finish()
    ring.add(redact('', true))
    const { isRedrawn, isFullScreen } = screen
    return { output: ring.text(), dropped: ring.dropped, isRedrawn, isFullScreen }
  }
  const finish = (end: CommandEnd) => {
    ended = true
    clearTimeout(timer)
    tidyUp('end the watch of a command', endWatch)
    signal.removeEventListener('abort', stop)
    show.end()
    streams.forEach(release)
    resolve(end)
  }
  const end = (how: 'exited' | 'stopped' | 'late', code: number) => {
    if (ended) return
    if (how !== 'exited') {
      endGroup(child)
      return finish({ how, gone: gone.promise, ...printed() })
    }
    // A killed command may have run, even if it did not report its start.
    if (code < 128 && !hasStarted())
      return finish({ how: 'not confined', reason: printed().output.trim().slice(0, 500) })
    const look = () => (leftInside ? leftInside() : findLeft(child.pid, mark))
    const left = tidyUp('look for what a command left running', look)
    finish({ how, code, left, ...printed() })
  }
  const stop = () => end('stopped', 0)
  const timer = setTimeout(() => end('late', 0), timeoutMs)
  signal.addEventListener('abort', stop)
  const endWatch =
    (child.pid !== undefined &&
      confined?.watch(child.pid, reason => {
        if (ended) return
        endGroup(child)
        finish({ how: 'exceeded', reason, gone: gone.promise, ...printed() })
      })) ||
    (() => undefined)

  for (const stream of streams) {
    const decoder = new StringDecoder('utf8')
    const clean = createCleaner(keys?.secrets)
    const draw = screen.input()
    const read = (text: string, isLast: boolean) => {
      draw(text)
      if (!show.isFull) show.add(clean(text, isLast))
    }
    const take = (text: string, isLast = false) =>
      ended || tidyUp('read the output of a command', () => read(text, isLast))
    stream.on('data', (bytes: Buffer) => {
      lastPieceAt = performance.now()
      take(decoder.write(bytes))
    })
    stream.on('end', () => take(decoder.end(), true))
  }
  child.on('error', error => {
    if (!ended) finish({ how: 'not started', reason: error.message })
  })
  child.on('exit', (code, name) => {
    const status = code ?? 128 + (name ? constants.signals[name] : 0)
    // A background child keeps the pipes open, so `end` may never be emitted.
    const exitedAt = performance.now()
    const watch = setInterval(() => {
      const now = performance.now()
      const isQuiet = now - Math.max(lastPieceAt, exitedAt) >= QUIET_MS
      if (isQuiet || now - exitedAt > LINGER_MS) end('exited', status)
      if (ended) clearInterval(watch)
    }, QUIET_MS)
    child.on('close', () => {
      clearInterval(watch)
      end('exited', status)
    })
  })
  return promise
}

/** Follow whether a command started. Only if so, bubblewrap reports an exit code; see bwrap(1). */
export function followStart({ stdio }: ChildProcess, confined: ConfinedStart | undefined): () => boolean {
  if (!confined?.reportsStart) return () => true
  let status = ''
  const report = stdio[3] as Readable | null | undefined
  report?.on('data', (bytes: Buffer) => (status += bytes.toString('latin1').slice(0, 4_000)))
  return () => status.includes('"exit-code"')
}

/**
 * Keep reading and discard the output, because a closed pipe would kill a background server. The stream must
 * not keep this process alive.
 */
function release(stream: Readable & { unref?(): void }): void {
  if (stream.destroyed) return
  stream.removeAllListeners('data')
  stream.resume()
  stream.unref?.()
}
