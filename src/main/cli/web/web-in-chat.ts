import { Fault } from '../../../shared/rpc.ts'
import { whyNoWeb } from '../../../shared/words/web-words.ts'
import type { ChatCommand, ChatState } from '../interactive/follow-run.ts'
import { wrapWords } from '../output/terminal-text.ts'

/** Search the web without the model, or switch the model's own web tools. */
export const webCommand: ChatCommand = {
  takes: '<words>',
  about:
    'search the web without the model; “on” and “off” switch the model’s own web tools in this chat, “on all” in all chats',
  async run(state, words) {
    const { client, session, screen } = state
    const [, switched, all] = /^(on|off)(?:\s+(all))?$/i.exec(words) ?? []
    if (switched !== undefined) {
      const on = switched.toLowerCase() === 'on'
      const place = all === undefined ? { sessionId: session.id } : {}
      await client['toolset.switch']({ names: ['web'], on, ...place })
      say(state, await switchedText(state, on, all !== undefined))
      return client['session.get']({ id: session.id })
    }
    if (words === '') {
      say(state, await stateText(state))
      return session
    }
    const { describeSearch } = await import('./web-actions.ts')
    try {
      screen.terminal.say(`${describeSearch(await client['web.search']({ words: words.slice(0, 400) }))}\n`)
    } catch (error) {
      // A failed search does not end the chat.
      if (!(error instanceof Fault)) throw error
      say(state, error.message)
    }
    return session
  },
}

const say = ({ screen: { terminal } }: ChatState, text: string) =>
  terminal.say(`${wrapWords(text, process.stderr.columns || 80)}\n`)

async function stateText(state: ChatState): Promise<string> {
  const { client, session } = state
  const { toolsets } = await client['toolset.list']({ sessionId: session.id })
  const isOn = toolsets.some(({ name, state: is }) => name === 'web' && is !== 'off')
  const how = isOn ? '/web off switches it off.' : '/web on switches it on, /web on all in every chat.'
  const why = await reasonAgainst(state)
  return `The model ${isOn ? 'may' : 'may not'} use the web in this chat. ${how} /web and a few words searches without the model.${why === undefined ? '' : ` ${why}`}`
}

async function switchedText(state: ChatState, on: boolean, all: boolean): Promise<string> {
  const where = all ? 'in every chat without a setting of its own' : 'in this chat'
  if (!on) return `The web is off ${where}, from the next message on.`
  const why = await reasonAgainst(state)
  if (why !== undefined) return `The web is on ${where}. ${why}`
  return `The web is on ${where}, from the next message on: the model may search and read pages, and asks you whenever this chat asks about what leaves this computer. Its searches are sent to search engines.`
}

/** The reason why the model of the chat cannot use the web; undefined if it can. */
async function reasonAgainst({ client, session }: ChatState): Promise<string | undefined> {
  const { models } = await client['model.list']({})
  const model = models.find(({ id }) => id === session.modelId)
  return model && whyNoWeb(model)
}
