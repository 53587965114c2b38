import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { aHome, aHost } from '../../testing/host/a-host.ts'
import { createDesk } from './desk/desk.ts'
import { remember } from './desk/memory-of.ts'
import { openProduct, readBundled } from './product.ts'
import { promptOf } from './prompt-of.ts'

const ABOUT = ["User's dog is called Rex", 'User is allergic to peanuts']
const NOTES = ['The printer is in the hall']

test('the prompt is the one that the host freezes for a chat with the built-in model', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  for (const text of ABOUT) await host.client['memory.add']({ target: 'user', project: null, text })
  for (const text of NOTES) await host.client['memory.add']({ target: 'memory', project: null, text })
  const chat = await host.client['session.create']({ modelId: 'builtin' })
  const { sections, contextTokens } = await host.client['session.context']({ id: chat.id })

  const desk = createDesk()
  for (const text of ABOUT) remember(desk, 'user', text)
  for (const text of NOTES) remember(desk, 'memory', text)
  desk.skills = readBundled()
  const product = openProduct()
  const around = { tools: product.tools, workspace: chat.workspace, today: new Date(), contextTokens }
  const frozen = sections.map(section => section.text).join('\n\n')
  expect(promptOf(desk, around).split('\n')).toEqual(frozen.split('\n'))
})

test('a change of a tool or of the prompt shows in its hash', async () => {
  const { piecesOf } = await import('./pieces.ts')
  const product = openProduct()
  const { promptHash, toolsHash, pieces } = piecesOf(product)
  const changed = piecesOf({ ...product, tools: product.tools.slice(1) })
  expect(changed.toolsHash).not.toBe(toolsHash)
  expect(changed.promptHash).not.toBe(promptHash)
  expect(piecesOf(openProduct())).toEqual({ promptHash, toolsHash, pieces })
  expect(toolsHash).toBe(createHash('sha256').update(JSON.stringify(product.tools)).digest('hex'))
})
