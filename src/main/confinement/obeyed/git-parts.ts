import { join } from 'node:path'
import { namesIn } from '../../lib/expected-errors.ts'
import type { FolderFacts } from '../profile.ts'
import { statOf } from './follow-links.ts'
import { findGitObeyed } from './git-obeyed.ts'

/** Files in folders of hooks and the like that are looked at, at most, and how deep. */
const MOST = { files: 5_000, depth: 6 }

/** What git obeys in a folder, by files and links. */
export type GitFiles = {
  /** Obeyed without being asked for. */
  obeyed: string[]
  /** Written by ordinary commands, and run by later ones. */
  compared: string[]
  /** Files and folders that a command without rights cannot write, because something lies over them. */
  held: string[]
  /** Not there, and obeyed as soon as they are. */
  missing: string[]
}

/** List what git obeys in a folder now, file by file. */
export function listGitFiles(facts: FolderFacts, root: string): GitFiles {
  const { existing, missing, compared } = findGitObeyed(facts, { written: [root] })
  const files = { obeyed: filesIn(existing), compared: filesIn(compared), missing }
  const isLink = (path: string) => statOf(path)?.isSymbolicLink() ?? true
  return { ...files, held: existing.filter(path => !isLink(path)) }
}

function filesIn(paths: readonly string[]): string[] {
  const found: string[] = []
  const add = (path: string, depth: number) => {
    if (found.length >= MOST.files) return
    const stats = statOf(path)
    // Samples that git itself puts into each new repository are not hooks.
    if (stats?.isDirectory() && depth < MOST.depth)
      for (const name of namesIn(path)) {
        if (!name.endsWith('.sample')) add(join(path, name), depth + 1)
      }
    else if (stats && !stats.isDirectory()) found.push(path)
  }
  for (const path of paths) add(path, 0)
  return found
}
