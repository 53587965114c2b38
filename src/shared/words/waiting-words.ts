import { byCount, many } from '../text/amounts.ts'
import type { WaitingFile } from '../contract/learned/memory.ts'

/** What is the matter with a memory file that waits, in a sentence or two for a person. */
export function waitingWords(file: WaitingFile, name: string): string {
  const { kind, mine, by, fresh } = file
  const count = mine.entries.length
  const kept = byCount(
    count,
    'The entry of it is kept and used.',
    `The ${count} entries of it are kept and used.`,
  )
  const until = byCount(
    count,
    'The entry of it is kept and used until you choose.',
    `The ${count} entries of it are kept and used until you choose.`,
  )
  const untilBack = byCount(
    count,
    'The entry of it is kept and used until it is back, or until you choose.',
    `The ${count} entries of it are kept and used until it is back, or until you choose.`,
  )
  switch (kind) {
    case 'conflict':
      return `${name} holds two versions that a program could not merge. What was last good stays in use until you choose.`
    case 'empty':
      return fresh ? `${name} is empty just now. ${kept}` : `Another program emptied ${name}. ${until}`
    case 'missing':
      if (by !== null) return `${name} is in ${by} and not on this computer. ${untilBack}`
      return fresh
        ? `${name} is not there just now. ${kept}`
        : `${name} was removed or moved away. ${untilBack}`
    case 'restless':
      return `Another program keeps writing ${name}. What it held before stays in use until that rests, or until you choose.`
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
  if (count === 0) return `${whose} Everything in it is in your memory already.`
  const missing = byCount(
    count,
    '1 entry in it is not in your memory, and nothing of it is used.',
    `${many(count, 'entry', 'entries')} in it are not in your memory, and nothing of it is used.`,
  )
  return `${whose} ${missing}`
}

/** The entries of the other version that are not in use. */
export const newEntries = ({ mine, theirs }: Pick<WaitingFile, 'mine' | 'theirs'>): string[] =>
  theirs.entries.filter(text => !mine.entries.includes(text))
