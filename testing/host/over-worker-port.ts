import type { MessagePort } from 'node:worker_threads'
import type { Channel } from '../../src/shared/rpc.ts'

/** For tests: a channel over a port of Node's worker threads. Electron's ports differ; `desktop/page.ts` adapts them. */
export function overWorkerPort(port: MessagePort): Channel {
  let closed = false
  port.on('close', () => {
    closed = true
  })
  return {
    post: message => port.postMessage(message),
    onMessage: listener => void port.on('message', listener),
    onClose: listener => (closed ? queueMicrotask(listener) : void port.on('close', listener)),
    close: () => port.close(),
  }
}
