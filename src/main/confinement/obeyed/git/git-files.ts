import { join } from 'node:path'
import { statOf } from '../follow-links.ts'
import type { GitObeyed } from './git-obeyed.ts'
import type { Obeyed } from '../obeyed-names.ts'
import { allNamesIn } from '../list-closed-folder.ts'

/** Maximum number and depth of files compared in folders such as that of the hooks. */
const MAX_FILES = 5_000
const MAX_DEPTH = 6

/** An existing file or link that git obeys, and who runs it. */
export type GitFile = Obeyed & { path: string }

/** List the existing files and links that git obeys, including each file in folders of hooks. */
export function listGitFiles({ existing, missing, compared }: GitObeyed): GitFile[] {
  const found = new Map<string, GitFile>()
  const list = (path: string, obeyed: Obeyed, depth: number) => {
    if (found.size > MAX_FILES || found.has(path)) return
    const stats = statOf(path)
    // Git puts samples into each new repository; they are not hooks.
    if (stats?.isDirectory()) {
      const names = depth < MAX_DEPTH ? allNamesIn(path).filter(name => !name.endsWith('.sample')) : []
      for (const name of names) list(join(path, name), obeyed, depth + 1)
    } else if (stats) found.set(path, { ...obeyed, path })
  }
  for (const path of [...existing, ...missing]) list(path, { tier: 1, by: 'git' }, 0)
  for (const { path, by } of compared) list(path, { tier: 2, by }, 0)
  return [...found.values()]
}

/** Maximum number of mounts, which get slower the more there are: 100 take 0.1 s, 500 more than a second. */
const MOST_COVERED = 250

/** The paths to mount over, parents first, without links, up to the limit. The others are only compared. */
export const partsToCover = ({ existing }: GitObeyed): string[] =>
  existing
    .filter(path => statOf(path)?.isSymbolicLink() === false)
    .slice(0, MOST_COVERED)
    .toSorted()
