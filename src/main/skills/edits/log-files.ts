import type { SkillFileChange } from '../../../shared/contract/skills.ts'
import { differing, digestOfBytes, isOfGit, mainOf, textOf, type Tree, type TreeEntry } from './tree.ts'

/** Longer texts, and those beyond the limit of one log entry, go to the archive like binary files. */
const MOST_CHARS = 1_000_000
const MOST_CHARS_IN_ALL = 8_000_000
/** Prefix of the digest of a file in the archive. */
const KEPT = 'sha256:'

/** The log entry of a change: texts in full, other files by digest. Links are not logged. */
export function logFiles(before: Tree, after: Tree): SkillFileChange[] {
  const main = new Set([mainOf(before), mainOf(after)])
  const paths = differing(before, after).filter(
    path => !isOfGit(path) && [before.get(path), after.get(path)].some(entry => entry?.kind === 'file'),
  )
  let left = MOST_CHARS_IN_ALL
  return paths
    .toSorted((a, b) => Number(main.has(b)) - Number(main.has(a)) || (a < b ? -1 : 1))
    .map(path => {
      const was = filed(before.get(path))
      const is = filed(after.get(path))
      const [wasText, isText] = [textOf(was), textOf(is)]
      const chars = (wasText?.length ?? 0) + (isText?.length ?? 0)
      const binary =
        (was !== undefined && wasText === undefined) ||
        (is !== undefined && isText === undefined) ||
        chars > Math.min(MOST_CHARS * 2, left)
      if (binary) return { path, before: markOf(was), after: markOf(is), binary }
      left -= chars
      return { path, before: wasText ?? null, after: isText ?? null, binary }
    })
}

/** Whether a file matches the log; null means that it does not exist. */
export function isAsLogged(
  entry: TreeEntry | undefined,
  { binary }: SkillFileChange,
  content: string | null,
): boolean {
  const file = filed(entry)
  if (content === null || !file) return content === null && !entry
  return binary ? markOf(file) === content : textOf(file) === content
}

/** The bytes of a logged file; undefined when the archive does not have them. */
export function loggedBytes(
  { binary }: SkillFileChange,
  content: string,
  kept: (digest: string) => Buffer | undefined,
): Buffer | undefined {
  return binary ? kept(content.slice(KEPT.length)) : Buffer.from(content)
}

const filed = (entry: TreeEntry | undefined) => (entry?.kind === 'file' ? entry : undefined)
const markOf = (entry: (TreeEntry & { kind: 'file' }) | undefined) =>
  entry ? KEPT + digestOfBytes(entry.bytes) : null
