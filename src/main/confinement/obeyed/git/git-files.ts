import { join } from 'node:path'
import { statOf } from '../follow-links.ts'
import type { GitObeyed } from './git-obeyed.ts'
import type { Obeyed } from '../obeyed-names.ts'
import { allNamesIn } from '../list-closed-folder.ts'

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
      const names = depth < MAX_DEPTH ? allNamesIn(path).filter(name => !name.endsWith('.sample')) : []
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
