import { expect, test } from 'vitest'
import { differences } from '../records.ts'
import { measureEdits } from './measure.ts'

test('no edit that a model distorts changes a file into anything but what was meant', () => {
  const { rows, figures } = measureEdits()
  expect(rows.filter(({ outcome }) => outcome === 'wrong')).toEqual([])
  expect(differences('edits', figures)).toEqual([])
})

test('what is not distorted is never refused, whatever the seed', () => {
  expect(measureEdits({ seed: 2, each: 20 }).figures).toMatchObject({ plainRefused: 0 })
})
