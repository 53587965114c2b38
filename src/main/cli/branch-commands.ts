import type { Branch } from '../../shared/contract/branches.ts'
import type { Session } from '../../shared/contract/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { followRun, modelIdOf, type ChatCommand, type ChatState } from './follow-run.ts'
import { showTable, stripControls } from './terminal-text.ts'

/** Branches to list; the window shows more of them. */
const MOST_LISTED = 40

/** The commands of a chat that move its path: nothing of what they leave is lost. */
export const branchCommands: Readonly<Record<string, ChatCommand>> = {
  '/undo': {
    about: 'go back before your last message; it stays as a branch',
    async run({ client, session: { id }, screen: { terminal } }) {
      const { text, session } = await client['branch.undo']({ sessionId: id })
      terminal.say(`Back before: ${stripControls(text)}\n/branches leads there again.\n`)
      return session
    },
  },
  '/retry': {
    takes: '[model]',
    about: 'answer your last message again, with another model if you name one',
    async run({ client, session, screen }, model) {
      const modelId = model === '' ? undefined : await modelIdOf(client, model)
      const { messages } = await client['session.messages']({ id: session.id, limit: 1 })
      const [last] = messages
      if (!last) throw new Fault('not_found', 'Nothing was said in this chat yet.')
      const { runId } = await client['branch.retry']({
        sessionId: session.id,
        messageId: last.id,
        ...(modelId !== undefined && { modelId }),
      })
      await followRun(client, runId, screen)
      return client['session.get']({ id: session.id })
    },
  },
  '/branches': {
    takes: '[number]',
    about: 'list the branches of this chat, or go to one',
    async run(state, number) {
      const { client, session } = state
      const { branches } = await client['branch.list']({ sessionId: session.id, limit: MOST_LISTED })
      if (number === '') return list(state, branches)
      const chosen = branches[Number(number) - 1]
      if (!chosen)
        throw new Fault('bad_input', `There is no branch ${stripControls(number)}. /branches lists them.`)
      const moved = await client['branch.switch']({ sessionId: session.id, messageId: chosen.id })
      const { messages } = await client['session.messages']({ id: session.id, limit: 1 })
      state.screen.terminal.say(
        `The chat now ends with: ${stripControls(beginningOf(messages[0]?.text ?? ''))}\n`,
      )
      return moved
    },
  },
}

function list({ session, screen: { terminal } }: ChatState, branches: readonly Branch[]): Session {
  if (branches.length === 0) terminal.say('This chat has no branches. /undo and /retry begin one.\n')
  else
    terminal.say(
      `${showTable(
        branches.map(({ isOnPath, role, text }, at) => [
          `${isOnPath ? '*' : ' '} ${at + 1}`,
          `${role === 'user' ? 'You' : 'Answer'}: ${text || 'tool calls'}`,
        ]),
        process.stderr.columns || 80,
      )}\n`,
    )
  return session
}

const beginningOf = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
