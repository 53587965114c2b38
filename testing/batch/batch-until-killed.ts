import { createHost } from '../../src/main/host.ts'

/**
 * Run a batch in a host of its own, and write its state after each change. Meant to be killed at any moment. Arguments: the home folder,
 * and what the batch is started with, as JSON.
 */
const [home = '', given = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const { id } = await host.handlers['batch.start'](JSON.parse(given), signal)
for await (const state of host.handlers['batch.watch']({ id }, signal))
  process.stdout.write(`${JSON.stringify(state)}\n`)
await host.close()
