import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../../../testing/gguf/cached.ts'
import { until } from '../../../../../../testing/until.ts'
import { aHomeForModels, aHost, endOf, turn, type TestHost } from '../../../../../../testing/host/a-host.ts'

const path = scriptedModel({
  reply: 'Let me see. <tool_call>\n{"name": "list_files", "arguments": {"path": "."}}\n</tool_call>',
  rules: [
    { when: 'And then?', reply: 'Nothing else.' },
    { when: 'Hello.', reply: 'Good day to you.' },
    { when: 'result', reply: 'There is nothing to see here.' },
  ],
})
const modelId = `file:${path}`
const other = `file:${scriptedModel({ reply: 'I am another model.' })}`

/** Return the usages of a turn, one per answer of the model. */
async function usagesOf(host: TestHost, chat: string, text: string) {
  const events = await turn(host, chat, text)
  expect(endOf(events)).toBe('done')
  return events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
}

const filesIn = (home: string) => {
  const folder = join(home, 'cache', 'states')
  return existsSync(folder) ? readdirSync(folder).filter(file => file.includes('-chat-')) : []
}

/** Upper bound on the tokens of a short question and its frame. */
const NEW = 60

test('a chat goes on with its new tokens only, after an unload, another model and a new start', async () => {
  using home = aHomeForModels()
  let held = 0
  let id = ''
  {
    await using host = await aHost(home.path, { coreTools: true })
    id = (await host.client['session.create']({ modelId })).id
    const [first] = await usagesOf(host, id, 'What is here?')
    expect(first!.evaluatedTokens).toBeGreaterThan(500)
    await host.client['model.unload']({})
    const [second] = await usagesOf(host, id, 'And then?')
    expect(second!.evaluatedTokens).toBeLessThan(NEW)
    expect(second!.restoredTokens).toBe(second!.reusedTokens)

    const elsewhere = await host.client['session.create']({ modelId: other })
    await usagesOf(host, elsewhere.id, 'Hello.')
    const [third] = await usagesOf(host, id, 'Hello.')
    expect(third!.evaluatedTokens).toBeLessThan(NEW)
    held = third!.promptTokens + third!.outputTokens
    expect(host.mistakes()).toEqual([])
  }
  await using host = await aHost(home.path, { coreTools: true })
  const [fourth] = await usagesOf(host, id, 'And then?')
  expect([fourth!.restoredTokens, fourth!.reusedTokens]).toEqual([held, held])
  expect(host.mistakes()).toEqual([])
})

test('a deleted chat takes its saved history with it, and no other one', async () => {
  using home = aHomeForModels()
  const ids: string[] = []
  {
    await using host = await aHost(home.path)
    for (const _ of [1, 2]) {
      const { id } = await host.client['session.create']({ modelId })
      await usagesOf(host, id, 'Hello.')
      ids.push(id)
    }
  }
  // A note and a state each.
  expect(filesIn(home.path)).toHaveLength(4)
  await using host = await aHost(home.path)
  await host.client['session.remove']({ id: ids[0]! })
  await until(() => filesIn(home.path).length === 2)
  const [usage] = await usagesOf(host, ids[1]!, 'And then?')
  expect(usage!.evaluatedTokens).toBeLessThan(NEW)
  await host.client['session.remove']({ id: ids[1]! })
  await until(() => filesIn(home.path).length === 0)
  await host.client['model.unload']({})
  expect(filesIn(home.path)).toEqual([])
})

test('what is forgotten for good is in no state that a model saves later', async () => {
  using home = aHomeForModels()
  await using host = await aHost(home.path, { coreTools: true })
  await host.client['memory.add']({ target: 'user', text: 'Lives in Bern.' })
  const { id } = await host.client['session.create']({ modelId })
  await usagesOf(host, id, 'Hello.')
  const ids = (await host.client['memory.view']({})).entries.map(entry => entry.id)
  const { texts } = await host.client['memory.forgetPlan']({ ids })
  await host.client['memory.forgetForGood']({ ids, texts })
  await host.client['model.unload']({})
  expect(filesIn(home.path)).toEqual([])
})
