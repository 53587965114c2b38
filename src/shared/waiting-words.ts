import { byCount, many } from './amounts.ts'
import type { WaitingFile } from './contract/memory.ts'

/** What is the matter with a memory file that waits, in a sentence or two for a person. */
export function waitingWords(file: WaitingFile, name: string): string {
  const { kind, mine, by, fresh } = file
  const count = mine.entries.length
  const kept = `The ${byCount(count, 'entry', `${count} entries`)} of it ${byCount(count, 'is', 'are')} kept and used`
  switch (kind) {
    case 'conflict':
      return `${name} holds two versions that a program could not merge. What was last good stays in use until you choose.`
    case 'empty':
      return fresh
        ? `${name} is empty just now. ${kept}.`
        : `Another program emptied ${name}. ${kept} until you choose.`
    case 'missing':
      if (by !== null)
        return `${name} is in ${by} and not on this computer. ${kept} until it is back, or until you choose.`
      return fresh
        ? `${name} is not there just now. ${kept}.`
        : `${name} was removed or moved away. ${kept} until it is back, or until you choose.`
    case 'restless':
      return `Another program keeps writing ${name}. What it held before stays in use until that rests, or until you choose.`
    case 'copy':
      return copyWords(file, name)
  }
}

function copyWords(file: WaitingFile, name: string): string {
  const { by, reason, theirs } = file
  const whose = `${name} is probably a copy of your memory that ${by ?? 'another computer'} left here.`
  if (reason !== null) return `${whose} It cannot be read: ${reason}.`
  if (theirs.entries.length === 0) return `${whose} It is empty.`
  const count = newEntries(file).length
  if (count === 0) return `${whose} Everything in it is in your memory already.`
  const missing = byCount(count, 'is not in your memory', 'are not in your memory')
  return `${whose} ${many(count, 'entry', 'entries')} in it ${missing}, and nothing of it is used.`
}

/** The entries of the other version that are not in use. */
export const newEntries = ({ mine, theirs }: Pick<WaitingFile, 'mine' | 'theirs'>): string[] =>
  theirs.entries.filter(text => !mine.entries.includes(text))
