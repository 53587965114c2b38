import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { halves, measureHalf } from './measure-halves.ts'
import { CommandRow } from './row.ts'

test.for(['mended', 'unseen'] as const)(
  'of the %s half nothing that must ask runs where nothing confines it, and few reads ask',
  { timeout: 120_000 },
  async half => {
    const { figures } = await measureHalf(readRows(halves[half], CommandRow))
    expect(figures).toMatchObject({ ran: 0 })
    expect(figures['askedShare']).toBeLessThan(10)
    expect(differences(`approvals-${half}`, figures)).toEqual([])
  },
)
