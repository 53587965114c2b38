import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findStatements } from './find-statements.ts'

// Labelled for these rules, in three parts: written before them, after their first version, and after the
// second, without looking at the patterns. At first 20/20, 8/20 and 13/20 statements were found, and 0, 5 and
// 3 false ones.

const Row = z.strictObject({
  half: z.enum(['before', 'after', 'last']),
  said: z.string(),
  keeps: z.array(z.string()),
  as: z.enum(['user', 'memory', 'project']).optional(),
})
const file = fileURLToPath(new URL('../../../../testing/learning/statements.jsonl', import.meta.url))
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => Row.parse(JSON.parse(line)))

const found = (said: string) => findStatements(said).map(({ text }) => text)

test('of the labelled messages nothing is kept that is no statement, and nearly every statement is', () => {
  const wrong = rows.flatMap(({ said, keeps }) => found(said).filter(text => !keeps.includes(text)))
  expect(wrong).toEqual([])
  const missed = rows.flatMap(({ said, keeps }) => keeps.filter(text => !found(said).includes(text)))
  expect(missed.length).toBeLessThanOrEqual(3)
  expect(rows.flatMap(({ keeps }) => keeps).length).toBeGreaterThan(60)
})

test('each goes to the notes that it is about', () => {
  for (const { said, as } of rows)
    for (const { target } of findStatements(said)) expect({ said, target }).toEqual({ said, target: as })
})

test('what is kept is a quotation, without greeting, request and thanks', () => {
  for (const { said } of rows)
    for (const text of found(said)) expect(said.toLowerCase()).toContain(text.slice(0, -1).toLowerCase())
})

test.each([
  [
    'a long paste, of which only a beginning of its own counts',
    `I live in Rome.\n\n${'I am Bob. '.repeat(200)}`,
    ['I live in Rome.'],
  ],
  ['a text to work on', 'Fix the spelling: I am a nurce and I live in Graz', []],
  ['a mail', 'Subject: hello\nI live in Oslo.', []],
  ['several sentences', 'I live in Rome. I have a dog. I am tired.', ['I live in Rome.', 'I have a dog.']],
  [
    'a fact that is asked to be kept, behind its request',
    'My blood type is AB, please remember that.',
    ['My blood type is AB.'],
  ],
  ['nothing', '', []],
  ['the first proposal that a model once made', 'User tell you is sails 28 10', []],
])('%s', (_, said, keeps) => {
  expect(found(said)).toEqual(keeps)
})

test('any text is read, in little time, and what is found stands in it', () => {
  const words = fc.constantFrom(
    'I',
    'live',
    'in',
    'always',
    'my',
    'name',
    'is',
    ',',
    '.',
    '?',
    ':',
    '\n',
    'remember',
    'that',
    '"',
    '>',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words, { maxLength: 400 }).map(each => each.join(' ')),
      ),
      said => {
        for (const text of found(said)) expect(text.length).toBeLessThanOrEqual(242)
      },
    ),
  )
  const began = performance.now()
  for (const said of [
    'a'.repeat(200_000),
    'my '.repeat(60_000),
    'remember that '.repeat(10_000),
    '> '.repeat(50_000),
  ])
    found(said)
  expect(performance.now() - began).toBeLessThan(20_000)
})
