import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { parseNotes } from '../../src/main/memory/note-files.ts'
import { openMemory } from '../../src/main/memory/open-memory.ts'
import { openStore } from '../../src/main/db/store.ts'

export type CrashReport = { rounds: number; confirmed: number; finished: number }

/**
 * Kill a process that writes messages and memory, repeatedly at random moments. Check after each kill that
 * nothing confirmed is lost and nothing is half-written. Throws an error that says what is wrong. `random`
 * returns numbers below 1.
 */
export async function crashRounds(home: string, rounds: number, random: () => number): Promise<CrashReport> {
  const report: CrashReport = { rounds, confirmed: 0, finished: 0 }
  for (let round = 0; round < rounds; round++) {
    const lines = await writeUntilKilled(home, round, 5 + random() * 60)
    report.confirmed += lines.length
    if (check(home, lines)) report.finished++
  }
  return report
}

type Line = { message: number; text: string } | { batch: string; revisions: number[] }

async function writeUntilKilled(home: string, round: number, ms: number): Promise<Line[]> {
  const script = fileURLToPath(new URL('writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, home, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  let out = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    // The timer starts with the first write, so that no round is wasted on starting.
    if (out === '') setTimeout(() => child.kill('SIGKILL'), ms)
    out += chunk
  })
  const [code] = (await gone) as [number | null]
  if (code !== null) throw new Error(`The writer ended by itself with code ${code}.`)
  const whole = out.slice(0, out.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Line)
}

/** Check everything that was confirmed. Returns whether the next start had to complete a change. */
function check(home: string, lines: readonly Line[]): boolean {
  const problems: string[] = []
  const db = new Database(join(home, 'state.db'))
  const integrity = db.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') problems.push(`integrity_check says ${String(integrity)}`)
  const pending = db.prepare('select 1 from memory_pending').get() !== undefined
  db.close()

  const { store, notices } = openStore(home, {
    clock: Date.now,
    report: error => problems.push(String(error)),
  })
  for (const notice of notices) problems.push(notice.text)
  const memory = openMemory({
    home,
    store: store.memory,
    limits: () => ({ user: 2_000, memory: 2_000 }),
    now: Date.now,
    count: text => text.length,
    onChange: () => {},
  })
  const { entries, outside, unreadable } = memory.view()
  if (outside.length > 0) problems.push('a file differs from what was written')
  if (unreadable.length > 0) problems.push('a file cannot be read')
  if (store.memory.pending() !== undefined) problems.push('a change is still open')
  for (const [target, name] of [
    ['user', 'USER.md'],
    ['memory', 'MEMORY.md'],
  ] as const) {
    const path = join(home, 'memories', name)
    const inFile = existsSync(path) ? parseNotes(readFileSync(path, 'utf8')) : []
    const known = entries.filter(entry => entry.target === target).map(entry => entry.text)
    if (inFile.join('§') !== known.join('§')) problems.push(`${name} and the log disagree`)
  }
  const added = new Set(store.memory.history({ limit: 100_000 }).revisions.map(each => each.after))
  for (const text of added) {
    const half = /^(left|right) (.*)$/.exec(text ?? '')
    if (half && !added.has(`${half[1] === 'left' ? 'right' : 'left'} ${half[2]}`))
      problems.push(`half a batch: ${text}`)
  }
  for (const line of lines) {
    if ('message' in line) {
      const [found] = store.recall.around(line.message, 0)
      if (found?.text !== line.text) problems.push(`message ${line.message} is lost`)
    } else if (!line.revisions.every(id => store.memory.revision(id)))
      problems.push(`batch ${line.batch} is lost`)
  }
  store.close()
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return pending
}
