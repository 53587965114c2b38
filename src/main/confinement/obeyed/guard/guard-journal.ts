import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, parseJson } from '../../../lib/expected-errors.ts'
import type { MayWriteObeyed } from '../../profile.ts'
import type { ObeyedEntry, ObeyedState } from '../obeyed-state.ts'

/** The record on disk of a running command. */
type Beginning = { sessionId: string; may: MayWriteObeyed; state: ObeyedState }

/** A recorded command; `end` removes the record. */
export type Begun = { end(): void }

/** How often to record that this program is alive, in ms. Later changes are not its commands' work. */
const ALIVE_MS = 5_000
/** Maximum bytes of file contents in one record. */
const MOST_BYTES = 2 ** 20

/**
 * Record the commands that are running, for the next start after a kill. Files hidden from commands are not
 * copied. If writing fails, commands still run, because the record only matters after a kill.
 */
export function createJournal(folder: string) {
  const begun = new Set<string>()
  const alive = join(folder, 'alive')
  let beat: NodeJS.Timeout | undefined

  function noteAlive(): void {
    const now = new Date()
    attempt(() => utimesSync(alive, now, now))
  }

  return {
    begin(beginning: Beginning): Begun {
      const path = join(folder, `${randomUUID()}.json`)
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(alive, '', { mode: 0o600 })
        writeFileSync(path, JSON.stringify(forDisk(beginning)), { mode: 0o600 })
      })
      begun.add(path)
      beat ??= setInterval(noteAlive, ALIVE_MS).unref()
      return {
        end() {
          begun.delete(path)
          attempt(() => rmSync(path, { force: true }))
          if (begun.size > 0) return
          clearInterval(beat)
          beat = undefined
        },
      }
    },
    /** Take the records that an earlier program left. `until`: when it was last alive, in ms since 1970. */
    takeLeft(): (Beginning & { until: number })[] {
      const until = (statSync(alive, { throwIfNoEntry: false })?.mtimeMs ?? 0) + 2 * ALIVE_MS
      return namesIn(folder).flatMap(name => {
        const path = join(folder, name)
        if (!name.endsWith('.json') || begun.has(path)) return []
        const beginning = attempt(() => fromDisk(parseJson(readFileSync(path, 'utf8'))))
        attempt(() => rmSync(path, { force: true }))
        return beginning ? [{ ...beginning, until }] : []
      })
    },
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    // The disk is full or read-only, which does not matter; see above.
    return undefined
  }
}

type OnDisk = Omit<Beginning, 'state'> & {
  root: string
  facts: ObeyedState['facts']
  git: ObeyedState['git']
  entries: (Omit<ObeyedEntry, 'parts' | 'content'> & { parts: [string, string][]; content?: string })[]
}

function forDisk({ sessionId, may, state }: Beginning): OnDisk {
  const { root, facts, git } = state
  const hidden = new Set(facts.hidden.map(({ path }) => path))
  let bytes = 0
  const entries = [...state.entries.values()].flatMap(({ parts, content, ...entry }) => {
    if (entry.tier === 2) return []
    bytes += content?.length ?? 0
    const isCopied = content && bytes <= MOST_BYTES && !hidden.has(entry.path)
    return [
      { ...entry, parts: [...parts], ...(isCopied && { content: Buffer.from(content).toString('base64') }) },
    ]
  })
  const { repositories, gitFiles, outerGit, obeyed, isComplete, folders } = facts
  // Files that only run if the user runs them are not reported after a kill.
  const few = {
    hidden: facts.hidden,
    repositories,
    gitFiles,
    outerGit,
    obeyed,
    isComplete,
    folders,
    obeyedFiles: [],
    runFiles: [],
  }
  return { sessionId, may, root, facts: few, git, entries }
}

/** Read a record of this program; throws if it is damaged. */
function fromDisk(json: unknown): Beginning {
  const { sessionId, may, root, facts, git, entries } = json as OnDisk
  const restored = entries.map(({ parts, content, ...entry }): [string, ObeyedEntry] => [
    entry.path,
    {
      ...entry,
      parts: new Map(parts),
      ...(content !== undefined && { content: Buffer.from(content, 'base64') }),
    },
  ])
  return { sessionId, may, state: { root, facts, git, entries: new Map(restored) } }
}
