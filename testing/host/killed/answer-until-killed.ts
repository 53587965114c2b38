import { createHost } from '../../../src/main/host.ts'

/**
 * Run a host, send a message, and print the type of each published event. Meant to be killed in the middle of
 * the answer. Arguments: the home folder, the model and the text.
 */
const [home = '', modelId = '', text = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const chat = await host.handlers['session.create']({ modelId, origin: 'window', approval: 'full' }, signal)
await host.handlers['session.update']({ id: chat.id, draft: 'Half a thought' }, signal)
const { runId } = await host.handlers['chat.send']({ sessionId: chat.id, text }, signal)
process.stdout.write(`${JSON.stringify({ runId, sessionId: chat.id })}\n`)
for await (const event of host.handlers['run.watch']({ runId, after: 0 }, signal))
  process.stdout.write(`${JSON.stringify(event)}\n`)
