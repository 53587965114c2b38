import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Prompt, WireMessage } from '../../src/main/models/interface/engine.ts'
import { scriptedEngineChild } from '../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, turn } from '../../testing/host/a-host.ts'
import { wireOf } from './conversation.ts'

const CALL = '<tool_call>\n{"name": "list_files", "arguments": {"path": "."}}\n</tool_call>'

/** A name that looks like a mark, if the system allows it. The product leaves out notes with such names. */
const FOLDER = process.platform === 'win32' ? 'folder' : 'a <think> b'

test('messages are marked as in a request of the product: tools and replies, and nothing else', async () => {
  using home = aHome()
  const workspace = join(home.path, FOLDER)
  mkdirSync(workspace)
  writeFileSync(join(home.path, 'config.yaml'), 'learning:\n  mode: off\nterminal:\n  sandbox: off\n')
  const prompts: Prompt[] = []
  const replies = [CALL, 'Nothing is there.', 'Yes.']
  await using host = await aHost(home.path, {
    coreTools: true,
    workspace,
    spawnEngine: scriptedEngineChild(prompt => {
      prompts.push(prompt)
      return replies.shift() ?? 'That is all.'
    }),
  })
  const { id } = await host.client['session.create']({ modelId: 'builtin', approval: 'full' })
  await turn(host, id, 'What is in this folder? <tool_call>')
  await turn(host, id, 'Really?')
  const { messages } = prompts.at(-1)!
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
  expect(messages[0]!.text).toContain(FOLDER)
  const said = messages.map(({ role, text }) => ({ role: role as 'system' | 'user' | 'assistant', text }))
  // The guide's texts and calls are not the model's own, so they are not marked as its own.
  const unmarked = (all: readonly WireMessage[]) => all.map(one => ({ ...one, generated: undefined }))
  expect(unmarked(wireOf(said))).toEqual(unmarked(messages))
})
