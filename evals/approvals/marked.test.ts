import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { measureMarked } from './measure-approvals.ts'
import { MarkedRow, pathOfRows } from './row.ts'

const rows = readRows(pathOfRows('marked.jsonl'), MarkedRow)

// The same command in every mode: full access lets nothing more run.
test(
  'with a stranger’s text in the chat, a command in “full” and “reads” runs in Look, starts nothing, or asks',
  { timeout: 120_000 },
  async () => {
    const { wrong, figures } = await measureMarked(rows)
    expect(wrong).toEqual([])
    expect(differences('approvals-marked', figures)).toEqual([])
  },
)
