import type { MemoryEntry } from '../../shared/contract/memory.ts'
import type { MemoryForChat } from './memory.ts'

/** Stands where an entry is kept from the model, so that nobody wonders where it went. */
const BLOCKED =
  '[An entry was left out here because it looked unsafe. The user can see it on the Memory page.]'

/** The parts of the prompt that hold what is remembered; empty when nothing is. */
export const memoryBlock = (memory: MemoryForChat): string =>
  [userSection(memory), notesSection(memory)].filter(part => part !== '').join('\n\n')

/** What is known about the person. */
export const userSection = ({ user, capacity }: MemoryForChat): string =>
  section('About the user', user, capacity.user)

/** The agent's own notes, and those of the folder that the chat works in. */
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
  // Several lines of one entry stay together under its bullet.
  const lines = entries.map(
    entry => `- ${(entry.blocked === null ? entry.text : BLOCKED).replace(/\n/g, '\n  ')}`,
  )
  return [`## ${title}${full}`, ...lines].join('\n')
}
