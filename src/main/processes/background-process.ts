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

/** What is known of a process beside the title of its chat. */
export type ProcessFacts = Omit<BackgroundProcess, 'chat'>

/** A command that was started in the background. */
export type Background = {
  facts(): ProcessFacts
  output: OutputTail
  /** For the model: what was printed since the last call. */
  readNew(): { text: string; dropped: number }
  /** For the model: what it did to files that programs obey, since the last call. */
  readObeyed(): string[]
  /** Published when the state changes or output was added, several times a second at most. */
  changes: Topic<'state' | 'output'>
  /** The leader of its group; undefined when it could not be started. */
  leader: number | undefined
  /** End it with everything that it started. Resolves once it has ended. */
  stop(): Promise<void>
  /** Resolves when it has ended, however it did. `started` is false if it could not be confined or not be started. */
  ended: Promise<{ started: boolean }>
}

export type BackgroundStart = Pick<ProcessFacts, 'id' | 'sessionId' | 'command' | 'folder' | 'access'> & {
  /** The value of its marker variable. */
  mark: string
  confined?: ConfinedStart | undefined
  /** Where its port is reached, and what forwards it. */
  address: string | null
  forward?: Forward | undefined
  /** For its environment, and what its output may not show. */
  keys?: CommandKeys | undefined
  /** What watches files that programs obey. */
  guard?: Guard | undefined
  now: Clock
}

/** A pipe that something else keeps open is given up after this time, in ms. */
const LINGER_MS = 1_000
const OUTPUT_PAUSE = { idleMs: 40, maxMs: 120 }

/** Start a command that runs on after its call. It gets an open, silent input: many watchers end when theirs does. */
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

  /** A command takes with it what it started, confined or not. */
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
        // What cannot be ended is not waited for.
        await withinTime(LINGER_MS, exited.promise)
      }
      await finish(null)
    },
  }
}

/** What the model reads of a process: what is new on its screen since the last look. A line that changed comes again. */
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
