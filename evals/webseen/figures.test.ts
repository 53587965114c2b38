import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { countFigures, measureRows, Row, splitRows } from './measure.ts'

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

test('nor of pages by somebody who had not seen the reader', async () => {
  const { orders, texts } = splitRows(rows('fresh.jsonl'))
  const figures = countFigures('styles', await measureRows(orders), await measureRows(texts))
  expect(figures).toMatchObject({ stylesLost: 0 })
  expect(differences('webseen-fresh', figures)).toEqual([])
})
