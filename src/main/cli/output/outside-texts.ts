import type { StrangersText } from '../../../shared/contract/runs/run.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { escapeInvisible } from './terminal-text.ts'

/** Fetches the whole of a text from outside that a question names. */
export type ReadText = (text: StrangersText) => Promise<string>

/** Texts that a question shows at once; more of them are only counted and listed by name. */
const MOST_SHOWN = 5

/** The texts from outside that may be behind a question: whose each is, what read it and how it begins. */
export function linesOfTexts(texts: readonly StrangersText[]): string {
  const isMany = texts.length > MOST_SHOWN
  const lines = texts.flatMap(({ source, call, beginning }) => [
    `  ${escapeInvisible(`From ${source}${call === undefined ? '' : `, read by: ${call}`}`)}`,
    ...(isMany ? [] : [escapeInvisible(beginning || GONE).replace(/^/gm, '    │ ')]),
  ])
  const many = isMany ? [`  ${texts.length} texts may have led to this question:`] : []
  return `${[...many, ...lines].join('\n')}\n`
}

const GONE = 'This chat no longer contains the text.'

/** The texts of a question as a whole. */
export async function wholeTexts(texts: readonly StrangersText[], readText: ReadText): Promise<string> {
  const whole = await Promise.all(
    texts.map(async text => {
      const said = await readText(text).catch(() => text.beginning)
      const lines = escapeInvisible(said || GONE).replace(/^/gm, '    │ ')
      return `  ${escapeInvisible(`From ${text.source}`)}\n${lines}`
    }),
  )
  return `${whole.join('\n')}\n`
}

/** Reads texts in the messages that hold them. */
export const textReader =
  (client: HostClient): ReadText =>
  async ({ sessionId, messageId, beginning }) => {
    if (sessionId === undefined || messageId === undefined) return beginning
    const { messages } = await client['session.messages']({ id: sessionId, before: messageId + 1, limit: 1 })
    const [message] = messages
    if (message?.id !== messageId) return beginning
    return message.role === 'user' ? (message.reports ?? message.text) : message.text
  }
