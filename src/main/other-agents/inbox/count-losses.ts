import { formatBytes, many } from '../../../shared/text/amounts.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

/** A program's lost events since the start. `unread` counts files, `overflow` bytes, the others lines. */
type Losses = { unread: number; overflow: number; tooLong: number; otherVersion: number; refused: number }

const NONE: Losses = { unread: 0, overflow: 0, tooLong: 0, otherVersion: 0, refused: 0 }

/** Maximum number of paths to name in the log. */
const MOST_TOLD = 100

/** Count the losses of the spool, and report them in the log and in one sentence per program. */
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
    /** Log once what was deleted because there was too much. */
    tellOverflow(): void {
      const bytes = overflow()
      if (bytes > toldOverflow)
        remark(
          `events of other programs: ${formatBytes(bytes - toldOverflow)} were deleted unread, there were too many`,
        )
      toldOverflow = bytes
    },
    /** Log a problem with a path once. */
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
        return `Events that it wrote while learning from it was off were deleted unread (${many(unread, 'file')}).`
      return ''
    },
  }
}
