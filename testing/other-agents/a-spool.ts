import { appendFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSpool, type Spool } from '../../src/main/other-agents/inbox/open-spool.ts'
import type { Store } from '../../src/main/db/store.ts'
import { aFolder, aStore } from '../db/a-store.ts'

export { aLine } from './a-spool-line.ts'

/** The path of the events of a session in a home folder. */
export const spoolPath = (home: string, session = 's1', agent = 'claude-code'): string =>
  join(home, 'inbox', agent, `${session}.jsonl`)

/** Append to the file of a session, as a script does. */
export function appendToSpool(path: string, ...texts: string[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (const text of texts) appendFileSync(path, text, { mode: 0o600 })
}

/** The files in the folder of a program. */
export const spooled = (home: string, agent = 'claude-code'): string[] => {
  try {
    return readdirSync(join(home, 'inbox', agent)).toSorted()
  } catch {
    return []
  }
}

type Opened = {
  home: string
  store: Store
  spool: Spool
  /** The log lines and reported errors. */
  log: string[]
  errors: unknown[]
  /** Switch a program off, or on again. */
  allowed: Set<string>
  /** The texts of the events of a session. */
  texts(session?: string): string[]
  append(session: string, ...lines: string[]): void
  [Symbol.asyncDispose](): Promise<void>
}

/** A spool with its own store. It is read when the test says so, and read lines are deleted immediately. */
export function aSpool(
  limits: Parameters<typeof openSpool>[0]['limits'] = {},
  instead: { store?: Partial<Store['foreign']>; isCarried?: boolean; now?: () => number } = {},
): Opened {
  const store = aStore()
  const folder = aFolder()
  const [log, errors] = [[] as string[], [] as unknown[]]
  const allowed = new Set(['claude-code', 'pi'])
  const home = folder.path
  const spool = openSpool({
    home,
    store: { ...store.foreign, ...instead.store },
    allows: agent => allowed.has(agent),
    isCarried: instead.isCarried ?? false,
    onChange: () => undefined,
    now: instead.now ?? Date.now,
    remark: text => log.push(text),
    report: error => errors.push(error),
    limits: { graceMs: 0, ...limits },
  })
  return {
    home,
    store,
    spool,
    log,
    errors,
    allowed,
    texts: (session = 'claude-code:s1') =>
      store.foreign.events(session).map(({ event }) => ('text' in event ? event.text : event.type)),
    append: (session, ...lines) => appendToSpool(spoolPath(home, session), ...lines),
    async [Symbol.asyncDispose]() {
      await spool.close()
      store[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}
