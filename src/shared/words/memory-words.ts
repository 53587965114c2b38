import {
  MAX_ENTRY_CHARS,
  MAX_SOUGHT_CHARS,
  type MemoryEntry,
  type MemoryView,
} from '../contract/learned/memory.ts'

/** A command that changes memory immediately, without a model, and the text after its name. */
export type MemoryCommand = { name: '/remember' | '/note' | '/forget'; text: string }

/** Parse a typed memory command; undefined for any other text. */
export function readMemoryCommand(typed: string): MemoryCommand | undefined {
  const [, name, text = ''] = /^(\/remember|\/note|\/forget)(?:\s+([^]*))?$/.exec(typed.trim()) ?? []
  if (name !== '/remember' && name !== '/note' && name !== '/forget') return undefined
  return { name, text: text.trim() }
}

const EXAMPLES = {
  '/remember': 'Write what to remember about you after the command: /remember I prefer short answers',
  '/note': 'Write the note after the command: /note The staging server restarts on Sundays',
  '/forget': 'Write words of the memory to forget after the command: /forget phone number',
} as const

/** Why a command cannot use its text; undefined if only the memory can tell. */
export function refuseText({ name, text }: MemoryCommand): string | undefined {
  if (text === '') return EXAMPLES[name]
  const limit = name === '/forget' ? MAX_SOUGHT_CHARS : MAX_ENTRY_CHARS
  if (text.length <= limit) return undefined
  const [length, most] = [text.length, limit].map(number => number.toLocaleString('en'))
  return name === '/forget'
    ? `This is too long to search for: it has ${length} characters, and at most ${most} are allowed.`
    : `This is too long to remember: it has ${length} characters, and at most ${most} are allowed.`
}

/** The name of the place that an entry is in. */
export function namePlace(
  { target, project }: Pick<MemoryEntry, 'target' | 'project'>,
  projects: MemoryView['projects'],
): string {
  if (target === 'user') return 'About you'
  if (project === null) return 'Notes'
  const known = projects.find(each => each.id === project)
  return known === undefined
    ? 'Notes of a folder or project that is no longer known'
    : `Notes of ${known.name}`
}

/** Say which chats use a new entry, saved in a chat that already has messages or not. */
export function tellEffect({ useInChats }: Pick<MemoryView, 'useInChats'>, hasBegun: boolean): string {
  if (!useInChats) return '“Use in chats” is off, so chats start without it.'
  return hasBegun ? 'It applies in new chats.' : 'It applies in this chat and in new chats.'
}

/** The message for a text that is already in memory, word for word. */
export const REMEMBERED = 'This is already remembered.'

/** Why a locked entry is never removed. */
export const WHY_LOCKED = 'locked, so it stays; unlock it on the Memory page first'

/** The heading above the entries that a search for words found, or above the closest entries. */
export function tellFound(words: string, found: number, nearest: number): string {
  if (found > 0) return `Memories with “${words}”:`
  return nearest > 0
    ? `No memory contains all of “${words}”. The closest:`
    : `No memory contains “${words}”, and none comes close.`
}
