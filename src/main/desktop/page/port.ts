import { ipcMain, MessageChannelMain, type MessagePortMain, type WebFrameMain } from 'electron'
import { portRefused } from '../../../shared/desktop-bridge.ts'
import type { Channel, Contract, Handlers } from '../../../shared/rpc.ts'
import { serveContract } from '../../rpc/serve.ts'
import { isOurPage } from './address.ts'

/** Wrap a message port of the main process as a channel. */
const overMainPort = (port: MessagePortMain): Channel => ({
  post: message => port.postMessage(message),
  onMessage: listener => {
    port.on('message', event => listener(event.data))
    port.start()
  },
  onClose: listener => port.on('close', listener),
  close: () => port.close(),
})

/** Return the requesting frame; undefined if it is gone, embedded or not our page. */
const ours = (frame: WebFrameMain | null) =>
  frame !== null && frame.parent === null && isOurPage(frame.url) ? frame : undefined

/**
 * Send a port that speaks `contract` to each of our pages that requests one; refuse any other frame. A reload
 * or closed window closes its port, which aborts its streams. Runs continue, because they belong to the host.
 */
export function answerPortRequests<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  report: (error: unknown) => void,
): void {
  ipcMain.on('host-port', event => {
    const frame = ours(event.senderFrame)
    if (!frame) {
      report(new Error(`A port was refused to ${event.senderFrame?.url ?? 'a frame that is gone'}.`))
      event.senderFrame?.postMessage(portRefused, null)
      return
    }
    const { port1, port2 } = new MessageChannelMain()
    serveContract(contract, handlers, overMainPort(port1), report)
    frame.postMessage('host-port', null, [port2])
  })
}
