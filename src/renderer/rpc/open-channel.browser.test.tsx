import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { connectClient } from '../../shared/connect-client.ts'
import { call } from '../../shared/rpc.ts'
import { openChannel } from './open-channel.ts'

const contract = { 'echo.say': call(z.object({ text: z.string() }), z.string()) }

afterEach(() => {
  delete window.desktop
})

/** Acts as the preload: posts a port to the page whose other end is an echoing host. */
function aDesktop(before = () => {}) {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }) =>
    port1.postMessage({ t: 'end', id: data.id, value: data.input.text }),
  )
  port1.start()
  window.desktop = {
    requestPort() {
      before()
      window.postMessage('host-port', location.origin, [port2])
    },
    pathOf: () => '',
  }
  return port1
}

test('inside Electron the page uses the port from the preload', async () => {
  aDesktop()
  const client = connectClient(contract, await openChannel())
  expect(await client['echo.say']({ text: 'a' })).toBe('a')
})

test('a port posted by another window or frame is ignored', async () => {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  const { port1, port2 } = new MessageChannel()
  let trap = 0
  port1.addEventListener('message', () => trap++)
  port1.start()
  aDesktop(() => {
    const foreign = new MessageEvent('message', {
      data: 'host-port',
      source: frame.contentWindow,
      ports: [port2],
    })
    window.dispatchEvent(foreign)
    window.postMessage('host-port', location.origin)
  })
  const client = connectClient(contract, await openChannel())
  expect([await client['echo.say']({ text: 'a' }), trap]).toEqual(['a', 0])
  frame.remove()
})

test('closing a port disconnects its pending calls', async () => {
  aDesktop()
  const channel = await openChannel()
  const client = connectClient(contract, channel)
  channel.close()
  await expect(client['echo.say']({ text: 'a' })).rejects.toMatchObject({ code: 'disconnected' })
})

/** A main process that answers a request for a port in its own way. */
function aDesktopThat(answers: () => void) {
  window.desktop = { requestPort: answers, pathOf: () => '' }
}

test('a port that is refused is an error with a remedy', async () => {
  aDesktopThat(() => window.postMessage('host-port-refused', location.origin))
  await expect(openChannel()).rejects.toMatchObject({
    code: 'disconnected',
    message: expect.stringContaining('Close it and open Talaria again.'),
  })
})

test('a port that never comes is an error after ten seconds', async () => {
  vi.useFakeTimers()
  aDesktopThat(() => {})
  const opening = openChannel()
  const refused = expect(opening).rejects.toMatchObject({ code: 'disconnected' })
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  vi.useRealTimers()
})
