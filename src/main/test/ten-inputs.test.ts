import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aHome, aHost } from '../../../testing/host/a-host.ts'
import { answerInputs, endInputs, streamAnswer, tenInputs } from '../../../testing/host/ten-inputs.ts'
import { startOpenAiServer } from '../../../testing/servers/openai-server.ts'

// How long anything waits is measured by `npm run bench -- --only pulse --case hostile`, and no matter here.

test('ten hostile texts at once end in words, while an answer streams that is whole', async () => {
  using home = aHome()
  const size = 30_000
  const workspace = join(home.path, 'notes')
  mkdirSync(workspace)
  const server = await startOpenAiServer()
  onTestFinished(() => server.close())
  const model = { id: 'served', name: 'Served', model: 'qwen3', base_url: server.baseUrl }
  const models = { default: 'server:served', servers: [{ ...model, context_tokens: 131_072 }] }
  writeFileSync(join(home.path, 'config.yaml'), JSON.stringify({ ui: { setup_done: true }, models }))
  const streamed = Array.from({ length: 40 }, (_, n) => `word ${n} `)
  answerInputs(server, size, streamed)
  await using host = await aHost(home.path, { coreTools: true })
  const place = { client: host.client, home: home.path, workspace, size }

  const [answer, ends] = await Promise.all([streamAnswer(place), endInputs(place, 0)])

  expect(answer.trim()).toBe(streamed.join('').trim())
  expect(Object.keys(ends)).toEqual(Object.keys(tenInputs))
  expect(ends).toEqual({
    'a file to patch': expect.stringMatching(/^done: [^]*old_string[^]*Done\.$/) as string,
    'a file to write over': expect.stringMatching(/^done: [^]*hard\.txt[^]*Done\.$/) as string,
    'an answer in the window': expect.stringMatching(/^done: [^]*_word/) as string,
    'a message': expect.stringMatching(/^done: Yes\.$/) as string,
    'a result of an MCP server': expect.stringContaining('[a[a') as string,
    'a skill to import': expect.stringMatching(/^hard-0: (use|ask|block|warn)$/) as string,
    'a text in the editor of skills': expect.stringMatching(/^(safe|caution|dangerous)$/) as string,
    'chats to import': 'done',
    'a file of settings': expect.stringContaining(',') as string,
    'a search in a chat': expect.stringMatching(/^\d+ found$/) as string,
  })
  expect(host.mistakes()).toEqual([])
})
