import type { WebSocket, WebSocketServer } from 'ws'

/**
 * Drop peers that vanished without a word: every `ms` each is pinged, and one that left two pings unanswered is gone. One
 * would not do, because a process that slept answers for its peers too late. Returns a way to stop.
 */
export function keepWatch(sockets: WebSocketServer, ms: number): () => void {
  const unanswered = new WeakMap<WebSocket, number>()
  sockets.on('connection', peer => peer.on('pong', () => unanswered.delete(peer)))
  const timer = setInterval(() => {
    for (const peer of sockets.clients) {
      const pings = unanswered.get(peer) ?? 0
      if (pings === 2) {
        peer.terminate()
        continue
      }
      unanswered.set(peer, pings + 1)
      peer.ping()
    }
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}
