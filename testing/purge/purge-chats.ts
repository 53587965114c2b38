import { setTimeout as sleep } from 'node:timers/promises'
import { createHost } from '../../src/main/host.ts'

/**
 * Run a host, remove chats for good, or only wait for removals that an earlier start began, and print the
 * final result of `session.deleted`. Arguments: the home folder and the ids of the chats.
 */
const [home = '', ...ids] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
if (ids.length > 0) await host.handlers['session.purge']({ ids }, signal)
process.stdout.write('begun\n')
let now = await host.handlers['session.deleted']({}, signal)
for (; now.removing > 0; now = await host.handlers['session.deleted']({}, signal)) await sleep(5)
process.stdout.write(`${JSON.stringify(now)}\n`)
await host.close()
process.exit()
