import { portRefused, type Desktop } from '../../shared/desktop-bridge.ts'
import { Fault, type Channel } from '../../shared/rpc.ts'
import { overPort, overSocket } from './page-channels.ts'
import { checkHost } from './check-host.ts'
import { pageToken } from './page-token.ts'

declare global {
  interface Window {
    desktop?: Desktop
  }
}

/** Electron's preload passes a port to the page. A plain browser opens a web socket to the host. */
export const openChannel = async (): Promise<Channel> =>
  window.desktop ? overPort(await requestPort(window.desktop)) : overSocket(await openSocket())

/** How long to wait for a connection, in ms. Waiting longer for a busy main process does not help. */
const longestOpenMs = 10_000

async function requestPort(desktop: Desktop): Promise<MessagePort> {
  const { promise, resolve, reject } = Promise.withResolvers<MessagePort>()
  const refuse = (why: string) => reject(new Fault('disconnected', why))
  const take = (event: MessageEvent) => {
    // Foreign frames and windows can post messages too.
    if (event.source !== window) return
    if (event.data === portRefused)
      refuse('Talaria does not recognise this window. Close it and open Talaria again.')
    if (event.data === 'host-port' && event.ports[0]) resolve(event.ports[0])
  }
  window.addEventListener('message', take)
  const timer = setTimeout(
    () => refuse('Talaria is not responding. If waiting does not help, quit Talaria and start it again.'),
    longestOpenMs,
  )
  desktop.requestPort()
  return promise.finally(() => {
    clearTimeout(timer)
    window.removeEventListener('message', take)
  })
}

async function openSocket(): Promise<WebSocket> {
  const url = new URL('/rpc', location.href)
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  url.hash = ''
  const given = await pageToken()
  // Browsers throw on invalid WebSocket protocol names. The host rejects an empty token like a wrong one.
  const token = /^[\w-]+$/.test(given) ? given : ''
  await checkHost(token)
  const socket = new WebSocket(url, ['rpc.v1', `token.${token}`])
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve(), { once: true })
  // Browsers hide the reason: the host is down, or the token is from an earlier launch.
  socket.addEventListener('error', () => reject(new Fault('disconnected', 'Talaria is not responding.')), {
    once: true,
  })
  // Without a timeout, a server that accepts the connection but stays silent would block forever.
  const timer = setTimeout(() => socket.close(), longestOpenMs)
  await promise.finally(() => clearTimeout(timer))
  return socket
}
