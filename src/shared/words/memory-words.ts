import {
  MAX_ENTRY_CHARS,
  MAX_SOUGHT_CHARS,
  type MemoryEntry,
  type MemoryView,
} from '../contract/learned/memory.ts'

/** A command that changes memory at once, without a model, and what stands behind its name. */
export type MemoryCommand = { name: '/remember' | '/note' | '/forget'; text: string }

/** The command of memory that a typed text is; undefined for any other text. */
export function readMemoryCommand(typed: string): MemoryCommand | undefined {
  const [, name, text = ''] = /^(\/remember|\/note|\/forget)(?:\s+([^]*))?$/.exec(typed.trim()) ?? []
  if (name !== '/remember' && name !== '/note' && name !== '/forget') return undefined
  return { name, text: text.trim() }
}

const EXAMPLES = {
  '/remember': 'Write what to remember about you behind it: /remember I prefer short answers',
  '/note': 'Write the note behind it: /note The staging server restarts on Sundays',
  '/forget': 'Write words of what should go behind it: /forget phone number',
} as const

/** Why nothing can be done with what stands behind the name; undefined where memory itself has to say. */
export function refuseText({ name, text }: MemoryCommand): string | undefined {
  if (text === '') return EXAMPLES[name]
  const limit = name === '/forget' ? MAX_SOUGHT_CHARS : MAX_ENTRY_CHARS
  if (text.length <= limit) return undefined
  const [length, most] = [text.length, limit].map(number => number.toLocaleString('en'))
  return name === '/forget'
    ? `This is too long to look for: it has ${length} characters, and ${most} are possible.`
    : `This is too long to remember: it has ${length} characters, and ${most} are possible.`
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

/** From when on an entry counts that was just saved in a chat, which has begun or not. */
export function tellEffect({ useInChats }: Pick<MemoryView, 'useInChats'>, hasBegun: boolean): string {
  if (!useInChats) return '“Use in chats” is off, so chats begin without it.'
  return hasBegun ? 'It counts in new chats.' : 'It counts in this chat and in new ones.'
}

/** What is said of a text that is in memory already, word for word. */
export const REMEMBERED = 'This is already remembered.'

/** Why a locked entry stays, whoever asks. */
export const WHY_LOCKED = 'locked, so it stays; unlock it on the Memory page first'

/** What a search for words gave, above the entries that it found or that come nearest. */
export function tellFound(words: string, found: number, nearest: number): string {
  if (found > 0) return `Remembered with “${words}”:`
  return nearest > 0
    ? `Nothing that is remembered holds all of “${words}”. The nearest:`
    : `Nothing that is remembered holds “${words}”, and nothing comes near it.`
}
