import { serveEngine } from './serve-engine.ts'

/** What Electron gives a utility process instead of Node's own pipe to the parent. */
type ParentPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

process.title = 'talaria-engine'
const { parentPort } = process as { parentPort?: ParentPort }

if (parentPort) {
  serveEngine({
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    post: message => parentPort.postMessage(message),
    onMessage: listener => parentPort.on('message', event => listener(event.data)),
  })
} else {
  // Without its host an engine has nothing to do, and a clean exit would wait for native work to end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl+C in a terminal reaches the whole group; what it stops is for the host to decide.
  process.on('SIGINT', () => {})
  // Ctrl-C in a terminal reaches the host as well, which stops the answer in good order.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  serveEngine({
    post: message => process.send?.(message),
    onMessage: listener => process.on('message', listener),
  })
}
