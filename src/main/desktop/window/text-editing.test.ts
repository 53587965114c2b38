import { afterEach, beforeEach, expect, test } from 'vitest'
import { resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { onPlatform } from '../../../../testing/host/on-platform.ts'
import { checkSpelling } from './text-editing.ts'

beforeEach(resetShim)
afterEach(() => onPlatform())

test.for([
  [
    ['de-AT', 'en-GB'],
    ['de', 'en-GB'],
  ],
  [
    ['pt', 'fr-CH'],
    ['pt-BR', 'fr'],
  ],
  [['ja', 'ko-KR'], []],
  [['en-GB', 'en-GB', 'en-AU'], ['en-GB']],
] as const)('the languages %s of the system use the dictionaries %s', ([wanted, used]) => {
  onPlatform('linux')
  state.languages = [...wanted]
  const isOn = checkSpelling('on', false)
  expect([state.spellingLanguages, state.checksSpelling, isOn]).toEqual([
    used,
    used.length > 0,
    used.length > 0,
  ])
})

test.for([
  ['linux', 'auto', false],
  ['win32', 'auto', false],
  ['linux', 'off', false],
  ['linux', 'on', true],
] as const)('on %s with “%s” and the lock %s no dictionary is fetched', ([platform, wish, locked]) => {
  onPlatform(platform)
  expect([checkSpelling(wish, locked), state.spellingLanguages, state.checksSpelling]).toEqual([
    false,
    [],
    false,
  ])
})

test.for([
  ['auto', true],
  ['on', true],
  ['off', false],
] as const)('macOS brings its dictionaries, so “%s” means %s even while the lock is on', ([wish, isOn]) => {
  onPlatform('darwin')
  expect([checkSpelling(wish, true), state.checksSpelling, state.spellingLanguages]).toEqual([
    isOn,
    isOn,
    undefined,
  ])
})
