import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { app, resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { onPlatform } from '../../../../testing/host/on-platform.ts'
import { createDialogs } from './dialogs.ts'
import { startAtLogin } from './login-item.ts'
import { aDesktopHost, startDesktop } from '../../../../testing/host/a-desktop.ts'

let folder: string
beforeEach(() => {
  resetShim()
  folder = mkdtempSync(join(tmpdir(), 'desktop-system-'))
})
afterEach(() => {
  onPlatform()
  delete process.env['APPIMAGE']
  rmSync(folder, { recursive: true })
})

const never = new AbortController().signal

describe('a file dialog', () => {
  const dialogs = () => createDialogs(() => undefined)

  test('starts where the user was, and gives the chosen path', async () => {
    state.chosen.push('/models/a.gguf')
    const answer = await dialogs()['desktop.choose']({ what: 'model', at: folder }, never)
    expect([answer, state.fileDialogs[0]?.defaultPath, state.fileDialogs[0]?.properties]).toEqual([
      { path: '/models/a.gguf' },
      folder,
      ['openFile'],
    ])
  })

  test.for(['', 'notes', '/no/such/folder', '//server/share', '\\\\server\\share'])(
    'that should start at “%s” starts anywhere, and one that is cancelled gives nothing',
    async at => {
      const answer = await dialogs()['desktop.choose']({ what: 'folder', at }, never)
      expect([answer, 'defaultPath' in state.fileDialogs[0]!]).toEqual([{ path: null }, false])
    },
  )

  test('saves a file where the user wants it, under a name without folders', async () => {
    const target = join(folder, 'skill.zip')
    state.chosen.push(target)
    const save = dialogs()['desktop.save']
    const base64 = Buffer.from('zip').toString('base64')
    const saved = await save({ name: '../../skill.zip', base64 }, never)
    const cancelled = await save({ name: 'a', base64 }, never)
    expect([saved, cancelled, readFileSync(target, 'utf8'), state.fileDialogs[0]?.defaultPath]).toEqual([
      { path: target },
      { path: null },
      'zip',
      join('/paths/downloads', '..-..-skill.zip'),
    ])
  })

  test('says why a file could not be saved', async () => {
    state.chosen.push(join(folder, 'missing', 'a.zip'))
    const saving = dialogs()['desktop.save']({ name: 'a.zip', base64: '' }, never)
    await expect(saving).rejects.toMatchObject({ code: 'not_ready', message: /cannot be written/ })
  })

  test('shows a file of this computer in its folder, and nothing else', async () => {
    const reveal = dialogs()['desktop.reveal']
    await reveal({ path: folder }, never)
    for (const path of ['/no/such/file', 'relative', '//server/share', 'file:///etc'])
      expect(() => reveal({ path }, never)).toThrow('There is no')
    expect(state.revealed).toEqual([folder])
  })
})

describe('the start at login', () => {
  const entry = () => join(folder, 'autostart', 'app.talaria.desktop.desktop')

  test('is an autostart file on Linux, which is removed again', () => {
    onPlatform('linux')
    state.paths.set('appData', folder)
    process.env['APPIMAGE'] = '/home/ada/My "Apps"/Talaria 100%.AppImage'
    startAtLogin(true, ['--home', '/home/ada/$x'])
    const exec = readFileSync(entry(), 'utf8')
      .split('\n')
      .find(line => line.startsWith('Exec='))
    expect(exec).toBe(
      String.raw`Exec="/home/ada/My \\"Apps\\"/Talaria 100%%.AppImage" "--home" "/home/ada/\\$x" "--hidden"`,
    )
    startAtLogin(false)
    startAtLogin(false)
    expect(existsSync(entry())).toBe(false)
  })

  test('cannot be set up where its folder is a file', () => {
    onPlatform('linux')
    state.paths.set('appData', folder)
    writeFileSync(join(folder, 'autostart'), '')
    expect(() => startAtLogin(true)).toThrow()
  })

  test.for(['darwin', 'win32'] as const)(
    'is left to the system on %s, and set only when it changes',
    platform => {
      onPlatform(platform)
      startAtLogin(false)
      const untouched = state.loginItem
      startAtLogin(true)
      expect([untouched, state.loginItem]).toEqual([undefined, { openAtLogin: true, args: ['--hidden'] }])
    },
  )

  test('is not set up for Electron itself during development', () => {
    onPlatform('linux')
    app.isPackaged = false
    state.paths.set('appData', folder)
    startAtLogin(true)
    expect(existsSync(entry())).toBe(false)
  })
})

test.for(['darwin', 'win32'] as const)(
  'on %s the system tells whether it runs on mains power',
  async platform => {
    onPlatform(platform)
    const { seen } = await startDesktop(aDesktopHost(folder))
    const isOnMains = seen.options!.isOnMains!
    state.onBattery = true
    const onBattery = isOnMains()
    state.onBattery = false
    expect([onBattery, isOnMains()]).toEqual([false, true])
  },
)
