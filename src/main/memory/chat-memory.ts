import type { MemoryEntry, MemoryProject } from '../../shared/contract/learned/memory.ts'
import type { TurnSubject } from '../../shared/contract/chats/session.ts'
import { rulesOf } from '../../shared/origin-rules.ts'
import type { PromptSection } from '../agent/prompt.ts'
import { notesSection, userSection } from './memory-block.ts'
import type { Memory, MemoryForChat } from './open-memory.ts'

type Parts = {
  notebook: Pick<Memory, 'forChat' | 'used'>
  /** Whether chats use memory. */
  isUsed(): boolean
  /** The folder or project whose notes a chat uses. */
  notesOf(session: TurnSubject): string | MemoryProject
  /** Whether a chat may read memory although its origin alone does not allow it. */
  mayRead?(session: TurnSubject): boolean
  /** The parts of the notebook chosen for a chat; undefined for all parts. */
  chosenFor(session: TurnSubject): readonly string[] | undefined
}

type Kind = Pick<PromptSection, 'name' | 'title' | 'order'> & {
  write: typeof userSection
  entriesOf(known: MemoryForChat): MemoryEntry[]
}

const KINDS: readonly Kind[] = [
  { name: 'user', title: 'About you', order: 400, write: userSection, entriesOf: ({ user }) => user },
  {
    name: 'memory',
    title: 'Its notes',
    order: 500,
    write: notesSection,
    entriesOf: ({ notes, project }) => [...notes, ...project],
  },
]

/** Create chats' view of the notebook: a chat's memory (undefined if it uses none), and prompt sections. */
export function createChatMemory({ notebook, isUsed, notesOf, mayRead, chosenFor }: Parts) {
  function knownIn(session: TurnSubject): MemoryForChat | undefined {
    const isReader =
      rulesOf(session).readsMemory || (session.temporary !== true && mayRead?.(session) === true)
    if (!isUsed() || !isReader) return undefined
    const known = notebook.forChat(notesOf(session))
    const chosen = chosenFor(session)
    const isChosen = (part: string) => !chosen || chosen.includes(part)
    return {
      ...known,
      user: isChosen('user') ? known.user : [],
      notes: isChosen('memory') ? known.notes : [],
      project: isChosen('project') ? known.project : [],
    }
  }
  const sectionOf = ({ write, entriesOf, ...kind }: Kind): PromptSection => ({
    ...kind,
    isTrained: true,
    text({ session, trained }) {
      const known = knownIn(session)
      if (!known) return ''
      // Blocked entries are hidden from the model, so they do not count as used.
      const shown = entriesOf(known).filter(entry => entry.blocked === null)
      return {
        text: write(known, trained?.sections),
        onStored: () => shown.length > 0 && notebook.used(shown),
      }
    },
  })
  return { knownIn, sections: KINDS.map(sectionOf) }
}
