import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { watchFolders } from '../lib/disk/watch-folders.ts'

/**
 * Call `onChange` shortly after a memory file in a home folder may have changed, whoever wrote it. Missing
 * folders are watched once they appear. Errors are reported, and watching continues. `onChange` may return in
 * how many ms to call it again.
 */
export function watchMemory(
  home: string,
  onChange: () => number | undefined | void,
  report: (error: unknown) => void,
): { close(): void } {
  const root = join(home, 'memories')
  let again: NodeJS.Timeout | undefined
  const look = () => {
    // Follow new folders before reading, so that no change falls in between.
    followFolders()
    try {
      const wait = onChange()
      clearTimeout(again)
      if (typeof wait === 'number') again = setTimeout(look, Math.max(wait, LEAST_MS)).unref()
    } catch (error) {
      report(error)
    }
  }
  const watching = watchFolders(look, report)
  const followFolders = () => watching.follow([root], foldersIn(root))
  followFolders()
  return {
    close() {
      clearTimeout(again)
      watching.close()
    },
  }
}

/** Minimum time between two repeated calls, in ms. */
const LEAST_MS = 500

/** The folders that hold memory files, with their identity. */
function foldersIn(root: string): Map<string, string> {
  const projects = join(root, 'projects')
  const folders = new Map<string, string>()
  for (const folder of [root, projects, ...subfoldersOf(projects)]) {
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false })
    if (stats) folders.set(folder, `${stats.dev}:${stats.ino}`)
  }
  return folders
}

function subfoldersOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(each => each.isDirectory())
      .map(each => join(folder, each.name))
  } catch {
    // A folder that is missing or unreadable cannot be watched.
    return []
  }
}
