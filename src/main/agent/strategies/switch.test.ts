import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { Step } from '../../../../testing/models/scripted.ts'
import { aTurn } from '../../../../testing/agent/a-turn.ts'
import { structuredStrategy } from './structured.ts'
import { objection, presentAsText } from '../../../../testing/agent/messages.ts'
import { createTextStrategy } from './text.ts'

const withToolRole = createTextStrategy({ format: 'mistral', toolRole: true, edition: 'full', model: 'm' })

const aStep: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  'Some text. ',
  { reasoning: 'Some thoughts. ' },
  { call: { name: 'read_file', arguments: { path: 'a' }, id: 'call_0' } },
  { call: { name: 'read_file', arguments: 'no json', id: 'call_0' } },
  { call: { name: 'nothing', arguments: {}, id: '' } },
  { fail: { code: 'unreachable', text: 'Gone.', fix: '' } },
  { stop: 'length' },
)
const aPart = fc.record({
  strategy: fc.constantFrom('text' as const, 'structured' as const),
  replies: fc.array(fc.array(aStep, { maxLength: 4 }), { maxLength: 3 }),
  stopAt: fc.integer({ min: 1, max: 30 }),
})

test('a chat that changes its strategy between turns is legal under both, however its turns ended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aPart, { minLength: 1, maxLength: 4 }), async parts => {
      let before: Message[] = []
      for (const { strategy, replies, stopAt } of parts) {
        let seen = 0
        const { messages, prompts } = await aTurn({
          strategy,
          before,
          replies: [...replies, 'The end.'],
          onEvent: (_event, stop) => ++seen === stopAt && stop(),
        })
        expect(prompts.map(({ messages }) => objection(messages))).toEqual(prompts.map(() => undefined))
        before = messages
      }
      const question: Message = {
        role: 'user',
        id: before.length + 1,
        sessionId: 's',
        at: 0,
        text: 'And now?',
      }
      for (const strategy of [presentAsText(), withToolRole, structuredStrategy])
        expect(objection(strategy.render('SYSTEM', [...before, question]))).toBeUndefined()
    }),
    { numRuns: 100 },
  )
})
