import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../lib/expected-errors.ts'
import { stampOf, statOf } from './follow-links.ts'
import type { GitObeyed } from './git-obeyed.ts'
import type { Obeyed } from './obeyed-names.ts'
import { checksumOf } from './read-cached.ts'

/** What every file and link that git obeys holds, as a short text by path; empty for what is not there. */
export type GitState = ReadonlyMap<string, string>

/** Files in folders of hooks and the like that are compared at most, and how deep. */
const MAX_FILES = 5_000
const MAX_DEPTH = 6

/** A file or link that git obeys and that is there, and who runs it. */
export type GitFile = Obeyed & { path: string }

/** The files and links that are there of all that git obeys, those in its folders of hooks one by one. */
export function listGitFiles({ existing, missing, compared }: GitObeyed): GitFile[] {
  const found = new Map<string, GitFile>()
  const list = (path: string, obeyed: Obeyed, depth: number) => {
    if (found.size > MAX_FILES || found.has(path)) return
    const stats = statOf(path)
    // Samples that git itself puts into each new repository are not hooks.
    if (stats?.isDirectory()) {
      const names = depth < MAX_DEPTH ? namesIn(path).filter(name => !name.endsWith('.sample')) : []
      for (const name of names) list(join(path, name), obeyed, depth + 1)
    } else if (stats) found.set(path, { ...obeyed, path })
  }
  for (const path of [...existing, ...missing]) list(path, { tier: 1, by: 'git' }, 0)
  for (const { path, by } of compared) list(path, { tier: 2, by }, 0)
  return [...found.values()]
}

/** A mount takes the longer the more there are: 100 together 0.1 s, 500 more than a second. */
const MOST_COVERED = 250

/** The parts to mount something over, parents first: no links, and no more than a command can wait for. The rest is only compared. */
export const partsToCover = ({ existing }: GitObeyed): string[] =>
  existing
    .filter(path => statOf(path)?.isSymbolicLink() === false)
    .slice(0, MOST_COVERED)
    .toSorted()

/** Record what git obeys before a command runs. Afterwards `also` are the paths of before, which count whatever git obeys now. */
export function readGitState(obeyed: GitObeyed, also: Iterable<string> = []): GitState {
  const paths = new Set([...listGitFiles(obeyed).map(({ path }) => path), ...obeyed.missing, ...also])
  return new Map([...paths].map(path => [path, fingerprintOf(path)]))
}

/** What a command changed, added or removed, as paths in order. */
export function changedGitParts(before: GitState, after: GitState): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter(path => (before.get(path) ?? '') !== (after.get(path) ?? '')).toSorted()
}

function fingerprintOf(path: string): string {
  const stats = statOf(path)
  // The files of a folder are recorded one by one.
  if (!stats || stats.isDirectory()) return ''
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
