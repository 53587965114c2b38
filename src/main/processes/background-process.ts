import { StringDecoder } from 'node:string_decoder'
import type { Readable } from 'node:stream'
import type { BackgroundProcess } from '../../shared/contract/runs/processes.ts'
import type { ConfinedStart } from '../confinement/open-confinement.ts'
import type { Guard } from '../confinement/obeyed/guard/create-guards.ts'
import { keepLooking } from '../confinement/obeyed/guard/keep-looking.ts'
import { createTopic, type Topic } from '../lib/topic.ts'
import { redactKnown } from '../untrusted/redact.ts'
import { tidyUp, tidyUpLater } from '../lib/processes/tidy-up.ts'
import { debounce, withinTime, type Clock } from '../lib/timing.ts'
import { createCleaner, createSecretFilter } from '../commands/command-output.ts'
import { type CommandKeys, followStart } from '../commands/run-command.ts'
import { startCommand } from '../commands/process-group.ts'
import { createScreen, type ScreenRow } from '../commands/screen.ts'
import { endFamily, MARK } from '../commands/end-family.ts'
import type { Forward } from './forward-port.ts'
import { createOutputTail, type OutputTail } from './output-tail.ts'

/** The facts about a process, without the title of its chat. */
export type ProcessFacts = Omit<BackgroundProcess, 'chat'>

/** A command running in the background. */
export type Background = {
  facts(): ProcessFacts
  output: OutputTail
  /** For the model: the output since the last call. */
  readNew(): { text: string; dropped: number }
  /** For the model: sentences on changes of obeyed files since the last call. */
  readObeyed(): string[]
  /** Published if the state changes or output arrives, at most several times a second. */
  changes: Topic<'state' | 'output'>
  /** The process id of the group leader; undefined if the command could not be started. */
  leader: number | undefined
  /** End the process and everything it started. Resolves once it has ended. */
  stop(): Promise<void>
  /** Resolves once the process has ended. `started` is false if it could not be confined or started. */
  ended: Promise<{ started: boolean }>
}

export type BackgroundStart = Pick<ProcessFacts, 'id' | 'sessionId' | 'command' | 'folder' | 'access'> & {
  /** The value of the environment variable that marks the processes of this command. */
  mark: string
  confined?: ConfinedStart | undefined
  /** The address of the command's port, and what forwards it. */
  address: string | null
  forward?: Forward | undefined
  /** Keys for the command's environment, which are redacted in the output. */
  keys?: CommandKeys | undefined
  /** Watches the obeyed files. */
  guard?: Guard | undefined
  now: Clock
}

/** How long to wait for a pipe that something else keeps open, in ms. */
const LINGER_MS = 1_000
const OUTPUT_PAUSE = { idleMs: 40, maxMs: 120 }

