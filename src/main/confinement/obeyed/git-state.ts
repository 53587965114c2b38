import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../lib/expected-errors.ts'
import { stampOf, statOf } from './follow-links.ts'
import type { GitObeyed } from './git-obeyed.ts'
import { checksumOf } from './read-cached.ts'

/** What every file and link that git obeys holds, as a short text by path; empty for what is not there. */
export type GitState = ReadonlyMap<string, string>

/** Files in folders of hooks and the like that are compared at most, and how deep. */
const MAX_FILES = 5_000
const MAX_DEPTH = 6

/** Record what git obeys before a command runs. Afterwards `also` are the paths of before, which count whatever git obeys now. */
export function readGitState(obeyed: GitObeyed, also: Iterable<string> = []): GitState {
  const state = new Map<string, string>()
  const record = (path: string, depth: number) => {
    if (state.size > MAX_FILES) return
    const stats = statOf(path)
    // Samples that git itself puts into each new repository are not hooks.
    if (stats?.isDirectory()) {
      const names = depth < MAX_DEPTH ? namesIn(path).filter(name => !name.endsWith('.sample')) : []
      for (const name of names) record(join(path, name), depth + 1)
    } else if (stats) state.set(path, fingerprintOf(path, stats))
    else state.set(path, '')
  }
  for (const path of [...obeyed.existing, ...obeyed.missing, ...obeyed.compared, ...also])
    if (!state.has(path)) record(path, 0)
  return state
}

/** What a command changed, added or removed, as paths in order. */
export function changedGitParts(before: GitState, after: GitState): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter(path => (before.get(path) ?? '') !== (after.get(path) ?? '')).toSorted()
}

function fingerprintOf(path: string, stats: NonNullable<ReturnType<typeof statOf>>): string {
  if (stats.isSymbolicLink()) return `link ${targetOf(path)}`
  // What cannot be read, or is too large, is known by its stamp.
  const content = stats.isFile() ? checksumOf(path) : undefined
  const kind = stats.isFile() ? `file ${(stats.mode & 0o111n) === 0n ? '' : 'x '}` : `other ${stats.mode} `
  return kind + (content ?? stampOf(stats))
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // It vanished in between.
    return ''
  }
}
