import { setTimeout as sleep } from 'node:timers/promises'
import { createHost } from '../../src/main/host.ts'

/**
 * Run a host, remove a chat for good, and print a line when that is stored and when it is done. Meant to be
 * killed in between. Arguments: the home folder and the id of the chat.
 */
const [home = '', id = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
await host.handlers['session.purge']({ ids: [id] }, signal)
process.stdout.write('begun\n')
while ((await host.handlers['session.deleted']({}, signal)).removing > 0) await sleep(1)
process.stdout.write('done\n')
setInterval(() => undefined, 60_000)
