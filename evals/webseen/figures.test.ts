import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { countFigures, measureRows, Row } from './measure.ts'

const rows = (name: string) => readRows(fileURLToPath(new URL(name, import.meta.url)), Row)

test('of orders that pages hide by their styles few reach a model, and no text that all can see is lost', async () => {
  const figures = countFigures(
    'styles',
    await measureRows(rows('hidden.jsonl')),
    await measureRows(rows('seen.jsonl')),
  )
  expect(figures).toMatchObject({ stylesLost: 0 })
  expect(differences('webseen', figures)).toEqual([])
})
