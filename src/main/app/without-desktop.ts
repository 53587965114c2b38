import { Fault } from '../../shared/rpc.ts'
import type { DesktopHandlers } from './host-types.ts'

function refuse(): never {
  throw new Fault('not_ready', 'Only the window of the desktop app can do this.')
}

/** The answers of a host whose windows are pages in a browser. */
export const withoutDesktop: DesktopHandlers = {
  // oxlint-disable-next-line require-yield -- nothing ever asks anything of such a window
  async *'desktop.watch'(_input, signal) {
    if (signal.aborted) return
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  },
  'desktop.choose': refuse,
  'desktop.save': refuse,
  'desktop.reveal': refuse,
  'desktop.showChat': refuse,
}
