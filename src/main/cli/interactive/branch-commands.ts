import {
  commandsLeft,
  type Branch,
  type Leaving,
  type Move,
} from '../../../shared/contract/chats/branches.ts'
import type { ChangedFile } from '../../../shared/contract/chats/changed-files.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { tellObeyedFile } from '../../../shared/words/obeyed-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { followRun, modelIdOf, type ChatCommand, type ChatState } from './follow-run.ts'
import { undoHint } from '../skills/skills-actions.ts'
import { many, showTable, stripControls } from '../output/terminal-text.ts'

/** Maximum number of branches to list; the window shows more. */
const MOST_LISTED = 40

/** The chat commands that move the path of a chat. Messages that leave the path stay as a branch. */
export const branchCommands: Readonly<Record<string, ChatCommand>> = {
  '/undo': {
    about: 'go back before your last message; it stays as a branch',
    async run(state) {
      const { id } = state.session
      const { client } = state
      const left = await askAboutFiles(state, { how: 'undo' })
      if (!left) return state.session
      const { text, session } = await client['branch.undo']({ sessionId: id })
      state.screen.terminal.say(
        `Went back before: ${stripControls(text)}\n/branches takes you there again.\n`,
      )
      sayLeft(state, left)
      return session
    },
  },
  '/retry': {
    takes: '[model]',
    about: 'answer your last message again, with another model if you name one',
    async run(state, model) {
      const { client, session, screen } = state
      const modelId = model === '' ? undefined : await modelIdOf(client, model)
      const { messages } = await client['session.messages']({ id: session.id, limit: 1 })
      const [last] = messages
      if (!last) throw new Fault('not_found', 'This chat has no messages yet.')
      const left = await askAboutFiles(state, { how: 'retry', messageId: last.id })
      if (!left) return session
      sayLeft(state, left)
      const { runId } = await client['branch.retry']({
        sessionId: session.id,
        messageId: last.id,
        ...(modelId !== undefined && { modelId }),
      })
      await followRun(client, runId, screen)
      return client['session.get']({ id: session.id })
    },
  },
  '/continue': {
    about: 'continue the last answer, which was cut off',
    async run({ client, session, screen }) {
      const { runId } = await client['branch.continue']({ sessionId: session.id })
      await followRun(client, runId, screen)
      return client['session.get']({ id: session.id })
    },
  },
  '/branches': {
    takes: '[number]',
    about: 'list the branches of this chat, or switch to one',
    async run(state, number) {
      const { client, session } = state
      const { branches } = await client['branch.list']({ sessionId: session.id, limit: MOST_LISTED })
      if (number === '') return list(state, branches)
      const chosen = branches[Number(number) - 1]
      if (!chosen)
        throw new Fault('bad_input', `There is no branch ${stripControls(number)}. /branches lists them.`)
      const left = await askAboutFiles(state, { how: 'switch', messageId: chosen.id })
      if (!left) return session
      const moved = await client['branch.switch']({ sessionId: session.id, messageId: chosen.id })
      const { messages } = await client['session.messages']({ id: session.id, limit: 1 })
      state.screen.terminal.say(
        `The chat now ends with: ${stripControls(beginningOf(messages[0]?.text ?? ''))}\n`,
      )
      sayLeft(state, left)
      return moved
    },
  },
  '/restore': {
    takes: '[numbers]',
    about: 'list the files that differ from how this chat left them, or restore some; “all” restores all',
    async run(state, given) {
      const { client, session, screen } = state
      const { terminal } = screen
      const { files } = await client['files.changed']({ sessionId: session.id })
      const usable = files.filter(({ problem }) => problem === null)
      if (given === '') {
        terminal.say(files.length === 0 ? 'Every file is as this chat left it.\n' : describe(files, usable))
        return session
      }
      await restore(state, usable, given)
      return session
    },
  },
}

/**
 * Read what a move would leave behind. At a terminal the user can restore files first, as in the window.
 * Undefined if the user decides to stay.
 */
async function askAboutFiles(state: ChatState, move: Move): Promise<Leaving | undefined> {
  const { client, session, screen } = state
  const { terminal } = screen
  const left = await client['branch.leaving']({ sessionId: session.id, move })
  const usable = left.files.filter(({ problem }) => problem === null)
  if (usable.length === 0 || !terminal.activity) return left
  terminal.say(`The messages that you are leaving changed these files:\n${describe(usable, usable)}`)
  const given = await terminal.askText(
    'Restore which files? Numbers, “all”, Enter for none, “no” to stay here: ',
  )
  if (given === undefined || /^no?$/i.test(given)) {
    terminal.say('Nothing was changed.\n')
    return undefined
  }
  if (given === '') return left
  const restored = await restore(state, usable, given)
  return { ...left, files: left.files.filter(({ path }) => !restored.has(path)) }
}

