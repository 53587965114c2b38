import type { ServedReply, ServedRequest } from '../servers/openai-server.ts'

/** The answers of a scripted model in a review. */
export type ReviewScript = {
  /** The triage answer; a string is sent verbatim. */
  first?: { worth: boolean; facts?: string[]; procedure?: string } | string
  /** The calls of the review, step by step; then the model finishes. */
  review?: readonly (readonly ScriptedCall[])[]
}
type ScriptedCall = { name: string; arguments: Record<string, unknown> }

type Said = { role: string; content?: string | { text?: string }[] | null }

const FIRST = '[Review] The user is not here now. '
const REVIEW = '[Review] The user is not here now and '

/** Which review request this is, and which step of the review; undefined for a chat. */
export function lookingBack(request: ServedRequest): { asks: 'first' | 'review'; step: number } | undefined {
  const messages = request.body.messages as Said[]
  const begins = (start: string) =>
    messages.findLastIndex(each => each.role === 'user' && textOf(each).startsWith(start))
  const review = begins(REVIEW)
  if (review >= 0)
    return { asks: 'review', step: messages.slice(review).filter(each => each.role === 'assistant').length }
  return begins(FIRST) === messages.length - 1 ? { asks: 'first', step: 0 } : undefined
}

/** A model that chats as `chat` says and reviews as the current script says. */
export function scriptedLearner(
  chat: (request: ServedRequest) => ServedReply,
  script: () => ReviewScript,
): (request: ServedRequest) => ServedReply {
  return request => {
    const asked = lookingBack(request)
    if (!asked) return chat(request)
    const { first = { worth: false }, review = [] } = script()
    if (asked.asks === 'first')
      return {
        text: typeof first === 'string' ? first : JSON.stringify({ facts: [], procedure: '', ...first }),
      }
    const calls = review[asked.step]
    return calls ? { toolCalls: calls.map(each => ({ ...each })) } : { text: 'Done.' }
  }
}

/** The text of a message as it was sent. */
export const textOf = ({ content }: Said): string =>
  typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('')
