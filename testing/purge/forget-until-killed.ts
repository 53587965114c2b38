import { createHost } from '../../src/main/host.ts'

/**
 * Run a host, forget memory entries for good, and print a line at the start and at the end. Meant to be
 * killed in between. Arguments: the home folder and the ids of the entries.
 */
const [home = '', ...ids] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const { texts } = await host.handlers['memory.forgetPlan']({ ids }, signal)
process.stdout.write('begun\n')
try {
  await host.handlers['memory.forgetForGood']({ ids, texts }, signal)
} catch {
  // The previous process has already forgotten the entry.
}
process.stdout.write('done\n')
setInterval(() => undefined, 60_000)
