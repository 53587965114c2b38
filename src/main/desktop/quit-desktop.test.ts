import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aDesktopHost, ended, running, startDesktop } from '../../../testing/host/a-desktop.ts'
import { app, BrowserWindow, powerMonitor, resetShim, state } from '../../../testing/host/electron-shim.ts'
import { onPlatform } from '../../../testing/host/on-platform.ts'
import type { DesktopSettings } from '../app/host-types.ts'
import { createEnding } from './quit-desktop.ts'

let home: string
beforeEach(() => {
  resetShim()
  onPlatform('linux')
  home = mkdtempSync(join(tmpdir(), 'desktop-'))
})
afterEach(() => {
  onPlatform()
  rmSync(home, { recursive: true })
})

const started = (changes: Partial<DesktopSettings> = {}, args: string[] = []) =>
  startDesktop(aDesktopHost(home, 'system', changes), args)

describe('what is in progress', () => {
  const busy = async () => {
    const host = await started()
    await host.publish(running, { type: 'transfers', transfers: [{ state: 'running' }, { state: 'done' }] })
    return host
  }

  test('is asked about before the window closes, and goes on unless the user quits', async () => {
    const { window, seen } = await busy()
    state.clicks.push(0)
    window.close()
    await expect.poll(() => state.boxes.length).toBe(1)
    const stays = [BrowserWindow.all.length, seen.closed]
    state.clicks.push(1)
    const exited = new Promise(resolve => app.once('exited', resolve))
    // The answer to the first question arrives in a later turn of the event loop.
    await new Promise(resolve => setImmediate(resolve))
    window.close()
    await exited
    expect([stays, state.boxes[0]?.message, state.exitCode, seen.closed]).toEqual([
      [1, 0],
      'Still in progress: 1 answer, 1 model transfer.',
      0,
      1,
    ])
  })

  test('is asked about once when quitting', async () => {
    await busy()
    app.quit()
    app.quit()
    await expect.poll(() => state.boxes.length).toBe(1)
    expect([BrowserWindow.all.length, state.exitCode]).toEqual([1, undefined])
  })

  test('is no reason to ask once it has ended', async () => {
    const { window, publish } = await busy()
    await publish(ended, { type: 'transfers', transfers: [{ state: 'done' }] })
    const exited = new Promise(resolve => app.once('exited', resolve))
    window.close()
    await exited
    expect([state.boxes, state.exitCode]).toEqual([[], 0])
  })

  test('ends in good order when the system shuts down, without a question', async () => {
    const { seen } = await busy()
    let delayed = 0
    const exited = new Promise(resolve => app.once('exited', resolve))
    powerMonitor.emit('shutdown', { preventDefault: () => delayed++ })
    await exited
    expect([delayed, state.boxes, seen.closed]).toEqual([1, [], 1])
  })

  test('is not asked about when Windows ends the session', async () => {
    onPlatform('win32')
    const { window } = await busy()
    window.emit('query-session-end', {})
    window.close()
    expect([state.boxes, BrowserWindow.all]).toEqual([[], []])
  })

  test('goes on while the computer sleeps', async () => {
    const { window, seen, publish } = await busy()
    powerMonitor.emit('suspend')
    powerMonitor.emit('resume')
    await publish(ended)
    expect([BrowserWindow.all, seen.closed, seen.reports, window.visible]).toEqual([[window], 0, [], true])
  })
})

describe('keeping the app running', () => {
  const inTray = () => started({ keep_running: true })

  test('hides the closed window, and the tray opens it again', async () => {
    const { window, publish } = await inTray()
    await publish(running)
    window.close()
    const hidden = [window.visible, BrowserWindow.all.length, state.boxes.length]
    state.trays[0]?.emit('click')
    expect([hidden, window.visible]).toEqual([[false, 1, 0], true])
  })

  test('does not stand in the way of quitting from the tray', async () => {
    await inTray()
    const exited = new Promise(resolve => app.once('exited', resolve))
    state.trays[0]?.menu?.items.at(-1)?.click?.()
    await exited
    expect([state.exitCode, BrowserWindow.all]).toEqual([0, []])
  })

  test('ends with its setting', async () => {
    const { window, change } = await inTray()
    await change({ keep_running: false })
    const exited = new Promise(resolve => app.once('exited', resolve))
    window.close()
    await exited
    expect([state.trays[0]?.isGone, state.exitCode]).toEqual([true, 0])
  })

  test('is not possible without a tray: the window closes as usual', async () => {
    state.trayFails = true
    const { window, seen } = await inTray()
    const exited = new Promise(resolve => app.once('exited', resolve))
    window.close()
    await exited
    expect([state.exitCode, seen.reports.length]).toEqual([0, 1])
  })

  test('a start at login shows no window if the tray has the app, and one if it has not', async () => {
    const hidden = await started({ keep_running: true }, ['--hidden'])
    const first = hidden.window.visible
    resetShim()
    const shown = await started({}, ['--hidden'])
    expect([first, shown.window.visible]).toEqual([false, true])
  })
})

test('an update is installed once everything is closed, and quits the app itself', async () => {
  const order: string[] = []
  createEnding({
    work: { text: () => undefined },
    window: () => undefined,
    isInTray: () => false,
    close: async () => void order.push('closed'),
    installUpdate() {
      order.push('installed')
      setImmediate(app.quit)
      return true
    },
    report: error => order.push(String(error)),
  })
  const exited = new Promise(resolve => app.once('exited', resolve))
  app.quit()
  app.quit()
  await exited
  expect([order, state.exitCode]).toEqual([['closed', 'installed'], 0])
})
