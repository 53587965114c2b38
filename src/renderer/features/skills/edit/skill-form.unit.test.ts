import { expect, test } from 'vitest'
import type { SkillFields } from '../../../../shared/contract/learned/skills.ts'
import { smallestChange } from './code-editor.ts'
import { diffLines, foldSame } from '../../../ui/text/diff-text.ts'
import { fieldsOf, formOf, syncForm } from './skill-form.ts'

const fields: SkillFields = {
  name: 'haiku',
  description: 'Writes a haiku.',
  tags: ['poems', 'spring'],
  platforms: ['linux'],
  requires: [],
  licence: 'MIT',
}

test('a form has the same values as its fields', () => {
  const form = formOf(fields)
  expect(form.tags).toBe('poems, spring')
  expect(fieldsOf(form, ['name', 'tags', 'platforms'])).toEqual({
    name: 'haiku',
    tags: ['poems', 'spring'],
    platforms: ['linux'],
  })
})

test('form text with the same meaning stays as typed', () => {
  const form = { ...formOf(fields), tags: 'poems,spring, ', name: 'haiku ' }
  expect(syncForm(form, fields, new Set())).toBe(form)
})

test('a form follows the text, except for the field being edited', () => {
  const form = { ...formOf(fields), name: 'hai' }
  const now = syncForm(form, { ...fields, tags: ['winter'], name: 'haiku' }, new Set(['name']))
  expect([now.name, now.tags]).toEqual(['hai', 'winter'])
})

test('the smallest change excludes the common start and end of both texts', () => {
  expect(smallestChange('a b c', 'a b c')).toBeUndefined()
  expect(smallestChange('name: a\nrest', 'name: abc\nrest')).toEqual({ from: 7, to: 7, insert: 'bc' })
  expect(smallestChange('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' })
})

test('changed lines are grouped, and unchanged ones are collapsed except for three', () => {
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

test('two long texts without a common line are one removal and one addition', () => {
  const [before, after] = ['a', 'b'].map(letter => Array.from({ length: 3_000 }, (_, at) => `${letter}${at}`))
  const parts = diffLines(before!.join('\n'), after!.join('\n'))
  expect(parts).toEqual([{ before, after }])
})
