import { createHost } from '../../src/main/host.ts'

/**
 * Run a host, forget entries of the memory for good, and say when that begins and when it is done. Meant to be killed in between.
 * Arguments: the home folder and the ids of the entries.
 */
const [home = '', ...ids] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const { texts } = await host.handlers['memory.forgetPlan']({ ids }, signal)
process.stdout.write('begun\n')
try {
  await host.handlers['memory.forgetForGood']({ ids, texts }, signal)
} catch {
  // The process before this one forgot it already.
}
process.stdout.write('done\n')
setInterval(() => undefined, 60_000)
