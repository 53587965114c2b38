import { createHost } from '../../src/main/host.ts'
import { letIn } from './let-in.ts'
import { folderKind } from './folder-platform.ts'

/**
 * Run a host with a messenger in a folder, and print a line once connected. Meant to be killed. With `after
 * send`, it ends itself once the next message has been sent, before that is confirmed. Arguments: the home
 * folder, the folder, when to end.
 */
const [home = '', folder = '', when = ''] = process.argv.slice(2)
const end = () => {
  if (when === 'after send') process.kill(process.pid, 'SIGKILL')
  return undefined
}
const host = await createHost({
  hosting: 'headless',
  home,
  gateway: {
    platforms: [folderKind(folder, { faults: { after: end }, isAlone: true })],
    rights: needs => letIn({ 7: {} }, needs),
    joinMs: 20,
  },
})
const { signal } = new AbortController()
const state = async () => (await host.handlers['gateway.state']({}, signal)).platforms[0]?.state
while ((await state()) !== 'connected') await new Promise(resolve => setTimeout(resolve, 5))
process.stdout.write('connected\n')
