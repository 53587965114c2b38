import { Fault } from '../../../shared/rpc.ts'
import { entryPath, sameFileKey } from './entry-path.ts'
import { limits } from './limits.ts'
import type { LeftOut } from './source.ts'
import { visibleName } from './visible-name.ts'

/** Takes down the names that a source holds: which can be kept, and what is left out and why. */
export type Ledger<T> = {
  /** Take a file down. Throws a Fault when an archive says that it lies outside of it. */
  take(name: string, entry: Omit<T, 'path'>): void
  /** Look at the name of a folder: one that lies outside is as bad as a file. */
  takeFolder(name: string): void
  leaveOut(name: string, why: string): void
  files: (T & { path: string })[]
  leftOut: LeftOut[]
}

/** What tools leave behind, and nobody would miss. */
const LITTER =
  /(^|[/\\])(\.git|node_modules|__pycache__|\.venv|__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)([/\\]|$)/

/** Whether a name is that of something that belongs to no skill. */
export const isLitter = (name: string): boolean => LITTER.test(name)

/**
 * Begin to take names down. `what` names the source in a refusal, such as “This zip”; the names of a `realFolder` were
 * found by the system, and can lead nowhere.
 */
export function createLedger<T extends { bytes: number }>(
  what: string,
  { realFolder = false } = {},
): Ledger<T> {
  const files: (T & { path: string })[] = []
  const seen = new Set<string>()
  const left: LeftOut[] = []
  let names = 0

  function seeOne() {
    if (++names > limits.seen)
      throw new Fault(
        'bad_input',
        `${what} holds more than ${count(limits.seen)} files. Choose a folder in it.`,
      )
  }

  const leaveOut = (name: string, why: string): void => void left.push({ name, why })

  function outside(name: string) {
    if (realFolder) return leaveOut(name, 'its name looks like a path out of the folder')
    throw new Fault(
      'bad_input',
      `${what} is refused whole: it names “${visibleName(name)}”, which would lie outside of the skill.`,
    )
  }

  return {
    files,
    leaveOut(name, why) {
      seeOne()
      leaveOut(name, why)
    },
    takeFolder(name) {
      seeOne()
      if ('outside' in entryPath(name)) outside(name)
    },
    take(name, entry) {
      seeOne()
      if (isLitter(name)) return
      const found = entryPath(name)
      if ('outside' in found) return outside(name)
      if ('unfit' in found) return leaveOut(name, found.unfit)
      if ((entry as { bytes: number }).bytes > limits.fileBytes)
        return leaveOut(name, `it is larger than ${limits.fileBytes / 1e6} MB`)
      const key = sameFileKey(found.path)
      if (seen.has(key)) return leaveOut(name, 'another file has the same name')
      seen.add(key)
      files.push({ ...(entry as T), path: found.path })
    },
    leftOut: left,
  }
}

const count = (number: number) => number.toLocaleString('en')
