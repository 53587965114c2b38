import { many } from './amounts.ts'
import type { WaitingFile } from './contract/memory.ts'

/** What is the matter with a memory file that waits, in a sentence or two for a person. */
export function waitingWords(file: WaitingFile, name: string): string {
  const { kind, mine, theirs, by, reason, fresh } = file
  const kept = many(mine.entries.length, 'entry', 'entries')
  const stays = 'What was last good stays in use until you choose.'
  switch (kind) {
    case 'conflict':
      return `${name} holds two versions that a program could not merge. ${stays}`
    case 'empty':
      return `${name} is empty${fresh ? ' just now' : ''}, and ${kept} were in it. They are kept and used until you choose.`
    case 'missing':
      if (by !== null)
        return `${name} is in ${by} and not on this computer. The ${kept} that were in it are kept and used until it is back, or until you choose.`
      return `${name} is ${fresh ? 'not there just now' : 'gone'}, and ${kept} were in it. They are kept and used until you choose.`
    case 'restless':
      return `Another program keeps writing ${name}. What it said before stays in use until that rests, or until you choose.`
    case 'copy': {
      const whose = `is probably a copy of your memory that ${by ?? 'another computer'} left here`
      if (reason !== null) return `${name} ${whose}. It cannot be read: ${reason}.`
      const fresh = newEntries(file).length
      return fresh === 0
        ? `${name} ${whose}. All of its ${many(theirs.entries.length, 'entry', 'entries')} are in your memory already.`
        : `${name} ${whose}. ${many(fresh, 'entry', 'entries')} in it ${fresh === 1 ? 'is' : 'are'} not in your memory, and nothing of it is used.`
    }
  }
}

/** The entries of the other version that are not in use. */
export const newEntries = ({ mine, theirs }: Pick<WaitingFile, 'mine' | 'theirs'>): string[] =>
  theirs.entries.filter(text => !mine.entries.includes(text))
