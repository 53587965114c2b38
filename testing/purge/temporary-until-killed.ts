import { createHost } from '../../src/main/host.ts'

/**
 * Run a host with a temporary chat in which a word is sent, attached, typed and used in a command, and print
 * a line when its turn has ended. Meant to be killed then. Arguments: the home folder, the model, the word.
 */
const [home = '', modelId = '', word = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const given = { modelId, origin: 'window', approval: 'full', temporary: true } as const
const { id: sessionId } = await host.handlers['session.create'](given, signal)
const base64 = Buffer.from(`${word} in a file`).toString('base64')
const from = { kind: 'bytes', name: 'a.txt', base64 } as const
await host.handlers['attachment.add']({ sessionId, from }, signal)
await host.handlers['session.update']({ id: sessionId, draft: `${word} as a draft` }, signal)
const { runId } = await host.handlers['chat.send']({ sessionId, text: `Run it: ${word}` }, signal)
for await (const event of host.handlers['run.watch']({ runId, after: 0 }, signal))
  if (event.type === 'turn_end')
    process.stdout.write(`${JSON.stringify({ sessionId, reason: event.reason })}\n`)
