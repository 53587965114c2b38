import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'

class PortMain extends EventEmitter {
  readonly port: MessagePort
  constructor(port: MessagePort) {
    super()
    this.port = port
    port.on('message', data => this.emit('message', { data, ports: [] }))
    port.on('close', () => this.emit('close'))
  }
  postMessage(message: unknown) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.port.postMessage(message)
  }
  start() {
    this.port.start()
  }
  close() {
    this.port.close()
  }
}

export class MessageChannelMain {
  port1: PortMain
  port2: PortMain
  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port1 = new PortMain(port1)
    this.port2 = new PortMain(port2)
  }
}

export const ipcMain = new EventEmitter()

export const exposed: Record<string, unknown> = {}
export const contextBridge = {
  exposeInMainWorld: (key: string, api: unknown) => void (exposed[key] = api),
}
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (channel: string) => ipcRenderer.emit('sent', channel),
})

export const webUtils = { getPathForFile: (file: { path?: string }) => file.path ?? '' }
