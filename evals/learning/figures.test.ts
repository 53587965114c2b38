import { expect, test } from 'vitest'
import { differences } from '../records.ts'
import { ownFiles, readCases } from './case.ts'
import { measureLearning } from './measure-learning.ts'

test('every case comes about as it should in each of its ways, as many as are recorded', async () => {
  const { rows, figures } = await measureLearning(readCases(ownFiles()))
  expect(rows.filter(({ wrong }) => wrong.length > 0)).toEqual([])
  expect(differences('learning', figures)).toEqual([])
})
