import { expect, test } from 'vitest'
import type { Message, NewMessage } from '../../shared/contract/chats/messages.ts'
import { aReply, isLegal } from '../../../testing/agent/a-turn.ts'
import { presentAsText } from '../../../testing/agent/messages.ts'
import { scriptedEngine } from '../../../testing/models/scripted.ts'
import { fitHistory, messageTokens } from './fit-history.ts'
import { nothingOmitted } from './fit-turn.ts'

const engine = scriptedEngine({ replies: [] })
const contextTokens = 8_192
const turn = {
  engine,
  system: 'You are a test.',
  contextTokens,
  tools: [],
  strategy: presentAsText({ ...engine, contextTokens }),
}
const costOf = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens({ engine }, message, true), 0)

/** A turn that looks at this many pictures, one per step, each about 1,600 tokens. */
function lookingTurn(count: number): Message[] {
  const question: NewMessage = { role: 'user', sessionId: 's', at: 0, text: 'Look at all of them.' }
  const steps = Array.from({ length: count }, (_, at): NewMessage[] => {
    const call = { id: `p${at}`, name: 'read_file', arguments: { path: `${at}.png` } }
    const picture = {
      hash: `${at}`.padStart(64, '0'),
      name: `[${at}].png`,
      kind: 'picture',
      bytes: 9,
    } as const
    return [
      aReply('', { calls: [call] }),
      {
        role: 'tool',
        sessionId: 's',
        at: 0,
        callId: call.id,
        name: call.name,
        ok: true,
        text: `${at}.png is a picture.`,
        attachments: [{ ...picture, use: 'picture', width: 1_568, height: 1_568 }],
        durationMs: 1,
        record: { decision: 'ran' },
      },
    ]
  })
  return [question, ...steps.flat()].map((message, at) => ({ ...message, id: at + 1 }))
}
const picturesIn = (messages: readonly Message[]) =>
  messages.flatMap(message => (message.role === 'tool' ? (message.attachments ?? []) : [])).length

test('pictures of older results are left out and named where there is no room; a model that does not see has room for lines', () => {
  const fitted = fitHistory(turn, lookingTurn(6), nothingOmitted(), 1)
  expect(fitted.left).toBe('results')
  expect(isLegal(fitted.messages)).toBe(true)
  expect(picturesIn(fitted.messages)).toBeGreaterThan(0)
  expect(picturesIn(fitted.messages)).toBeLessThan(4)
  expect(fitted.messages.find(({ role }) => role === 'tool')?.text).toBe(
    '0.png is a picture.\n[Its picture  0 .png was left out to make room. Look at it again if you need it.]',
  )
  expect(costOf(fitted.messages)).toBeLessThan(8_192 * 0.8)
  const blind = fitHistory({ ...turn, sees: false }, lookingTurn(6), nothingOmitted(), 1)
  expect([blind.left, picturesIn(blind.messages)]).toEqual([undefined, 6])
})
