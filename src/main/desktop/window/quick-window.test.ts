import { beforeEach, expect, test } from 'vitest'
import { BrowserWindow, globalShortcut, resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { createQuickWindow } from './quick-window.ts'

beforeEach(resetShim)

const on = { quick_window: true, quick_keys: 'Ctrl+Space' }
const off = { ...on, quick_window: false }
const aQuickWindow = () => createQuickWindow({ preload: 'preload.cjs', spellcheck: false }, () => {})
const press = (keys: string) => state.keys.get(keys)?.()

test('the keys show and hide one small window on the screen of the pointer', () => {
  const quick = aQuickWindow()
  expect(quick.follow(on)).toBeUndefined()
  press('Ctrl+Space')
  const [window] = BrowserWindow.all
  expect([window!.url, window!.visible, window!.bounds.x, window!.options['alwaysOnTop']]).toEqual([
    'app://bundle/index.html#window=quick',
    true,
    660,
    true,
  ])
  press('Ctrl+Space')
  expect([window!.visible, BrowserWindow.all.length]).toEqual([false, 1])
  press('Ctrl+Space')
  window!.blur()
  expect([window!.visible, BrowserWindow.all.length]).toEqual([false, 1])
})

test('other keys replace the ones before, and switching it off gives them back', () => {
  const quick = aQuickWindow()
  quick.follow(on)
  quick.follow(on)
  quick.follow({ ...on, quick_keys: 'Alt+Q' })
  const changed = [...state.keys.keys()]
  press('Alt+Q')
  quick.follow(off)
  expect([changed, [...state.keys.keys()], BrowserWindow.all]).toEqual([['Alt+Q'], [], []])
})

test('keys that another program has are told, and tried again with the next change', () => {
  state.takenKeys.add('Ctrl+Space')
  const quick = aQuickWindow()
  expect(quick.follow(on)).toMatch(/^The keys Ctrl\+Space do not open the quick window/)
  state.takenKeys.clear()
  expect([quick.follow(on), [...state.keys.keys()]]).toEqual([undefined, ['Ctrl+Space']])
})

test('keys that Electron cannot read are told like taken ones', () => {
  const { register } = globalShortcut
  globalShortcut.register = () => {
    throw new TypeError('Error processing argument')
  }
  const told = aQuickWindow().follow(on)
  globalShortcut.register = register
  expect(told).toMatch(/^The keys/)
})
