import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { FILES, TURNS } from './builtin-turns.ts'
import { scriptedEngineChild } from './scripted-engine-child.ts'

const file = fileURLToPath(new URL('builtin-requests.json', import.meta.url))

// Histories are shortened by estimated tokens, which must not depend on the letters of a temporary folder or
// of an id.
vi.mock('../../src/shared/text/estimate-tokens.ts', async original => {
  const { estimateTokens } = await original<typeof import('../../src/shared/text/estimate-tokens.ts')>()
  const settled = (text: string) =>
    text.replaceAll(/\/[^\s"]*?talaria-[\w-]+/g, '/home').replaceAll(/\bchat_[0-9a-z]+/g, 'chat_0')
  return { estimateTokens: (text: string) => estimateTokens(settled(text)) }
})

// Other files of the same worker have already loaded the host without this mock.
vi.resetModules()
const { aHome, aHost, turn } = await import('../host/a-host.ts')

/**
 * The requests to the model in one turn: the whole prompt for the first request of a chat, else the last two
 * messages.
 */
type Asked = { ask: string; requests: { messages: string[] }[] }

/** The frame of a summary, which the test of the strategy covers. */
const SUMMARISED = /^user: [^]*\[End of the summary\. The conversation goes on from here\.\]\s*/

/** Turns of one chat: enough to exceed the context window. */
const TURNS_OF_A_CHAT = 10
const SUMMARY = '## Done\n- The folder and the notes were read.\n- list.md was written.'

// `talaria-mini.prompt.json` has the prompts that the built-in model was trained on; this golden file has the
// actual requests. If they change, measure the effect (npm run -s eval:builtin), and accept a good result
// with TALARIA_UPDATE_GOLDEN=1.
test('forty turns ask the built-in model what the golden file says', async () => {
  using home = aHome()
  const workspace = join(home.path, 'folder')
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  writeFileSync(join(home.path, 'config.yaml'), 'learning:\n  mode: off\nterminal:\n  sandbox: off\n')
  const asked: Asked[] = []
  let waiting: string[] = []
  let id = ''
  const answer = (prompt: Prompt) => {
    const now = prompt.messages.map(
      ({ role, text }) =>
        `${role}: ${text.replaceAll(home.path, '<home>').replaceAll(/chat_[0-9a-z]+/g, '<chat>')}`,
    )
    // If a chat exceeds the context window, the model is asked for a summary in between, at a point that
    // depends on estimates.
    if (now.at(-1)?.includes('[Summary] The user does not read this')) return SUMMARY
    const isFirst = now.length === 2
    const shown = (isFirst ? now : now.slice(-2)).map(text => text.replace(SUMMARISED, 'user: '))
    asked.at(-1)!.requests.push({ messages: shown.filter(text => isFirst || !text.startsWith('system: ')) })
    return waiting.shift() ?? 'I have nothing more to say.'
  }
  const now = () => Date.UTC(2026, 0, 15, 12)
  await using host = await aHost(home.path, {
    coreTools: true,
    workspace,
    now,
    zone: () => 'UTC',
    spawnEngine: scriptedEngineChild(answer),
  })
  for (const [index, { ask, replies }] of TURNS.entries()) {
    if (index % TURNS_OF_A_CHAT === 0)
      ({ id } = await host.client['session.create']({ modelId: 'builtin', approval: 'full' }))
    asked.push({ ask, requests: [] })
    waiting = [...replies]
    // Replies remain unused if the guide answers first and the model is not asked.
    await turn(host, id, ask, async (event, runId) => {
      if (event.type !== 'approval_request') return
      const { id: approvalId, question } = event.approval
      const note = question?.choices[0] ?? 'yes'
      await host.client['run.approve']({ runId, approvalId, decision: 'once', note })
    })
  }
  if (process.env['TALARIA_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(asked, null, 2)}\n`)
  expect(TURNS).toHaveLength(40)
  expect(asked).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  expect(host.mistakes()).toEqual([])
})
