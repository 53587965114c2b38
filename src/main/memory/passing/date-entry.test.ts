import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { add, agent, aNotebook, done, you } from '../../../../testing/memory/a-notebook.ts'
import { memoryBlock } from '../memory-block.ts'
import { dateEntry, isOver } from './date-entry.ts'

// The “blind” half was written before the words were revised; 68 of its 70 were right at first.
const Row = z.strictObject({
  half: z.enum(['seen', 'blind']),
  text: z.string(),
  dated: z.enum(['until', 'asof']).nullable(),
  until: z.string().optional(),
})
const file = fileURLToPath(new URL('../../../../testing/memory/passing.jsonl', import.meta.url))
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => Row.parse(JSON.parse(line)))
/** A Saturday. */
const SAID = new Date(2026, 10, 28, 12).getTime()
const DAY = 86_400_000

test('in eight languages, what passes has the day on which it ends, and what lasts has none', () => {
  for (const { text, dated, until } of rows) {
    const note = dated === null ? '' : ` (as of 2026-11-28${until === undefined ? '' : `, until ${until}`})`
    expect(dateEntry(text, SAID)).toBe(`${text}${note}`)
  }
  expect(rows.length).toBeGreaterThan(120)
})

test('a date that is there stays, on whatever day it is read again', () => {
  const dated = dateEntry('Is tired today.', SAID)
  expect(dateEntry(dated, SAID + 9 * DAY)).toBe(dated)
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 4_000_000_000_000 }), (text, at) => {
      const once = dateEntry(text, at)
      expect(dateEntry(once, at + DAY)).toBe(once)
      expect(once.startsWith(text)).toBe(true)
    }),
  )
})

test('an entry is over on the day after its end, unless somebody touched it since', () => {
  const entry = { text: 'Is ill. (as of 2026-11-28, until 2026-11-29)', updatedAt: SAID }
  expect(isOver(entry, SAID + DAY)).toBe(false)
  expect(isOver(entry, SAID + 2 * DAY)).toBe(true)
  expect(isOver({ ...entry, updatedAt: SAID + 2 * DAY }, SAID + 9 * DAY)).toBe(false)
  expect(isOver({ ...entry, text: 'Met Ben. (as of 2026-11-28)' }, SAID + 9 * DAY)).toBe(false)
  expect(isOver({ ...entry, text: 'Is ill today.' }, SAID + 9 * DAY)).toBe(false)
})

let home: ReturnType<typeof aNotebook>
beforeEach(() => (home = aNotebook()))
afterEach(() => home[Symbol.dispose]())

test('it goes to the archive by itself, where Activity shows it, and stays once it was brought back', () => {
  let now = SAID
  const memory = home.open({ now: () => now })
  done(memory.change([add('Will fly to Lisbon tomorrow.'), add('Likes tea.')], agent))
  expect(memory.view().entries.map(({ text }) => text)).toContain(
    'Will fly to Lisbon tomorrow. (as of 2026-11-28, until 2026-11-29)',
  )
  now += 2 * DAY
  expect(memory.view().entries.map(({ text }) => text)).toEqual(['Likes tea.'])
  const [gone] = memory.history({ limit: 1 }).revisions
  expect(gone).toMatchObject({ op: 'remove', actor: 'review' })
  expect(home.store.learning.learnedMemory({ before: now + DAY, limit: 5 })[0]).toMatchObject({
    id: gone!.id,
  })
  done(memory.undo([gone!.id], you))
  now += 30 * DAY
  expect(memory.view().entries).toHaveLength(2)
})

test('a locked entry stays, and the person may take the date out', () => {
  let now = SAID
  const memory = home.open({ now: () => now })
  const [first] = done(memory.change([add('Is tired today.')], agent))
  const [second] = done(memory.change([add('Has a cold.')], agent))
  done(memory.change([{ kind: 'lock', id: first!.entryId, locked: true }], you))
  done(memory.change([{ kind: 'edit', id: second!.entryId, text: 'Has a cold.' }], you))
  now += 30 * DAY
  expect(memory.view().entries.map(({ text }) => text)).toEqual([
    'Is tired today. (as of 2026-11-28, until 2026-11-28)',
    'Has a cold.',
  ])
})

test('what was written by hand has its date in the prompts, and the file is as it was', () => {
  mkdirSync(join(home.home, 'memories'), { recursive: true })
  writeFileSync(join(home.home, 'memories', 'USER.md'), 'Is tired today.\n§\nLikes tea.\n')
  const memory = home.open({ now: () => SAID })
  const known = memory.forChat('/tmp')
  expect(memoryBlock(known)).toContain('- Is tired today. (as of 2026-11-28, until 2026-11-28)\n- Likes tea.')
  expect(home.file()).toBe('Is tired today.\n§\nLikes tea.\n')
})
