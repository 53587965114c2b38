import { ipcMain, MessageChannelMain, type MessagePortMain, type WebFrameMain } from 'electron'
import type { Channel, Contract, Handlers } from '../../shared/rpc.ts'
import { serve } from '../rpc/serve.ts'
import { isOurPage } from './page-url.ts'

/** A message port of the main process as a channel. */
export const overMainPort = (port: MessagePortMain): Channel => ({
  post: message => port.postMessage(message),
  onMessage: listener => {
    port.on('message', event => listener(event.data))
    port.start()
  },
  onClose: listener => port.on('close', listener),
  close: () => port.close(),
})

/** The frame that asked, unless it is gone, embedded in another or not our page. */
const ours = (frame: WebFrameMain | null) =>
  frame !== null && frame.parent === null && isOurPage(frame.url) ? frame : undefined

/**
 * Hand a port that speaks `contract` to every page of ours that asks. A reload or a closed window closes its port, which
 * aborts what it was watching; runs go on, because they live in the host.
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
      return
    }
    const { port1, port2 } = new MessageChannelMain()
    serve(contract, handlers, overMainPort(port1), report)
    frame.postMessage('host-port', null, [port2])
  })
}
