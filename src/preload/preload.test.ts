import { afterEach, beforeEach, expect, test } from 'vitest'
import { exposed, ipcRenderer, resetShim } from '../../testing/host/electron-shim.ts'

beforeEach(resetShim)
afterEach(() => {
  for (const name of ['window', 'location']) Reflect.deleteProperty(globalThis, name)
})

test('the preload exposes two functions, and passes on a port or that there is none', async () => {
  const posted: unknown[][] = []
  const asked: string[] = []
  const pageWindow = { postMessage: (...message: unknown[]) => posted.push(message) }
  Object.assign(globalThis, { window: pageWindow, location: { origin: 'app://bundle' } })
  ipcRenderer.on('sent', (channel: string) => asked.push(channel))
  // By address, because the preload is compiled with the page's types and not with Node's.
  await import(new URL('./index.ts', import.meta.url).href)
  const { desktop } = exposed as { desktop: { requestPort(): void; pathOf(file: object): string } }
  desktop.requestPort()
  expect(desktop.pathOf({ path: '/media/stick/a.gguf' })).toBe('/media/stick/a.gguf')
  ipcRenderer.emit('host-port', { ports: ['the port'] })
  ipcRenderer.emit('host-port-refused', { ports: [] })
  expect([Object.keys(exposed), Object.keys(desktop), asked, posted]).toEqual([
    ['desktop'],
    ['requestPort', 'pathOf'],
    ['host-port'],
    [
      ['host-port', 'app://bundle', ['the port']],
      ['host-port-refused', 'app://bundle'],
    ],
  ])
})
