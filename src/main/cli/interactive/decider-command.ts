import type { HostClient } from '../../../shared/contract/index.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { sayDecider } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ChatCommand } from './follow-run.ts'
import { wrapWords } from '../output/terminal-text.ts'

/** The decider in a chat: whether it begins the calls of tools that messages ask for. */
export const deciderCommand: ChatCommand = {
  takes: '[on|off]',
  about:
    'begin the tool call that a message asks for, where the model begins none; “auto” does it as the model needs it',
  async run({ client, session, screen: { terminal } }, setting) {
    const { chat, text } = await setDecider(client, session, setting)
    terminal.say(`${wrapWords(text, process.stderr.columns || 80)}\n`)
    return chat
  },
}

/** Set the decider of a chat, or leave it where nothing is given, and say how it is then. */
export async function setDecider(
  client: HostClient,
  session: Session,
  given: string,
): Promise<{ chat: Session; text: string }> {
  const setting = given.toLowerCase()
  if (setting !== '' && setting !== 'on' && setting !== 'off' && setting !== 'auto')
    throw new Fault('bad_input', 'The decider can be on, off or auto, which is as the model needs it.')
  const chat =
    setting === ''
      ? session
      : await client['session.update']({ id: session.id, decider: setting === 'auto' ? null : setting })
  const { models } = await client['model.list']({})
  return {
    chat,
    text: sayDecider(
      chat,
      models.find(({ id }) => id === chat.modelId),
    ),
  }
}
