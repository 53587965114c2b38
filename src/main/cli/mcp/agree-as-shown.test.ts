import { expect, test } from 'vitest'
import { Fault } from '../../../shared/rpc.ts'
import { agreeAsShown } from './agree-as-shown.ts'

/** What is there, which somebody else changes `changes` times while a person reads it. */
function aDecision(changes: number) {
  let state = 1
  let left = changes
  const shown: number[] = []
  const agreed: number[] = []
  return {
    shown,
    agreed,
    look: async () => state,
    show: (each: number) => void shown.push(each),
    question: 'Agree?',
    unanswerable: 'Nobody is here.',
    async agree(each: number) {
      if (left-- > 0) state++
      if (each !== state) throw new Fault('conflict', 'It changed since it was shown.')
      agreed.push(each)
      return each
    },
  }
}

test('what is agreed to without a question is what was printed', async () => {
  const decision = aDecision(0)
  expect(await agreeAsShown({ ...decision, yes: true })).toBe(1)
  expect([decision.shown, decision.agreed]).toEqual([[1], [1]])
})

test('what changed meanwhile is printed as it is now, and nothing is agreed to', async () => {
  const decision = aDecision(1)
  await expect(agreeAsShown({ ...decision, yes: true })).rejects.toThrow('It changed since it was shown.')
  expect([decision.shown, decision.agreed]).toEqual([[1, 2], []])
})

test('without a terminal nobody is asked and nothing is agreed to', async () => {
  const decision = aDecision(0)
  await expect(agreeAsShown({ ...decision, yes: false })).rejects.toThrow('Nobody is here.')
  expect(decision.agreed).toEqual([])
})
