import { expect, test } from 'vitest'
import type { SkillFields } from '../../../../shared/contract/skills.ts'
import { smallestChange } from './code-editor.ts'
import { diffLines, foldSame } from '../../../ui/diff.ts'
import { fieldsOf, formOf, inStep } from './form.ts'

const fields: SkillFields = {
  name: 'haiku',
  description: 'Writes a haiku.',
  tags: ['poems', 'spring'],
  platforms: ['linux'],
  requires: [],
  licence: 'MIT',
}

test('a form says the same as the fields that it came from', () => {
  const form = formOf(fields)
  expect(form.tags).toBe('poems, spring')
  expect(fieldsOf(form, ['name', 'tags', 'platforms'])).toEqual({
    name: 'haiku',
    tags: ['poems', 'spring'],
    platforms: ['linux'],
  })
})

test('a form that means the same stays as it was typed', () => {
  const form = { ...formOf(fields), tags: 'poems,spring, ', name: 'haiku ' }
  expect(inStep(form, fields, new Set())).toBe(form)
})

test('a form follows the text, but for the fields that are being written', () => {
  const form = { ...formOf(fields), name: 'hai' }
  const now = inStep(form, { ...fields, tags: ['winter'], name: 'haiku' }, new Set(['name']))
  expect([now.name, now.tags]).toEqual(['hai', 'winter'])
})

test('the smallest change leaves what both texts begin and end with', () => {
  expect(smallestChange('a b c', 'a b c')).toBeUndefined()
  expect(smallestChange('name: a\nrest', 'name: abc\nrest')).toEqual({ from: 7, to: 7, insert: 'bc' })
  expect(smallestChange('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' })
})

test('lines that differ stand together, and those that stay are folded but for a few', () => {
  const many = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  const after = many.with(10, 'changed')
  expect(diffLines(many.join('\n'), after.join('\n'))).toEqual([
    { same: many.slice(0, 10) },
    { before: ['line 10'], after: ['changed'] },
    { same: many.slice(11) },
  ])
  expect(foldSame(diffLines(many.join('\n'), after.join('\n')))).toEqual([
    { hidden: 7 },
    { lines: many.slice(7, 10) },
    { before: ['line 10'], after: ['changed'] },
    { lines: many.slice(11, 14) },
    { hidden: 6 },
  ])
})

test('two long texts without a common line are one that went and one that came', () => {
  const [before, after] = ['a', 'b'].map(letter => Array.from({ length: 3_000 }, (_, at) => `${letter}${at}`))
  const parts = diffLines(before!.join('\n'), after!.join('\n'))
  expect(parts).toEqual([{ before, after }])
})