/**
 * Restore the files with these numbers, or all, and say so. Returns the paths of those that were restored.
 */
async function restore(
  { client, session, screen: { terminal } }: ChatState,
  usable: readonly ChangedFile[],
  given: string,
): Promise<ReadonlySet<string>> {
  const numbers = given === 'all' ? usable.keys() : given.split(/[\s,]+/).map(each => Number(each) - 1)
  const chosen = [...new Set(numbers)].map(at => usable[at])
  if (chosen.length === 0) throw new Fault('bad_input', 'None of the files can be restored.')
  if (!chosen.every(file => file !== undefined))
    throw new Fault('bad_input', 'No file has that number. /restore lists the files with their numbers.')
  const steps = chosen.map(({ path, from, to }) => ({ path, from, to }))
  const asked = chosen.filter(({ obeyedBy }) => obeyedBy !== undefined)
  const names = asked.map(({ name, obeyedBy = '' }) => tellObeyedFile(name, obeyedBy)).join('; ')
  const obeyed =
    asked.length > 0 &&
    (await terminal.confirm(`Programs act on these files without asking you: ${names}. Restore them, too?`))
  const { restored, failed } = await client['files.restore']({ sessionId: session.id, files: steps, obeyed })
  for (const { name, to } of restored)
    terminal.say(`${to === null ? 'Removed' : 'Restored'} ${stripControls(name)}.\n`)
  for (const { name, why } of failed) terminal.say(`${stripControls(name)}: ${stripControls(why)}\n`)
  return new Set(restored.map(({ path }) => path))
}

const VERBS = { write: 'Restore', create: 'Create', remove: 'Remove' } as const

/** Files with their diffs; those that can be restored have numbers. */
const describe = (files: readonly ChangedFile[], usable: readonly ChangedFile[]): string =>
  files
    .map(file => {
      const { name, change, diff, note, problem } = file
      const at = usable.indexOf(file)
      const head = at < 0 ? `  ${name}: ${problem}` : `${at + 1} ${VERBS[change]} ${name}`
      const rest = at < 0 ? '' : (diff ?? note)
      return `${stripControls(head)}\n${rest === '' ? '' : `${stripControls(rest).replace(/^/gm, '    ')}\n`}`
    })
    .join('')

/** Say what a move left behind outside the chat. */
function sayLeft(
  { screen: { terminal } }: Pick<ChatState, 'screen'>,
  { files, commands, memory, skills }: Leaving,
): void {
  const usable = files.filter(({ problem }) => problem === null)
  if (usable.length > 0) {
    const names = usable.slice(0, 5).map(({ name }) => stripControls(name))
    const more = usable.length > names.length ? ` and ${usable.length - names.length} more` : ''
    terminal.say(`Files changed there: ${names.join(', ')}${more}. /restore restores them.\n`)
  }
  for (const { name, problem } of files)
    if (problem !== null)
      terminal.say(`${stripControls(name)} cannot be restored. ${stripControls(problem)}\n`)
  if (commands > 0) terminal.say(`${commandsLeft(commands)}\n`)
  if (memory.length > 0)
    terminal.say(
      `Memory was changed there: ${many(memory.length, 'change')}. “talaria memory history” lists them, “talaria memory undo” undoes one.\n`,
    )
  if (skills.length > 0)
    terminal.say(
      `Skills were changed there: ${[...new Set(skills.map(({ name }) => stripControls(name)))].join(', ')}. ${undoHint(skills)}\n`,
    )
}

function list({ session, screen: { terminal } }: ChatState, branches: readonly Branch[]): Session {
  if (branches.length === 0) terminal.say('This chat has no branches. /undo and /retry start one.\n')
  else
    terminal.say(
      `${showTable(
        branches.map(({ isOnPath, role, text, called }, at) => [
          `${isOnPath ? '*' : ' '} ${at + 1}`,
          `${role === 'user' ? 'You' : 'Answer'}: ${text || (called ? `called ${stripControls(called.name)}` : 'tool calls')}`,
        ]),
        process.stderr.columns || 80,
      )}\n`,
    )
  return session
}

const beginningOf = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
