import fc from 'fast-check'
import type { AssistantMessage, Message } from '../../src/shared/contract/chats/messages.ts'

// For tests: realistic chat histories.

const reply: Omit<AssistantMessage, 'id'> = {
  role: 'assistant',
  sessionId: 'chat',
  at: 0,
  text: '',
  reasoning: '',
  calls: [],
  interrupted: false,
  model: 'm',
}

/** A text of `count` words. */
const words = (count: number) => 'word '.repeat(count).trim()

/**
 * A valid history: questions, replies with or without calls, a result for each call, and possibly an unanswered
 * question at the end.
 */
export const aHistory: fc.Arbitrary<Message[]> = fc
  .record({
    turns: fc.array(
      fc.record({
        question: fc.integer({ min: 1, max: 100 }),
        steps: fc.array(
          fc.record({ calls: fc.integer({ min: 1, max: 3 }), result: fc.integer({ min: 0, max: 250 }) }),
          { maxLength: 4 },
        ),
        answer: fc.integer({ min: 0, max: 120 }),
      }),
      { minLength: 1, maxLength: 25 },
    ),
    open: fc.boolean(),
  })
  .map(({ turns, open }) => {
    const messages: Message[] = []
    const common = () => ({ id: messages.length + 1, sessionId: 'chat', at: 0 })
    for (const [number, { question, steps, answer }] of turns.entries()) {
      messages.push({ ...common(), role: 'user', text: `Question ${number}: ${words(question)}` })
      if (open && number === turns.length - 1) break
      for (const { calls, result } of steps) {
        const ids = Array.from({ length: calls }, (_, at) => `call_${messages.length}_${at}`)
        messages.push({
          ...reply,
          ...common(),
          calls: ids.map(id => ({ id, name: 'look', arguments: {} })),
        })
        for (const callId of ids)
          messages.push({
            ...common(),
            role: 'tool',
            callId,
            name: 'look',
            ok: true,
            text: words(result),
            durationMs: 0,
            record: { decision: 'ran' },
          })
      }
      messages.push({ ...reply, ...common(), text: `Answer ${number}: ${words(answer)}` })
    }
    return messages
  })

/** A second history appended to a first one. */
export const after = (first: readonly Message[], second: readonly Message[]): Message[] =>
  second.map(message => ({ ...message, id: message.id + first.length }))

/** The messages that no summary covers, as the store returns them. */
export const leftBy = (
  messages: readonly Message[],
  { headId, upToId, questionId = 0 }: { headId: number; upToId: number; questionId?: number },
): Message[] =>
  messages.filter(
    ({ id, role }) => id <= headId || id > upToId || (role === 'user' && questionId > 0 && id >= questionId),
  )
