import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crashedAt, crashText, planRestart, restartNotice } from './after-crash.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 23)

test('after the first crash the app is started again as before, with a mark', () => {
  const restart = planRestart(['.', '--home', '/h'], {}, now)
  expect(restart).toEqual({ args: ['.', '--home', '/h', `--crashed-at=${now}`] })
  expect(crashedAt(restart!.args)).toBe(now)
})

test.each([
  ['a minute later', minute, false],
  ['just within ten minutes', 10 * minute - 1, false],
  ['ten minutes later', 10 * minute, true],
  ['after the clock was set back a little', -minute, false],
])('a second crash %s', (_when, later, isRestarted) => {
  const { args } = planRestart([], {}, now)!
  const again = planRestart(args, {}, now + later)
  expect(again?.args).toEqual(isRestarted ? [`--crashed-at=${now + later}`] : undefined)
})

test('an AppImage is started by its file, not by the program mounted from it', () => {
  expect(planRestart([], { APPIMAGE: '/apps/Talaria.AppImage' }, now)?.execPath).toBe(
    '/apps/Talaria.AppImage',
  )
})

test.each(['--crashed-at=', '--crashed-at=soon', '--crashed-at=1e9', '--other=1'])(
  'the argument %s marks no crash',
  arg => {
    expect(crashedAt([arg])).toBeUndefined()
  },
)

test('the person is told what happened and where the log is', () => {
  const log = join('home', 'logs', 'talaria.log')
  expect(crashText(new Error('planted.'), 'home')).toBe(
    [
      'Talaria has to close because of an unexpected error: planted.',
      `Everything shown before it was saved. The details are in ${log}.`,
      'Start Talaria again. If the error comes back, report it with that file.',
    ].join('\n'),
  )
  expect(restartNotice('home').fix).toContain(log)
})
