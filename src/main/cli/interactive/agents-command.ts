import { standingOf } from '../../../shared/words/sub-agent-words.ts'
import type { Delegated } from '../../../shared/contract/runs/delegation.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ChatCommand } from './follow-run.ts'
import { many, showTable, stripControls } from '../output/terminal-text.ts'

/** List the sub-agents of a chat with their states, or stop all that are still working. */
export const agentsCommand: ChatCommand = {
  takes: '[stop]',
  about: 'list the sub-agents of this chat; “stop” stops them all, including those in the background',
  async run({ client, session, screen: { terminal } }, what) {
    const { id: sessionId } = session
    if (what !== '' && what !== 'stop')
      throw new Fault('bad_input', '/agents lists the sub-agents, /agents stop stops them all.')
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

const NONE_AT_WORK = 'No sub-agent of this chat is working.'

function describe(agent: Delegated): string {
  const { state, line, steps, background } = agent
  const where = background && state !== 'ended' ? ' in the background' : ''
  const said = line === '' ? '' : `: ${stripControls(line)}`
  return `${standingOf(agent)}${where}, ${many(steps, 'step')}${said}`
}
