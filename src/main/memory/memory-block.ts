import type { MemoryEntry } from '../../shared/contract/memory.ts'
import type { MemoryForChat } from './open-memory.ts'
import { datedText } from './passing/date-entry.ts'

/** Placeholder for an entry hidden from the model, so that the model does not wonder about the gap. */
const BLOCKED =
  '[An entry was left out here because it looked unsafe. The user can see it on the Memory page.]'

/** The memory as prompt text; empty when there are no entries. */
export const memoryBlock = (memory: MemoryForChat): string =>
  [userSection(memory), notesSection(memory)].filter(part => part !== '').join('\n\n')

/** The entries about the user. */
export const userSection = ({ user, capacity }: MemoryForChat): string =>
  section('About the user', user, capacity.user)

/** The agent's own notes, and those about the chat's folder. */
export const notesSection = ({ notes, project, capacity }: MemoryForChat): string =>
  [section('Your notes', notes, capacity.memory), section('Your notes about this folder', project)]
    .filter(part => part !== '')
    .join('\n\n')

function section(
  title: string,
  entries: readonly MemoryEntry[],
  room?: { used: number; limit: number },
): string {
  if (entries.length === 0) return ''
  const full = room ? ` (${Math.round((room.used / room.limit) * 100)} % full)` : ''
  // Indent the lines of an entry under its bullet.
  const lines = entries.map(
    entry => `- ${(entry.blocked === null ? datedText(entry) : BLOCKED).replace(/\n/g, '\n  ')}`,
  )
  return [`## ${title}${full}`, ...lines].join('\n')
}
