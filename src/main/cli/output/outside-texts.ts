import type { StrangersText } from '../../../shared/contract/runs/run.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { escapeInvisible } from './terminal-text.ts'

/** Fetches the full text from outside that a question mentions. */
export type ReadText = (text: StrangersText) => Promise<string>

/** Maximum number of texts that a question shows; more are only counted and listed by name. */
const MOST_SHOWN = 5

/**
 * List the texts from outside that may have led to a question: the source, the call that read it, and the
 * start of each.
 */
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

/** The texts of a question in full. */
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

/** Create a reader that takes texts from the messages that contain them. */
export const textReader =
  (client: HostClient): ReadText =>
  async ({ sessionId, messageId, beginning }) => {
    if (sessionId === undefined || messageId === undefined) return beginning
    const { messages } = await client['session.messages']({ id: sessionId, before: messageId + 1, limit: 1 })
    const [message] = messages
    if (message?.id !== messageId) return beginning
    return message.role === 'user' ? (message.reports ?? message.text) : message.text
  }
