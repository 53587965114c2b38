import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, endOf, turn } from '../../../../testing/host/a-host.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import type { Prompt } from '../../models/interface/engine.ts'

/** A chat with a small model that gives these replies, and with a file to read. */
async function aChatWith(home: string, replies: readonly string[]) {
  const prompts: Prompt[] = []
  const spawnEngine = scriptedEngineChild(prompt => replies[prompts.push(prompt) - 1] ?? 'Well.')
  const host = await aHost(home, { coreTools: true, spawnEngine })
  const { id: modelId } = await host.client['model.add']({ path: scriptedModel() })
  const { id } = await host.client['session.create']({ modelId, decider: 'on' })
  writeFileSync(join(home, 'workspace', 'notes.txt'), 'Buy blue paint.')
  const newest = async () => (await host.client['session.messages']({ id })).messages.at(-1)
  return { host, id, prompts, newest }
}

const TOLD = 'Here is `notes.txt`:\n\n```\nBuy blue paint.\n```'

test.for([
  ['nothing', '', 'empty'],
  ['a story', 'Once upon a time a young princess lived in a castle by the river.', 'unfounded'],
  ['an invented text', 'Here is notes.txt:\n```\nBuy red apples.\n```', 'unfounded'],
  ['that it cannot', 'I am sorry, I cannot read files such as notes.txt.', 'unfounded'],
  ['the same again and again', 'Blue paint it is. '.repeat(200), 'looping'],
  ['a call', '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>', 'empty'],
  ['a word again and again', 'Buy blue paint, ' + 'blue '.repeat(300), 'looping'],
] as const)('where a small model says %s of a result, Talaria says it', async ([, said, reason]) => {
  using home = aHome()
  const { host, id, prompts, newest } = await aChatWith(home.path, [said])
  await using _ = host
  const events = await turn(host, id, 'read notes.txt')
  expect(endOf(events)).toBe('done')
  expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ reason, instead: true }])
  expect(events.filter(({ type }) => type === 'warning' || type === 'error')).toEqual([])
  expect(prompts).toHaveLength(1)
  expect(await newest()).toMatchObject({ role: 'assistant', text: TOLD, byTalaria: true, model: 'Talaria' })
  await turn(host, id, 'thank you')
  expect(prompts[1]!.messages.filter(({ role }) => role === 'assistant').at(-1)!.text).toBe(TOLD)
  expect(host.mistakes()).toEqual([])
})

test('what a small model says of a result stays its own where it stands there', async () => {
  using home = aHome()
  const { host, id, newest } = await aChatWith(home.path, ['It says: buy blue paint.'])
  await using _ = host
  const events = await turn(host, id, 'read notes.txt')
  expect(events.some(({ type }) => type === 'retry')).toBe(false)
  const answer = await newest()
  expect(answer).toMatchObject({ text: 'It says: buy blue paint.', model: expect.stringMatching(/scripted/) })
  expect(answer).not.toHaveProperty('byTalaria')
})

test('what failed, was refused or changed something is said by Talaria, and the model is not asked', async () => {
  using home = aHome()
  const { host, id, prompts, newest } = await aChatWith(home.path, [])
  await using _ = host
  const { client } = host
  await turn(host, id, 'read missing.txt')
  expect(await newest()).toMatchObject({
    text: 'There is no file or folder `missing.txt` here.',
    byTalaria: true,
  })
  const answering = (decision: 'deny' | 'once') => async (event: RunEvent, runId: string) => {
    if (event.type === 'approval_request')
      await client['run.approve']({ runId, approvalId: event.approval.id, decision, note: '' })
  }
  await turn(host, id, 'run the command date', answering('deny'))
  expect(await newest()).toMatchObject({
    text: 'You did not allow it, so nothing was done.',
    byTalaria: true,
  })
  await turn(host, id, 'Remember that I use pnpm', answering('once'))
  expect(await newest()).toMatchObject({ text: 'I will remember: “User uses pnpm”.', byTalaria: true })
  expect(prompts).toEqual([])
})
