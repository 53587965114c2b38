import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../testing/db/a-store.ts'
import { makeScriptedGguf } from '../../../testing/gguf/scripted.ts'
import { createHost } from '../host.ts'

test('on a local model the closing answer of a sub-agent is held to its form by grammar', async () => {
  using folder = aFolder()
  const model = join(folder.path, 'scripted.gguf')
  const schema = '{"type": "object", "properties": {"found": {"type": "boolean"}}, "required": ["found"]}'
  makeScriptedGguf(model, {
    contextTokens: 32_768,
    reply: `Another one.\n<tool_call>\n{"name": "delegate", "arguments": {"goal": "Look at it.", "expect": ${schema}}}\n</tool_call>`,
    rules: [
      { when: '## Goal', reply: 'No form at all.' },
      { when: '<tool_response>', reply: 'It is done.' },
    ],
  })
  const home = join(folder.path, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'config.yaml'), 'engine:\n  context_tokens: 20000\n  hosting: inline\n')
  const host = await createHost({ hosting: 'cli', home })
  try {
    const { signal } = new AbortController()
    const call = host.handlers
    const { id } = await call['session.create']({ modelId: `file:${model}`, origin: 'window' }, signal)
    const { runId } = await call['chat.send']({ sessionId: id, text: 'Have somebody look.' }, signal)
    for await (const event of call['run.watch']({ runId, after: 0 }, signal)) void event
    const { messages } = await call['session.messages']({ id, limit: 50 }, signal)
    const result = messages.find(message => message.role === 'tool')
    expect(result?.text).toContain('- form of its answer: as asked for')
    expect(result?.text).toMatch(/\{\s*"found"\s*:\s*(?:true|false)\s*\}/)
  } finally {
    await host.close()
  }
}, 120_000)
