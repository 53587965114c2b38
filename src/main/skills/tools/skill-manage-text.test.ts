import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { lintSkill } from '../files/lint-skill.ts'
import { readSkillText } from '../files/read-skill.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { editedText, newText, unwrapContent } from './skill-manage-text.ts'

const errorsOf = (text: string) =>
  lintSkill(text)
    .filter(issue => issue.level === 'error')
    .map(issue => issue.rule)

// Text as small models write it, and text that no model writes.
const piece = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.constantFrom(
    '---\n',
    'name: x\n',
    'description: [\n',
    '# Steps\n',
    '1. Do it.\n',
    '```\n',
    '\\n',
    '\n\n',
    ': ',
    '\uFEFF',
  ),
)
const content = fc.array(piece, { maxLength: 12 }).map(parts => parts.join(''))

describe('for any input of a model', () => {
  test('a new skill gets a valid form, or is refused in words', () => {
    const { met, atLeast } = countCases<'made' | 'refused'>()
    fc.assert(
      fc.property(
        fc.string({ maxLength: 90 }),
        content,
        content,
        fc.string(),
        (name, description, steps, category) => {
          const made = newText({ name, description, content: steps, category })
          met(isRefusal(made) ? 'refused' : 'made')
          if (isRefusal(made)) {
            expect(made.refused).toMatch(/^\w.*\.$/s)
            return
          }
          expect(errorsOf(made.text)).toEqual([])
          expect(readSkillText(made.text, '').fields.name).toBe(made.name)
          expect(made.category).toMatch(/^$|^[a-z\d-]+(\/[a-z\d-]+){0,2}$/)
        },
      ),
      { numRuns: 300 },
    )
    atLeast({ made: 120, refused: 20 })
  })

  test('a rewritten skill keeps its name and a valid form', () => {
    const text =
      '---\n# A comment.\nname: haiku\ndescription: Writes haiku. Use when asked.\ncolour: red\n---\n\nSteps.\n'
    fc.assert(
      fc.property(content, fc.option(content, { nil: undefined }), (steps, description) => {
        const made = editedText({ content: steps, description }, { name: 'haiku', text })
        fc.pre('text' in made)
        expect(readSkillText(made.text, '').fields.name).toBe('haiku')
        expect(errorsOf(made.text)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

test('a new body alone keeps comments, unknown fields and line endings of the front matter', () => {
  const text = '---\r\n# A comment.\r\nname: haiku\r\ndescription: Writes.\r\ncolour: red\r\n---\r\nOld.\r\n'
  expect(editedText({ content: 'New.\nMore.' }, { name: 'haiku', text })).toMatchObject({
    text: '---\r\n# A comment.\r\nname: haiku\r\ndescription: Writes.\r\ncolour: red\r\n---\r\n\r\nNew.\r\nMore.\r\n',
  })
})

test('a missing description is made from a heading or a step', () => {
  const madeOf = (content: string) => {
    const made = newText({ name: 'x', content })
    return isRefusal(made) ? made.refused : readSkillText(made.text, '').fields.description
  }
  expect(madeOf('# Tidy up\n\n- Sort.')).toBe('Tidy up.')
  expect(madeOf('1. Sort the **notes**\n2. Stop')).toBe('Sort the notes.')
  expect(madeOf('| a | b |\n|---|---|')).toBe(
    'description is missing: say what the skill does and when to use it.',
  )
})

test('a fence is removed only if it surrounds the whole text', () => {
  expect(unwrapContent('```md\n# A\n```')).toBe('# A')
  expect(unwrapContent('~~~~\n```\nx\n```\n~~~~\n')).toBe('```\nx\n```')
  const two = '```\na\n```\n\n```\nb\n```'
  expect(unwrapContent(two)).toBe(two)
})

test('long and hostile input is handled in time', () => {
  for (const part of ['\n', ' ', '#', '# \n', '```', '```\n', '\\n', '/', '---\n', '- \n', 'a: b\n']) {
    const long = part.repeat(900_000 / part.length)
    // The test runner's time limit checks that this is fast.
    expect(newText({ name: long, category: long, description: long, content: long })).toBeTypeOf('object')
    expect(
      editedText({ content: long, description: long }, { name: 'x', text: '---\nname: x\n---\n' }),
    ).toBeTypeOf('object')
  }
})
