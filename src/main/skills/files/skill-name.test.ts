import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeName, isSkillName, suggestName } from './skill-name.ts'

test.for([
  ['here.now', 'here-now'],
  ['Agent Development', 'agent-development'],
  ['google_meet', 'google-meet'],
  ['--Größe & Maß--', 'grosse-mass'],
  ['ﬁne Ⅳ', 'fine-iv'],
  ['con', 'con-skill'],
  ['a'.repeat(90), 'a'.repeat(64)],
] as const)('%s becomes %s', ([given, name]) => {
  expect(suggestName(given)).toBe(name)
})

test('if nothing is left of a name, the next candidate is used, and at last a default', () => {
  expect(suggestName('技能', 'translate')).toBe('translate')
  expect(suggestName('技能', '')).toBe('skill')
})

test('for any input the suggestion is a valid name, also with a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const name = suggestName(text)
      expect(isSkillName(name)).toBe(true)
      expect(isSkillName(freeName(name, each => each === name))).toBe(true)
    }),
  )
})
