import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWindowState, writeWindowState } from './window-state.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'window-state-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const laptop = { x: 0, y: 0, width: 1440, height: 875 }
const desk = { x: 1440, y: 0, width: 2560, height: 1400 }
const onLaptop = { bounds: { x: 40, y: 50, width: 900, height: 700 }, maximized: false }
const onDesk = { bounds: { x: 1800, y: 100, width: 1400, height: 1200 }, maximized: true }

test('each set of screens has a state of its own', () => {
  writeWindowState(home, [laptop], onLaptop)
  writeWindowState(home, [laptop, desk], onDesk)
  expect([readWindowState(home, [desk, laptop]), readWindowState(home, [laptop])]).toEqual([onDesk, onLaptop])
})

test('with unknown screens the newest state is used, unless it would not be seen', () => {
  writeWindowState(home, [laptop, desk], onDesk)
  const wide = { x: 0, y: 0, width: 3840, height: 2100 }
  expect([readWindowState(home, [wide]), readWindowState(home, [laptop])]).toEqual([onDesk, undefined])
})

test('only the last eight sets of screens are remembered', () => {
  writeWindowState(home, [laptop], onLaptop)
  for (let width = 2_000; width < 2_008; width++) writeWindowState(home, [{ ...desk, x: 0, width }], onDesk)
  expect(readWindowState(home, [laptop])).toBeUndefined()
})

test.for(['{"bounds":{"x":"left"', '[]', '[{"screens":"","state":{}}]', 'null'])(
  'an unreadable file (%s) is ignored, and replaced by the next state',
  text => {
    writeFileSync(join(home, 'window.json'), text)
    const before = readWindowState(home, [laptop])
    writeWindowState(home, [laptop], onLaptop)
    expect([before, readWindowState(home, [laptop])]).toEqual([undefined, onLaptop])
  },
)

test('the file of an older version, with one state, is read', () => {
  writeFileSync(join(home, 'window.json'), JSON.stringify(onLaptop))
  expect(readWindowState(home, [laptop])).toEqual(onLaptop)
})
