import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTextStrategy } from '../src/main/agent/strategies/text.ts'
import { createHost } from '../src/main/host.ts'
import { estimateTokens } from '../src/shared/text/estimate-tokens.ts'
import { editionFor } from '../src/main/skills/prompt-index.ts'
import type { Measured } from './run-parts.ts'
import { startOpenAiServer } from '../testing/servers/openai-server.ts'

const WINDOWS = [131_072, 32_768, 16_384, 8_192, 4_096, 2_048]

/**
 * The tokens of the tools in a new chat's prompt, for several context windows, for servers that take tools as
 * data and for tools as text: what all tools would take, what the tools of the chat take, what they may take,
 * and which toolsets are left out.
 */
export async function benchTools(): Promise<Measured> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-bench-tools-'))
  const host = await createHost({ hosting: 'headless', home })
  const { handlers } = host
  const { signal } = new AbortController()
  const results: Measured = { tools_form: 'as a new chat of the window gets them, without MCP servers' }
  let all: { function: { name: string; description: string; parameters: Record<string, unknown> } }[] = []
  for (const window of WINDOWS) {
    for (const [way, model] of [
      ['data', 'qwen3'],
      ['text', 'plain'],
    ] as const) {
      const server = await startOpenAiServer({ models: [{ id: model, max_model_len: window }] })
      server.reply({ text: 'Fine.' })
      const added = await handlers['model.addServer'](
        { name: 'Bench', baseUrl: server.baseUrl, model, protocol: 'openai', apiKey: '' },
        signal,
      )
      const { id } = await handlers['session.create']({ modelId: added.id, origin: 'window' }, signal)
      const { runId } = await handlers['chat.send']({ sessionId: id, text: 'Hello.' }, signal)
      for await (const event of handlers['run.watch']({ runId, after: 0 }, signal))
        if (event.type === 'turn_end') break
      const sent = server.chats().at(-1)?.body
      if (all.length === 0) all = sent.tools
      const { sections } = await handlers['session.context']({ id }, signal)
      const tools = sections.filter(each => each.name === 'tools')
      const after = sent.tools
        ? estimateTokens(JSON.stringify(sent.tools))
        : tools.reduce((sum, each) => sum + each.tokens, 0)
      const edition = editionFor(window)
      const text = createTextStrategy({ format: 'hermes', toolRole: false, edition })
      const before =
        way === 'data'
          ? estimateTokens(JSON.stringify(all))
          : estimateTokens(text.present(all.map(each => each.function)))
      const leftOut = tools.find(each => each.leftOut)?.leftOut?.text.split(', because')[0] ?? 'nothing'
      const name = `tools_${window}_${way}`
      results[`${name}_before_tokens`] = before
      results[`${name}_after_tokens`] = after
      results[`${name}_most_tokens`] = Math.floor(window * 0.15)
      results[`${name}_left_out`] = leftOut
      await server.close()
    }
  }
  await host.close()
  rmSync(home, { recursive: true })
  return results
}
