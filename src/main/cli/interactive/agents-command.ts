import { standingOf } from '../../../shared/words/sub-agent-words.ts'
import type { Delegated } from '../../../shared/contract/runs/delegation.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ChatCommand } from './follow-run.ts'
import { many, showTable, stripControls } from '../output/terminal-text.ts'

/** The sub-agents of the chat: how they stand, and a stop for all that still work. */
export const agentsCommand: ChatCommand = {
  takes: '[stop]',
  about: 'list the sub-agents of this chat; “stop” ends all that work, those in the background too',
  async run({ client, session, screen: { terminal } }, what) {
    const { id: sessionId } = session
    if (what !== '' && what !== 'stop')
      throw new Fault('bad_input', '/agents lists them, /agents stop ends all that work.')
    if (what === 'stop') {
      const { names } = await client['delegation.stopAll']({ sessionId })
      terminal.say(names.length === 0 ? `${NONE_AT_WORK}\n` : `Stopped: ${names.join(', ')}.\n`)
      return session
    }
    const { agents } = await client['delegation.ofChat']({ sessionId })
    if (agents.length === 0) terminal.say('This chat has no sub-agents.\n')
    else
      terminal.say(
        `${showTable(
          agents.map(each => [each.name, describe(each)] as const),
          process.stderr.columns || 80,
        )}\n`,
      )
    return session
  },
}

const NONE_AT_WORK = 'None of the sub-agents of this chat works now.'

function describe(agent: Delegated): string {
  const { state, line, steps, background } = agent
  const where = background && state !== 'ended' ? ' in the background' : ''
  const said = line === '' ? '' : `: ${stripControls(line)}`
  return `${standingOf(agent)}${where}, ${many(steps, 'step')}${said}`
}
