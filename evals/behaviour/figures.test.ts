import { expect, test } from 'vitest'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { differences } from '../records.ts'
import { measureBehaviour } from './measure-behaviour.ts'

test('each test that the table names stands in its file, what it says is absent is so, and the figures are those recorded', () => {
  const judgement = measureBehaviour()
  if (isRefusal(judgement)) throw new Error(judgement.refused)
  const wrong = judgement.rows.flatMap(({ n, wrong: why }) => (why === undefined ? [] : [`${n}. ${why}`]))
  expect(wrong).toEqual([])
  expect(differences('behaviour', judgement.figures)).toEqual([])
})
