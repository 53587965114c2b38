import { expect, test } from 'vitest'
import { newestOf } from './attempt.ts'

test('only the newest answer is used, and earlier callers wait for it', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const shown: string[] = []
  let asked = 0
  const load = newestOf(async isNewest => {
    const answer = await answers[asked++]!.promise
    if (isNewest()) shown.push(answer)
  })
  const ended: string[] = []
  const first = load().then(() => ended.push('first'))
  const second = load().then(() => ended.push('second'))
  answers[0]!.resolve('old')
  await answers[0]!.promise
  expect([shown, ended]).toEqual([[], []])
  answers[1]!.resolve('new')
  await Promise.all([first, second])
  expect(shown).toEqual(['new'])
  expect(ended.toSorted()).toEqual(['first', 'second'])
})
