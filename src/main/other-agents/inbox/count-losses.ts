import { formatBytes, many } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

/** What of the events of a program did not arrive, since the start. `unread` counts files, `overflow` bytes, the others lines. */
type Losses = { unread: number; overflow: number; tooLong: number; otherVersion: number; refused: number }

const NONE: Losses = { unread: 0, overflow: 0, tooLong: 0, otherVersion: 0, refused: 0 }

/** Paths that are told of in the log; more are not. */
const MOST_TOLD = 100

/** Counts what of the spool did not arrive, and says so: in the log, and in a sentence for each program. */
export function countLosses(remark: (text: string) => void) {
  const all = new Map<string, Losses>()
  const told = new Set<string>()
  let toldOverflow = 0

  const overflow = () => all.values().reduce((sum, each) => sum + each.overflow, 0)

  return {
    add(agent: string, more: Partial<Losses>): void {
      const sum = { ...NONE, ...all.get(agent) }
      for (const [what, count] of Object.entries(more)) sum[what as keyof Losses] += count
      all.set(agent, sum)
    },
    /** One line in the log for what was deleted because there was too much of it. */
    tellOverflow(): void {
      const bytes = overflow()
      if (bytes > toldOverflow)
        remark(
          `events of other programs: ${formatBytes(bytes - toldOverflow)} were deleted unread, there were too many`,
        )
      toldOverflow = bytes
    },
    /** Say once of a path what is wrong with it. */
    tellOnce(path: string, what: string): void {
      if (told.has(path) || told.size >= MOST_TOLD) return
      told.add(path)
      remark(`events of other programs: ${showHiddenInLine(path)} is not read: ${what}`)
    },
    noteOf(agent: string): string {
      const { unread, overflow: bytes, tooLong, otherVersion, refused } = all.get(agent) ?? NONE
      if (otherVersion > 0)
        return `${many(otherVersion, 'event')} came from a script of another version of Talaria. Connect this program again.`
      if (bytes > 0)
        return `${formatBytes(bytes)} of its events were deleted unread, because there were too many at once.`
      if (refused + tooLong > 0) return `${many(refused + tooLong, 'event')} from it could not be read.`
      if (unread > 0)
        return `What it wrote while learning from it was off was deleted unread (${many(unread, 'file')}).`
      return ''
    },
  }
}
