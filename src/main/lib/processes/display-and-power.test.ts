import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isOnMains } from './display-and-power.ts'

type Supply = Partial<Record<'type' | 'scope' | 'online' | 'status', string>>

const made: string[] = []
afterEach(() => made.splice(0).forEach(path => rmSync(path, { recursive: true, force: true })))

/** A folder like the system's, with one folder per supply. */
function folderWith(supplies: Record<string, Supply>): string {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-mains-'))
  made.push(folder)
  for (const [name, says] of Object.entries(supplies)) {
    mkdirSync(join(folder, name))
    for (const [file, text] of Object.entries(says)) writeFileSync(join(folder, name, file), `${text}\n`)
  }
  return folder
}

const battery = (status: string): Supply => ({ type: 'Battery', status })
const plug = (online: string): Supply => ({ type: 'Mains', online })

test.each<[string, Record<string, Supply>, boolean]>([
  ['a laptop on its battery', { AC: plug('0'), BAT0: battery('Discharging') }, false],
  ['a laptop on its adapter', { AC: plug('1'), BAT0: battery('Charging') }, true],
  ['a laptop on an adapter that is too weak', { AC: plug('1'), BAT0: battery('Discharging') }, true],
  ['a laptop that keeps its battery at 80 %', { AC: plug('1'), BAT0: battery('Not charging') }, true],
  ['a laptop that was unplugged a moment ago', { AC: plug('0'), BAT0: battery('Full') }, false],
  [
    'a laptop with two batteries',
    { AC: plug('0'), BAT0: battery('Unknown'), BAT1: battery('Discharging') },
    false,
  ],
  [
    'a laptop on a USB charger',
    { AC: plug('0'), usb: { type: 'USB', online: '1' }, BAT0: battery('Full') },
    true,
  ],
  [
    'a laptop with an empty USB socket',
    { usb: { type: 'USB', online: '0' }, BAT0: battery('Discharging') },
    false,
  ],
  ['a laptop that tells of its battery only', { BAT0: battery('Charging') }, true],
  ['a computer on a supply that still holds', { ups: { type: 'UPS', status: 'Full' } }, true],
  ['a computer on a supply that runs down', { ups: { type: 'UPS', status: 'Discharging' } }, false],
  ['a desktop with a wireless mouse', { mouse: { ...battery('Discharging'), scope: 'Device' } }, true],
  ['a computer without a battery', {}, true],
  ['a computer with a plug only', { AC: plug('0') }, true],
  ['a laptop whose supplies tell nothing', { AC: {}, BAT0: {} }, true],
])('%s', (_, supplies, expected) => {
  expect(isOnMains(folderWith(supplies))).toBe(expected)
})

test('if nothing can be read, mains power is assumed', () => {
  const folder = folderWith({})
  expect(isOnMains(join(folder, 'missing'))).toBe(true)
  writeFileSync(join(folder, 'file'), '')
  expect(isOnMains(join(folder, 'file'))).toBe(true)
  // A removed supply leaves a dangling link; another may hold a folder where a file is expected.
  symlinkSync(join(folder, 'gone'), join(folder, 'BAT0'))
  mkdirSync(join(folder, 'BAT1', 'type'), { recursive: true })
  expect(isOnMains(folder)).toBe(true)
})
