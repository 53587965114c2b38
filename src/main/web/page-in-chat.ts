import type { Message } from '../../shared/contract/messages.ts'
import { framesIn } from '../lib/strangers-text.ts'

/** A page as a chat still has it, once it is not kept any more: the parts that the model read, without what was taken out. */
export function pageInChat(messages: readonly Message[], pageId: string) {
  const parts = messages.flatMap(message => {
    const page =
      message.role === 'tool' ? message.record.web?.pages.find(each => each.pageId === pageId) : undefined
    return page && message.role === 'tool' ? [{ page, at: message.at, text: message.text }] : []
  })
  const [first] = parts
  if (!first) return undefined
  const { title, address, date } = first.page
  const texts = new Set(parts.map(({ text }) => bodyOf(text)))
  return {
    title,
    address,
    ...(date !== undefined && { date }),
    readAt: first.at,
    markdown: [...texts].join('\n\n'),
    hidden: [],
    fromChat: true as const,
  }
}

/** The text of a page, without what the result says of it. */
const bodyOf = (result: string): string =>
  framesIn(result)
    .map(({ text }) => text.replace(/^(?:(?:Title|Site|Date): [^\n]*\n)*\n/, '').trim())
    .join('\n\n')
