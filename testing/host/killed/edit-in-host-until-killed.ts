import { createHost } from '../../../src/main/host.ts'

/**
 * Run a host, edit a message of a chat, and print each step once it is stored: `ready`, `edited`, then the
 * events of the answer. Meant to be killed at any step. Arguments: the home folder, the chat, the message,
 * its new text.
 */
const [home = '', sessionId = '', messageId = '', text = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const say = (step: string) => process.stdout.write(`${step}\n`)
say('ready')
const edit = { sessionId, messageId: Number(messageId), text, stopRun: false }
const { runId } = await host.handlers['branch.edit'](edit, signal)
say('edited')
for await (const event of host.handlers['run.watch']({ runId: runId!, after: 0 }, signal))
  say('message' in event ? `${event.type} ${event.message.role}` : event.type)
