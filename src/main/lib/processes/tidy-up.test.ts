import { expect, onTestFinished, test } from 'vitest'
import { tidyUp, tidyUpLater, untidied } from './tidy-up.ts'

const failing = (code: string) => Object.assign(new Error('no'), { code })
const heard = () => {
  const all: string[] = []
  onTestFinished(untidied.subscribe(({ what, error }) => all.push(`${what}: ${String(error)}`)))
  return all
}

test('what a step throws is told once for each kind, and goes no further', async () => {
  const all = heard()
  for (const code of ['EISDIR', 'EISDIR', 'EACCES'])
    expect(
      tidyUp('remove a thing', () => {
        throw failing(code)
      }),
    ).toBe(undefined)
  expect(await tidyUpLater('wait for a thing', () => Promise.reject(failing('EIO')))).toBe(undefined)
  expect(all).toEqual([
    'remove a thing: Error: no',
    'remove a thing: Error: no',
    'wait for a thing: Error: no',
  ])
})

test('a listener that throws ends nothing either', () => {
  onTestFinished(
    untidied.subscribe(() => {
      throw new Error('The log is full.')
    }),
  )
  tidyUp('log a thing', () => {
    throw failing('EIO')
  })
})

test('a step that works gives its result', async () => {
  const all = heard()
  expect([tidyUp('count', () => 3), await tidyUpLater('wait', async () => 4)]).toEqual([3, 4])
  expect(all).toEqual([])
})
