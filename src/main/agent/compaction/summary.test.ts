import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptySummary, readSummary, SECTIONS, trimSummary, writeSummary } from './summary.ts'
import { extendSummary } from './merge-summaries.ts'

test('a summary is read in the common forms of headings and lists', () => {
  const read = readSummary(
    'Here it is:\n**Goal:** ship the page\n### Decisions\n1. Use port 4310\n* Use pnpm\n\nOpen questions:\n- none\nGotchas\nThe tests need Redis.',
  )
  expect(read).toEqual({
    ...emptySummary(),
    Goal: ['ship the page'],
    Decisions: ['Use port 4310', 'Use pnpm'],
    Gotchas: ['The tests need Redis.'],
  })
})

test('a written summary is read back unchanged', () => {
  const item = fc
    .stringMatching(/^[a-z][a-z0-9 ]{3,30}[a-z0-9]$/)
    .filter(
      text =>
        !/^(none|nothing)/.test(text) && !SECTIONS.some(section => text.startsWith(section.toLowerCase())),
    )
  const summary = fc.record(
    Object.fromEntries(SECTIONS.map(section => [section, fc.array(item, { maxLength: 5 })])),
  )
  fc.assert(
    fc.property(summary, given => {
      expect(readSummary(writeSummary(given as never))).toEqual(given)
    }),
  )
})

test('a fact of the earlier summary stays if the later one omits it or is vaguer', () => {
  const before = {
    ...emptySummary(),
    Decisions: ['The server listens on port 4310'],
    Files: ['src/app/main.ts'],
  }
  const later = { ...emptySummary(), Decisions: ['The server listens on a port'], Done: ['Wrote the page'] }
  const extended = extendSummary(before, later)
  expect(extended.Decisions).toContain('The server listens on port 4310')
  expect(extended.Files).toEqual(['src/app/main.ts'])
  expect(extended.Done).toEqual(['Wrote the page'])
})

test('facts that differ only in a number are both kept', () => {
  const before = { ...emptySummary(), Decisions: ['The server listens on port 4310'] }
  const later = { ...emptySummary(), Decisions: ['The server listens on port 4311'] }
  expect(extendSummary(before, later).Decisions).toEqual([
    'The server listens on port 4310',
    'The server listens on port 4311',
  ])
})

test('work in progress follows the later summary, and is dropped when done', () => {
  const before = {
    ...emptySummary(),
    'In progress': ['Write the tests for the parser'],
    'Next steps': ['Ship it'],
  }
  const later = { ...emptySummary(), Done: ['Write the tests for the parser'] }
  const extended = extendSummary(before, later)
  expect(extended['In progress']).toEqual([])
  expect(extended['Next steps']).toEqual(['Ship it'])
})

test('lines that differ in a name, a day or word order are two facts; the same fact in other words is one', () => {
  const extend = (before: string, later: string) =>
    extendSummary({ ...emptySummary(), Decisions: [before] }, { ...emptySummary(), Decisions: [later] })
      .Decisions
  const both = (before: string, later: string) => expect(extend(before, later)).toEqual([before, later])
  both('The deploy runs on Tuesdays', 'The deploy runs on Thursdays')
  both('Prefers tabs over spaces in Python', 'Prefers spaces over tabs in Python')
  both('Push to main', 'Do not push to main')
  both('Anna’s party is in Bergen', 'Anna’s party is in Oslo')
  both('Never deploy on Fridays', 'Deploy on Fridays')
  both('Log to src/a/log.ts', 'Log to src/b/log.ts')
  expect(extend('The server listens on port 4310', 'Server is listening on port 4310')).toHaveLength(1)
  expect(extend('Listens on a port', 'The server listens on port 4310')).toEqual([
    'The server listens on port 4310',
  ])
})

test('an open question stays until it is answered', () => {
  const before = {
    ...emptySummary(),
    'Open questions': ['Which port does staging use?', 'Who signs the release?'],
  }
  const later = {
    ...emptySummary(),
    'Open questions': ['Is Redis needed?'],
    Decisions: ['Staging does use which port: port 4310'],
  }
  expect(extendSummary(before, later)['Open questions']).toEqual([
    'Who signs the release?',
    'Is Redis needed?',
  ])
})

test('only the newest four goals are kept', () => {
  let summary = emptySummary()
  for (let n = 0; n < 10; n++)
    summary = extendSummary(summary, { ...emptySummary(), Goal: [`Build part ${n}`] })
  expect(summary.Goal).toHaveLength(4)
  expect(summary.Goal[0]).toBe('Build part 9')
})

test('a summary that is too long loses its oldest finished steps first', () => {
  const summary = {
    ...emptySummary(),
    Goal: ['ship the page'],
    Constraints: ['never push to main'],
    Done: Array.from({ length: 30 }, (_, n) => `step ${n} of the work is finished`),
  }
  const trimmed = trimSummary(summary, 100, text => text.length / 4)
  expect(trimmed.Goal).toEqual(['ship the page'])
  expect(trimmed.Constraints).toEqual(['never push to main'])
  expect(trimmed.Done.at(-1)).toBe('step 29 of the work is finished')
  expect(writeSummary(trimmed).length).toBeLessThan(400)
  expect(trimmed.Done.length).toBeGreaterThan(1)
})
