import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/main/db/store.ts'
import { openSpool } from '../../src/main/other-agents/inbox/open-spool.ts'

/** The counts of events and kills of one run. */
export type KillReport = {
  kills: number
  readerKills: number
  confirmed: number
  stored: number
  cut: number
}

const fail = (error: unknown) => {
  throw error
}
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The store and the spool of a home folder, with limits so high that nothing is dropped. */
export function openKillSpool(home: string, { isCarried }: { isCarried: boolean }) {
  const { store } = openStore(home, { clock: Date.now, report: fail })
  const spool = openSpool({
    home,
    store: store.foreign,
    allows: () => true,
    isCarried,
    onChange: () => undefined,
    now: Date.now,
    remark: () => undefined,
    report: fail,
    limits: {
      firstMs: 0,
      everyMs: 200,
      // How long a program may still append to a file that it opened before the file was taken.
      graceMs: isCarried ? 1_000 : 0,
      cutMs: isCarried ? 3_600_000 : 0,
      spoolBytes: 1e12,
      storeBytes: 1e12,
    },
  })
  return { store, spool }
}

/**
 * Rounds that share a session, so that the half line of one round is followed by the first line of the next.
 */
const OF_SESSION = 8
/** Rounds after which the reader is killed too. */
const OF_READER = 20

/**
 * Kill a program that appends to the spool, repeatedly at random moments, while another process reads the
 * spool and is sometimes killed too. Throws if a complete line is not stored, or stored twice. `random`
 * returns numbers below 1.
 */
export async function killAppending(home: string, kills: number, random: () => number): Promise<KillReport> {
  mkdirSync(join(home, 'inbox', 'claude-code'), { recursive: true, mode: 0o700 })
  const confirmed = new Map<string, string[]>()
  const report: KillReport = { kills: 0, readerKills: 0, confirmed: 0, stored: 0, cut: 0 }
  let reader: ChildProcess | undefined
  for (let round = 0; report.kills < kills; round++) {
    if (round % OF_READER === 0) {
      if (reader) report.readerKills++
      await end(reader)
      reader = spawn(process.execPath, [script('read-until-killed.ts'), home], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    }
    if (reader?.exitCode !== null) throw new Error('The reader ended by itself.')
    const session = `s${Math.floor(round / OF_SESSION)}`
    const path = join(home, 'inbox', 'claude-code', `${session}.jsonl`)
    const { ids, isKilled } = await appendUntilKilled(path, round, random() * 15)
    confirmed.set(session, [...(confirmed.get(session) ?? []), ...ids])
    report.confirmed += ids.length
    if (isKilled) report.kills++
  }
  await end(reader)
  await check(home, confirmed, report)
  return report
}

async function appendUntilKilled(path: string, round: number, ms: number) {
  const child = spawn(process.execPath, [script('append-until-killed.ts'), path, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'close')
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // The timer starts with the first line, so that no round is wasted on starting.
    if (out === '') setTimeout(() => child.kill('SIGKILL'), ms)
    out += text
  })
  const [, signal] = (await gone) as [number | null, NodeJS.Signals | null]
  const whole = out.slice(0, out.lastIndexOf('\n') + 1)
  return { ids: whole.split('\n').filter(Boolean), isKilled: signal === 'SIGKILL' }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child?.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function check(
  home: string,
  confirmed: ReadonlyMap<string, readonly string[]>,
  report: KillReport,
): Promise<void> {
  const { store, spool } = openKillSpool(home, { isCarried: false })
  await spool.readNow()
  const problems: string[] = []
  for (const [session, ids] of confirmed) {
    const events = store.foreign.events(`claude-code:${session}`)
    const texts = events.map(({ event }) => ('text' in event ? event.text : event.type))
    const named = new Set(events.map(({ eventId }) => eventId))
    report.stored += events.length
    for (const id of ids) if (!named.has(id)) problems.push(`${session}: ${id} is lost`)
    const said = texts.filter(text => text !== 'session_end').map(text => text.slice(0, text.indexOf(' ')))
    if (named.size !== events.length || new Set(said).size !== said.length)
      problems.push(`${session}: an event is there twice`)
    for (const text of texts)
      if (text !== 'session_end' && !text.endsWith(text.slice(0, text.indexOf(' '))))
        problems.push(`${session}: half of an event is stored`)
  }
  const note = spool.noteOf('claude-code')
  report.cut = Number(/^(\d+) event/.exec(note)?.[1] ?? 0)
  const left = readdirSync(join(home, 'inbox', 'claude-code'))
  if (left.length > 0) problems.push(`left: ${left.join()}`)
  await spool.close()
  store.close()
  if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
}
