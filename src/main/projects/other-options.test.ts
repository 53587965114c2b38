import { expect, test } from 'vitest'
import { z } from 'zod'
import { openOtherOptions, type OtherOption } from './other-options.ts'

const calls: OtherOption = {
  name: 'calls',
  schema: z.int().min(1).max(60),
  default: 60,
  precedence: ['chat', 'project'],
  namesPrompt: false,
  inherited: true,
}
const look: OtherOption = {
  name: 'look',
  schema: z.object({ colour: z.string().optional(), size: z.int().optional() }),
  default: { size: 1 },
  precedence: ['chat', 'project', 'settings'],
  byField: true,
  namesPrompt: true,
  inSettings: () => ({ size: 2 }),
}
const chat = { workspace: '/desk', projectId: null }
const inProject = (options: Record<string, unknown>) => openOtherOptions([calls, look], () => ({ options }))

test('a stored value that does not fit any more counts as not set, at each level', () => {
  const of = (options: Record<string, unknown>) =>
    inProject({ calls: 'many', look: { colour: 'red' } }).valuesFor({ ...chat, options })
  expect(of({ calls: 90, look: 7 })).toEqual({ calls: 60, look: { colour: 'red', size: 2 } })
  expect(of({ calls: 9, look: { size: 3 } })).toEqual({ calls: 9, look: { colour: 'red', size: 3 } })
})

test('a sub-agent begins with what people have set for the chat or its project, of what goes on to it', () => {
  const of = (options: Record<string, unknown>) => inProject({ calls: 5 }).inheritedBy({ ...chat, options })
  expect([of({ calls: 9, look: { size: 3 } }), of({})]).toEqual([{ calls: 9 }, { calls: 5 }])
  expect(inProject({}).inheritedBy(chat)).toEqual({})
})

test('a value is checked whole, and one of its fields is named', () => {
  const { check } = inProject({})
  expect(check({ look: { colour: 'red', more: 1 }, calls: null }, 'chat')).toEqual({
    look: { colour: 'red' },
    calls: null,
  })
  expect(() => check({ look: { size: 'large' } }, 'project')).toThrow(
    /^“look\.size” cannot have this value\. Invalid input: expected number/,
  )
})
