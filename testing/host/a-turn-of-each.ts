import { createHost } from '../../src/main/host.ts'
import { startOpenAiServer } from '../servers/openai-server.ts'

/** Run a host in the given home folder, let a local model and a model on a server answer, and end. */
const [home = ''] = process.argv.slice(2)
const host = await createHost({ hosting: 'headless', home })
const { signal } = new AbortController()
const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 16_000 }] })
server.reply({ text: 'Hello.' })
const served = await host.handlers['model.addServer'](
  { name: 'one', protocol: 'openai', baseUrl: server.baseUrl, apiKey: '', model: 'qwen3' },
  signal,
)
for (const modelId of [served.id, 'builtin']) {
  const { id } = await host.handlers['session.create']({ modelId, origin: 'window' }, signal)
  const { runId } = await host.handlers['chat.send']({ sessionId: id, text: 'Hello' }, signal)
  for await (const event of host.handlers['run.watch']({ runId, after: 0 }, signal)) void event
}
await host.close()
await server.close()
