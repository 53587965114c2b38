import type { HostClient } from '../../../shared/contract/index.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { sayDecider } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ChatCommand } from './follow-run.ts'
import { wrapWords } from '../output/terminal-text.ts'

/** Show or set the decider of a chat, which starts the tool calls that messages ask for. */
export const deciderCommand: ChatCommand = {
  takes: '[on|off]',
  about:
    'start the tool call that a message asks for if the model starts none; “auto” does so only for models that need it',
  async run({ client, session, screen: { terminal } }, setting) {
    const { chat, text } = await setDecider(client, session, setting)
    terminal.say(`${wrapWords(text, process.stderr.columns || 80)}\n`)
    return chat
  },
}

/** Set the decider of a chat if a setting is given, and describe its state. */
export async function setDecider(
  client: HostClient,
  session: Session,
  given: string,
): Promise<{ chat: Session; text: string }> {
  const setting = given.toLowerCase()
  if (setting !== '' && setting !== 'on' && setting !== 'off' && setting !== 'auto')
    throw new Fault(
      'bad_input',
      'The decider can be on, off or auto. With auto, it is on only for models that need it.',
    )
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
