import { lstat, opendir } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { ReadProgram } from '../../../shared/contract/learned/learning.ts'
import { createClaudeCodeParser } from './claude-code-file.ts'
import { createCodexParser } from './codex-file.ts'
import { createPiParser } from './pi-file.ts'
import type { SessionParser } from './session-steps.ts'

/** The user's home folder, and the variables with which programs find other places. */
export type UserPlaces = {
  user: string
  env: {
    readonly [
      Name in 'CLAUDE_CONFIG_DIR' | 'PI_CODING_AGENT_DIR' | 'PI_CODING_AGENT_SESSION_DIR' | 'CODEX_HOME'
    ]?: string | undefined
  }
}

/** A program whose sessions can be read: their folder, file names and format. */
type Reader = {
  /** Return the folder of its sessions. */
  place(places: UserPlaces): string
  /** How many levels of folders it has. */
  depth: number
  /** Return the program's session id for a file name; undefined for other files. */
  idOf(name: string): string | undefined
  parser(): SessionParser
}

const ID = /^[\w.-]{1,150}$/
const checkId = (id: string | undefined) => (id !== undefined && ID.test(id) ? id : undefined)
const named = (value: string | undefined): string | undefined =>
  value !== undefined && isAbsolute(value) ? value : undefined

export const READERS: Readonly<Record<ReadProgram, Reader>> = {
  'claude-code': {
    place: ({ user, env }) => join(named(env.CLAUDE_CONFIG_DIR) ?? join(user, '.claude'), 'projects'),
    depth: 1,
    idOf: name => checkId(/^(.+)\.jsonl$/.exec(name)?.[1]),
    parser: createClaudeCodeParser,
  },
  pi: {
    place: ({ user, env }) =>
      named(env.PI_CODING_AGENT_SESSION_DIR) ??
      join(named(env.PI_CODING_AGENT_DIR) ?? join(user, '.pi', 'agent'), 'sessions'),
    depth: 1,
    idOf: name => checkId(/^[^_]+_(.+)\.jsonl$/.exec(name)?.[1]),
    parser: createPiParser,
  },
  codex: {
    place: ({ user, env }) => join(named(env.CODEX_HOME) ?? join(user, '.codex'), 'sessions'),
    depth: 3,
    // Older sessions are compressed.
    idOf: name =>
      checkId(/^rollout-.+?-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl(?:\.zst)?$/.exec(name)?.[1]),
    parser: createCodexParser,
  },
}

/** A file of a session. */
export type SessionFile = { path: string; id: string; changedAt: number }

/** Maximum number of folder entries to scan, and of files to keep. */
const MOST_ENTRIES = 100_000
const MOST_FILES = 20_000

/** List a program's session files, newest first. Links are not followed; a missing folder has none. */
export async function listSessionFiles(
  program: ReadProgram,
  places: UserPlaces,
  signal: AbortSignal,
): Promise<SessionFile[]> {
  const { place, depth, idOf } = READERS[program]
  const files = new Map<string, SessionFile>()
  let seen = 0
  async function look(folder: string, levels: number): Promise<void> {
    const inside: string[] = []
    try {
      for await (const entry of await opendir(folder)) {
        if (signal.aborted || ++seen > MOST_ENTRIES || files.size >= MOST_FILES) return
        const path = join(folder, entry.name)
        if (entry.isDirectory() && levels > 0) inside.push(path)
        const id = entry.isFile() ? idOf(basename(entry.name)) : undefined
        if (id === undefined) continue
        const known = files.get(id)
        const { mtimeMs: changedAt } = await lstat(path)
        if (!known || known.changedAt < changedAt) files.set(id, { path, id, changedAt })
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A folder that is gone or not readable for this user; anything else is a bug.
      if (code === undefined) throw error
    }
    for (const path of inside.toSorted().toReversed()) await look(path, levels - 1)
  }
  await look(place(places), depth)
  return [...files.values()].toSorted((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1))
}
