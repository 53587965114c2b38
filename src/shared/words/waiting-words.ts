import { byCount, many } from '../text/amounts.ts'
import type { WaitingFile } from '../contract/learned/memory.ts'

/** Explain the problem of a memory file that waits for a choice, in one or two sentences. */
export function waitingWords(file: WaitingFile, name: string): string {
  const { kind, mine, by, fresh } = file
  const count = mine.entries.length
  const kept = byCount(count, 'Its entry is kept and used.', `Its ${count} entries are kept and used.`)
  const until = byCount(
    count,
    'Its entry is kept and used until you choose.',
    `Its ${count} entries are kept and used until you choose.`,
  )
  const untilBack = byCount(
    count,
    'Its entry is kept and used until the file is back, or until you choose.',
    `Its ${count} entries are kept and used until the file is back, or until you choose.`,
  )
  switch (kind) {
    case 'conflict':
      return `${name} contains two versions that a program could not merge. The last good version stays in use until you choose.`
    case 'empty':
      return fresh ? `${name} is empty at the moment. ${kept}` : `Another program emptied ${name}. ${until}`
    case 'missing':
      if (by !== null) return `${name} is in ${by} and not on this computer. ${untilBack}`
      return fresh
        ? `${name} is missing at the moment. ${kept}`
        : `${name} was removed or moved away. ${untilBack}`
    case 'restless':
      return `Another program keeps writing ${name}. The earlier version stays in use until that stops, or until you choose.`
    case 'copy':
      return copyWords(file, name)
  }
}

function copyWords(file: WaitingFile, name: string): string {
  const { by, reason, theirs } = file
  const whose =
    by === null
      ? `${name} is probably a copy of your memory that another computer left here.`
      : `${name} is probably a copy of your memory that ${by} left here.`
  if (reason !== null) return `${whose} It cannot be read: ${reason}.`
  if (theirs.entries.length === 0) return `${whose} It is empty.`
  const count = newEntries(file).length
  if (count === 0) return `${whose} Everything in it is already in your memory.`
  const missing = byCount(
    count,
    '1 entry in it is not in your memory. Talaria does not use the file.',
    `${many(count, 'entry', 'entries')} in it are not in your memory. Talaria does not use the file.`,
  )
  return `${whose} ${missing}`
}

/** The entries of the other version that are not in use. */
export const newEntries = ({ mine, theirs }: Pick<WaitingFile, 'mine' | 'theirs'>): string[] =>
  theirs.entries.filter(text => !mine.entries.includes(text))
