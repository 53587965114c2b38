import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { fillText } from '../../shared/text/fill-template.ts'
import type { TrainedWords } from '../agent/prompt.ts'
import type { MemoryForChat } from './open-memory.ts'
import { datedText } from './passing/date-entry.ts'

type Words = Pick<TrainedWords['sections'], 'user' | 'notes' | 'folderNotes' | 'blocked'>

const WORDS: Words = {
  user: '## About the user ({share} % full)',
  notes: '## Your notes ({share} % full)',
  folderNotes: '## Your notes about this folder',
  // Shown because a gap would puzzle the model.
  blocked: '[An entry was left out here because it looked unsafe. The user can see it on the Memory page.]',
}

/** The memory as prompt text; empty if there are no entries. */
export const memoryBlock = (memory: MemoryForChat): string =>
  joinParts([userSection(memory), notesSection(memory)])

/** The entries about the user. */
export const userSection = ({ user, capacity }: MemoryForChat, words = WORDS): string =>
  section(words.user, words, user, capacity.user)

/** The agent's own notes, and those about the chat's folder. */
export const notesSection = ({ notes, project, capacity }: MemoryForChat, words = WORDS): string =>
  joinParts([section(words.notes, words, notes, capacity.memory), section(words.folderNotes, words, project)])

const joinParts = (parts: readonly string[]) => parts.filter(part => part !== '').join('\n\n')

function section(
  heading: string,
  { blocked }: Words,
  entries: readonly MemoryEntry[],
  room = { used: 0, limit: 1 },
): string {
  if (entries.length === 0) return ''
  const share = `${Math.round((room.used / room.limit) * 100)}`
  // Indent the lines of an entry under its bullet.
  const lines = entries.map(
    entry => `- ${(entry.blocked === null ? datedText(entry) : blocked).replaceAll('\n', '\n  ')}`,
  )
  return [fillText(heading, { share }), ...lines].join('\n')
}
