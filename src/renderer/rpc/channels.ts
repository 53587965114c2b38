import type { Desktop } from '../../shared/desktop.ts'
import { Fault, type Channel } from '../../shared/rpc.ts'
import { overPort } from './over-port.ts'
import { overSocket } from './over-socket.ts'

declare global {
  interface Window {
    desktop?: Desktop
  }
}

// Read once, when the page loads, and left in the address, so that a reload finds it again. A fragment never leaves the
// browser, so the token is in no request and in no log.
const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
// A browser throws for what cannot be the name of a protocol; the host refuses an empty token like any wrong one.
const token = /^[\w-]+$/.test(given) ? given : ''

/** Electron hands the page a port through the preload; a plain browser opens a socket to the host that served it. */
export const openChannel = async (): Promise<Channel> =>
  window.desktop ? overPort(await requestPort(window.desktop)) : overSocket(await openSocket())

async function requestPort(desktop: Desktop): Promise<MessagePort> {
  const { promise, resolve } = Promise.withResolvers<MessagePort>()
  const take = (event: MessageEvent) => {
    // Frames and windows that we did not make can post messages too.
    if (event.source === window && event.data === 'host-port' && event.ports[0]) resolve(event.ports[0])
  }
  window.addEventListener('message', take)
  desktop.requestPort()
  return promise.finally(() => window.removeEventListener('message', take))
}

const longestOpenMs = 10_000

async function openSocket(): Promise<WebSocket> {
  const url = new URL('/rpc', location.href)
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  url.hash = ''
  const socket = new WebSocket(url, ['rpc.v1', `token.${token}`])
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve(), { once: true })
  // Browsers do not tell a page why: nobody there, or a token of an earlier launch.
  socket.addEventListener('error', () => reject(new Fault('disconnected', 'The host does not answer.')), {
    once: true,
  })
  // A server that takes the connection and says nothing would be waited for without end.
  const timer = setTimeout(() => socket.close(), longestOpenMs)
  await promise.finally(() => clearTimeout(timer))
  return socket
}