/** Start a command that runs on after its call. Its input stays open, since many watchers exit without it. */
export function startBackground(given: BackgroundStart): Background {
  const { mark, confined, forward, keys, guard, now, ...known } = given
  const child = startCommand(given.command, given.folder, confined, {
    env: { ...keys?.given, [MARK]: mark },
    stdin: 'pipe',
  })
  const hasStarted = followStart(child, confined)
  const output = createOutputTail()
  const reader = createReader(keys?.secrets)
  const changes = createTopic<'state' | 'output'>()
  const printed = debounce(() => tidyUp('tell of output', () => changes.publish('output')), OUTPUT_PAUSE)
  const facts: ProcessFacts = {
    ...known,
    state: 'running',
    exitCode: null,
    startedAt: now(),
    endedAt: null,
    leftover: 0,
  }
  const exited = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<{ started: boolean }>()
  let failure: string | undefined
  let finishing: Promise<void> | undefined

  for (const stream of [child.stdout, child.stderr]) collect(stream)
  child.on('error', error => {
    failure = error.message
    if (child.pid === undefined) void finish(null)
  })
  child.on('close', () => closed.resolve())
  child.on('exit', code => {
    exited.resolve()
    void finish(code)
  })

  function collect(stream: Readable | null) {
    if (!stream) return
    const decoder = new StringDecoder('utf8')
    const clean = createCleaner(keys?.secrets)
    const draw = reader.input()
    const read = (text: string, isLast: boolean) => {
      draw(text)
      const shown = clean(text, isLast)
      if (shown === '') return
      output.add(shown)
      printed.request()
    }
    const take = (text: string, isLast = false) =>
      tidyUp('read the output of a process', () => read(text, isLast))
    stream.on('data', (bytes: Buffer) => take(decoder.write(bytes)))
    stream.on('end', () => take(decoder.end(), true))
  }

  const endRest = async () => {
    if (child.pid === undefined) return
    const family = { leader: child.pid, mark, spareLeader: confined !== undefined }
    facts.leftover = (await tidyUpLater('end a background process', () => endFamily(family))) ?? 0
  }

  const endWatch =
    child.pid === undefined
      ? undefined
      : confined?.watch(child.pid, why => {
          say(`\n[It was ended because ${why}.]\n`)
          void endRest()
        })
  const lookout =
    guard &&
    keepLooking(guard, {
      found() {
        facts.obeyed = [...lookout!.changes()]
        changes.publish('state')
      },
      endIt(why) {
        say(`\n[It was ended because ${why}.]\n`)
        void endRest()
      },
    })
  const sayToReader = reader.input()
  function say(text: string) {
    output.add(text)
    sayToReader(text)
  }

  const finish = (code: number | null) => (finishing ??= finishNow(code))

  /** End everything that the command started, confined or not, and clean up. */
  async function finishNow(code: number | null) {
    tidyUp('end the watch of a process', () => endWatch?.())
    await endRest()
    lookout?.end()
    confined?.cleanUp()
    if (child.pid !== undefined) await withinTime(LINGER_MS, closed.promise)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    tidyUp('end a forwarded port', () => forward?.close())
    printed.cancel()
    if (failure !== undefined) say(`It did not start: ${failure}.\n`)
    facts.state = facts.state === 'stopping' ? 'stopped' : 'exited'
    facts.exitCode = code
    facts.endedAt = now()
    facts.address = null
    tidyUp('tell that a process ended', () => changes.publish('state'))
    ended.resolve({ started: failure === undefined && (facts.state === 'stopped' || hasStarted()) })
  }

  return {
    facts: () => ({ ...facts }),
    output,
    changes,
    leader: child.pid,
    ended: ended.promise,
    readNew: () => reader.readNew(),
    readObeyed() {
      lookout?.look()
      return lookout?.news() ?? []
    },
    async stop() {
      if (facts.state === 'running') {
        facts.state = 'stopping'
        tidyUp('tell that a process is stopped', () => changes.publish('state'))
        await endRest()
        // Do not wait for a process that cannot be ended.
        await withinTime(LINGER_MS, exited.promise)
      }
      await finish(null)
    },
  }
}

/** Create the model's view of the output: what is new since the last read. Changed lines come again. */
function createReader(secrets: readonly string[] = []) {
  const final = createOutputTail()
  const redact = createSecretFilter(secrets)
  let readUpTo = 0
  let seen = new Map<ScreenRow, string>()
  const screen = createScreen((text, row) => {
    if (row && seen.get(row) === row.text()) return
    final.add(redact(text))
  })
  return {
    input: screen.input,
    readNew() {
      const { text, dropped } = final.since(readUpTo)
      readUpTo = final.end
      const rows = screen.rows()
      const changed = rows.filter(({ row }) => seen.get(row) !== row.text())
      seen = new Map(rows.map(({ row }) => [row, row.text()]))
      const lines = changed.map(({ row, isLast }) => row.text() + (isLast ? '' : '\n'))
      return { text: text + redactKnown(lines.join(''), secrets), dropped }
    },
  }
}
