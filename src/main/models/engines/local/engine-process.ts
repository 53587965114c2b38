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
  // An orphaned engine has no work. A clean exit would wait for native code to finish, so kill the process.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl+C reaches the whole process group. The host decides what to stop, and it stops answers in good order.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  serveEngine({
    post: message => process.send?.(message),
    onMessage: listener => process.on('message', listener),
  })
}
