import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Prompt } from '../../src/main/models/engine.ts'
import { aHome, aHost, turn } from '../host/a-host.ts'
import { FILES, TURNS } from './builtin-turns.ts'
import { scriptedEngineChild } from './scripted-engine-child.ts'

const file = fileURLToPath(new URL('builtin-requests.json', import.meta.url))

/** What the model is asked in one turn: for each request, how many messages stand before those that are shown. */
type Asked = { ask: string; requests: { after: number; messages: string[] }[] }

/** Enough for one to outgrow the window. */
const TURNS_OF_A_CHAT = 10

// The built-in model was trained on these texts. Where one changes, measure it (npm run -s eval:builtin), and accept what is
// good enough with TALARIA_UPDATE_GOLDEN=1. The hashes of `talaria-mini.json` cover prompts and tools only.
test('twenty turns ask the built-in model what the golden file says', async () => {
  using home = aHome()
  const workspace = join(home.path, 'folder')
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  writeFileSync(join(home.path, 'config.yaml'), 'learning:\n  mode: off\nterminal:\n  sandbox: off\n')
  const asked: Asked[] = []
  let waiting: string[] = []
  let before: string[] = []
  let id = ''
  const answer = (prompt: Prompt) => {
    const now = prompt.messages.map(
      ({ role, text }) =>
        `${role}: ${text.replaceAll(home.path, '<home>').replaceAll(/chat_[0-9a-z]+/g, '<chat>')}`,
    )
    const same = now.findIndex((text, index) => text !== before[index])
    const after = same === -1 ? now.length : same
    asked.at(-1)!.requests.push({ after, messages: now.slice(after) })
    before = now
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
    await turn(host, id, ask)
    expect({ ask, waiting }).toEqual({ ask, waiting: [] })
  }
  if (process.env['TALARIA_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(asked, null, 2)}\n`)
  expect(TURNS).toHaveLength(20)
  expect(asked).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  expect(host.mistakes()).toEqual([])
})
