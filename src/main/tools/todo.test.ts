import { describe, expect, test } from 'vitest'
import { readPlan, writePlan } from '../../shared/plan-steps.ts'
import { aWorkspace, said } from '../../../testing/tools/a-workspace.ts'
import { todoTool } from './todo.ts'

const noPlan = todoTool(() => undefined)

test('a plan comes back in one form, however a small model marks its steps', async () => {
  const { call } = aWorkspace({})
  const plan =
    '1. [x] Read the file\n- [>] Change it\n* [ ] Run the tests\n  [-]  Write   a letter\n\nTell the user'
  expect(said(await call(noPlan, { plan }))).toBe(
    '[x] Read the file\n[>] Change it\n[ ] Run the tests\n[-] Write a letter\n[ ] Tell the user',
  )
})

test('without a plan, the newest one is read', async () => {
  const { call } = aWorkspace({})
  expect(said(await call(noPlan, {}))).toBe('There is no plan yet.')
  const kept = todoTool((_, tool) => (tool === 'todo' ? { text: '[ ] Go on' } : undefined))
  expect(said(await call(kept, { plan: ' ' }))).toBe('[ ] Go on')
})

test.each([
  ['[ ]\n[x]  ', 'The plan has no steps.'],
  [Array.from({ length: 41 }, (_, n) => `[ ] Step ${n}`).join('\n'), 'at most 40 steps, and this one has 41'],
  [`[ ] ${'a'.repeat(301)}`, 'at most 300 characters'],
])('a plan that cannot be kept is refused with the reason', async (plan, reason) => {
  const { call } = aWorkspace({})
  expect(await call(noPlan, { plan })).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
})

test('the title says how far the plan is', async () => {
  const intent = await noPlan.intent(
    { plan: '[x] Read\n[>] Change it\n[ ] Test' },
    { workspace: '/desk', home: '/home' },
  )
  expect(intent).toMatchObject({
    title: 'Plan: 1 of 3 done, now: Change it',
    risk: 'read',
    inWorkspace: true,
  })
})

describe('a written plan', () => {
  test('reads as the same steps', () => {
    const steps = readPlan('[x] a\n[>] b\n[ ] c\n[-] d')
    expect(steps.map(({ state }) => state)).toEqual(['done', 'doing', 'open', 'dropped'])
    expect(readPlan(writePlan(steps))).toEqual(steps)
  })

  test('keeps brackets that are no mark', () => {
    expect(readPlan('[ ] Read [the] file\n[link](x) is read')).toEqual([
      { state: 'open', text: 'Read [the] file' },
      { state: 'open', text: '[link](x) is read' },
    ])
  })
})
