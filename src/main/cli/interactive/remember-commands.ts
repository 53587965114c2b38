import type { MemoryEntry, MemoryRevision, MemoryTarget } from '../../../shared/contract/learned/memory.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import {
  namePlace,
  readMemoryCommand,
  REMEMBERED,
  refuseText,
  tellEffect,
  tellFound,
  WHY_LOCKED,
  type MemoryCommand,
} from '../../../shared/words/memory-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ChatCommand, ChatState } from './follow-run.ts'
import { shortId } from '../memory/show-memory.ts'
import { escapeInvisible, wrapWords } from '../output/terminal-text.ts'

/** The chat commands that change memory immediately. They ask no model and leave nothing in the chat. */
export const rememberCommands: Readonly<Record<MemoryCommand['name'], ChatCommand>> = {
  '/remember': {
    takes: '<text>',
    about: 'remember this about you, in your own words, immediately and without a model',
    run: (state, text) => save(state, '/remember', text),
  },
  '/note': {
    takes: '<text>',
    about: 'save a note the same way; in a chat of a project, for that project',
    run: (state, text) => save(state, '/note', text),
  },
  '/forget': {
    takes: '<words>',
    about: 'list memories with these words, and ask which ones to forget',
    run: forget,
  },
}

/**
 * Handle a line typed while a model works. A memory is saved now; `/forget` asks a question, so it waits
 * until the answer ends. Undefined for any other line, which is for the model.
 */
export async function doAside(state: ChatState, typed: string): Promise<'done' | 'waits' | undefined> {
  const command = readMemoryCommand(typed)
  if (command === undefined) return undefined
  if (command.name === '/forget') return 'waits'
  try {
    await save(state, command.name, command.text)
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'disconnected') throw error
    state.screen.terminal.say(`${error.message}\n`)
  }
  return 'done'
}

const TARGETS: Record<'/remember' | '/note', MemoryTarget> = { '/remember': 'user', '/note': 'memory' }

async function save(
  { client, session, screen: { terminal } }: ChatState,
  name: '/remember' | '/note',
  text: string,
): Promise<Session> {
  refuseOr({ name, text })
  const { id: sessionId } = session
  const { revisions } = await client['memory.add']({
    target: TARGETS[name],
    text,
    inProjectOf: sessionId,
    source: { sessionId },
  })
  const [saved] = revisions
  if (!saved) {
    terminal.say(`${REMEMBERED}\n`)
    return session
  }
  const view = await client['memory.view']({})
  const { messageCount } = await client['session.get']({ id: sessionId })
  terminal.say(
    `Remembered in ${escapeInvisible(namePlace(saved, view.projects))}: ${lineOf(saved.entryId, saved.after ?? text)}\n`,
  )
  terminal.say(`${tellEffect(view, messageCount > 0)} ${undoLine(revisions)}\n`)
  return session
}

async function forget(state: ChatState, text: string): Promise<Session> {
  const { client, session } = state
  const { terminal } = state.screen
  refuseOr({ name: '/forget', text })
  const { found, nearest } = await client['memory.find']({ words: text })
  const { projects } = await client['memory.view']({})
  const listed = found.length > 0 ? found : nearest
  const free = listed.filter(({ locked }) => !locked)
  terminal.say(
    `${wrapWords(escapeInvisible(tellFound(text, found.length, nearest.length)), process.stderr.columns || 80)}\n`,
  )
  for (const entry of listed) {
    const number = entry.locked ? '-' : `${free.indexOf(entry) + 1}`
    const place = escapeInvisible(namePlace(entry, projects))
    terminal.say(
      `${number.padStart(3)} ${place}: ${indented(entry.text)}${entry.locked ? `  (${WHY_LOCKED})` : ''}\n`,
    )
  }
  if (free.length === 0) {
    if (listed.length === 0) terminal.say('/memory shows what is remembered.\n')
    return session
  }
  const all = found.length > 0 ? ', “all”' : ''
  const given = await terminal.askText(`Forget which? Numbers${all}, Enter for none: `)
  const chosen = chosenOf(free, given ?? '', found.length > 0)
  if (chosen.length === 0) {
    terminal.say('Nothing was forgotten.\n')
    return session
  }
  const { revisions } = await client['memory.remove']({ ids: chosen.map(({ id }) => id) })
  for (const { entryId, before } of revisions) terminal.say(`Forgotten: ${lineOf(entryId, before ?? '')}\n`)
  terminal.say(revisions.length === 0 ? 'It was forgotten already.\n' : `${undoLine(revisions)}\n`)
  if (revisions.length > 0)
    terminal.say('The archive keeps it. “talaria memory forget” removes it for good.\n')
  return session
}

/** Choose entries by their numbers. `all` is accepted only if the entries contain all of the words. */
function chosenOf(free: readonly MemoryEntry[], given: string, hasAll: boolean): MemoryEntry[] {
  if (given === '' || /^no?(?:ne)?$/i.test(given)) return []
  if (hasAll && given.toLowerCase() === 'all') return [...free]
  const chosen = [...new Set(given.split(/[\s,]+/).filter(each => each !== ''))].map(
    each => free[Number(each) - 1],
  )
  if (chosen.every(entry => entry !== undefined)) return chosen
  throw new Fault('bad_input', 'Nothing was forgotten: no entry has that number. /forget lists them again.')
}

function refuseOr(command: MemoryCommand): void {
  const refused = refuseText(command)
  if (refused !== undefined) throw new Fault('bad_input', refused)
}

const undoLine = (revisions: readonly MemoryRevision[]) =>
  `Undo: talaria memory undo ${revisions.map(({ id }) => id).join(' ')}`
const lineOf = (entryId: string, text: string) => `${shortId(entryId)}  ${indented(text)}`
/** Indent the further lines of an entry. */
const indented = (text: string) => escapeInvisible(text).replaceAll('\n', '\n    ')
