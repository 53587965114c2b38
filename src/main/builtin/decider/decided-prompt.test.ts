import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, ONE_THREAD, transcript, turn, type TestHost } from '../../../../testing/host/a-host.ts'
import type { HostOptions } from '../../app/host-types.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import type { Prompt } from '../../models/interface/engine.ts'
import { deciderStep } from './decider-step.ts'

/** A step that begins to read a file for a message that no decider understands. The model adds arguments. */
const readsNotes = (): NonNullable<HostOptions['contributions']> => ({
  steps: [
    () => ({
      ...deciderStep({
        setting: () => 'on',
        decide: async message =>
          message === 'Lies die Notizen in notes.txt' ? { tool: 'read_file' } : undefined,
        history: () => [],
        switchOff: () => {},
      }),
      name: 'reads_notes',
    }),
  ],
})

/** The text that a real model writes after the start of a call if it is told about tools. */
const CALLS = {
  when: '## Tools',
  reply: '{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
}

async function aDecidedChat(home: string, options: Parameters<typeof aHost>[1] = {}) {
  const host = await aHost(home, { coreTools: true, contributions: readsNotes(), ...options })
  const { id: modelId } = await host.client['model.add']({
    path: scriptedModel({ reply: 'So it is.', rules: [CALLS] }),
  })
  const { id } = await host.client['session.create']({ modelId, decider: 'on' })
  writeFileSync(join(home, 'workspace', 'notes.txt'), 'Buy blue paint.')
  return { host, id }
}

/** A model that records its prompts, and reads the notes if a call is begun for it. */
function aWatchedModel() {
  const prompts: Prompt[] = []
  const spawnEngine = scriptedEngineChild(prompt => {
    prompts.push(prompt)
    return prompt.begin === undefined
      ? `I say what I always say, ${prompts.length}.`
      : `${prompt.begin}{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>`
  })
  return { prompts, spawnEngine }
}

const systemOf = ({ messages }: Prompt) => messages[0]!.text
const SCHEMA = /read_file/

test('the prompt of a chat with a decider tells of no tools, and the one that was chosen stands behind the chat', async () => {
  using home = aHome()
  const { prompts, spawnEngine } = aWatchedModel()
  const { host, id } = await aDecidedChat(home.path, { spawnEngine })
  await using _ = host
  await turn(host, id, 'Hello there')
  await turn(host, id, 'Lies die Notizen in notes.txt')
  await turn(host, id, 'list the files')
  const [first, begun, worded] = prompts
  expect(new Set(prompts.map(systemOf)).size).toBe(1)
  expect(systemOf(first!)).not.toMatch(SCHEMA)
  expect(first).toMatchObject({ tools: [], constraints: [] })
  // The prefix evaluated up to the message stays valid: the schema follows it.
  const { text, markup = [] } = begun!.messages.at(-1)!
  expect(text).toMatch(/^Lies die Notizen in notes\.txt\n\n## Tools\n/)
  expect(text).toMatch(SCHEMA)
  expect(text).not.toMatch(/write_file/)
  expect(markup.map(([from, to]) => text.slice(from, to))).toEqual(['<tool_call>', '</tool_call>'])
  expect(begun).toMatchObject({ begin: '<tool_call>\n', constraints: [expect.anything()] })
  expect(worded!.messages.at(-1)!.text).toContain('Buy blue paint.')
  expect(worded!.messages.filter(each => each.text.includes('## Tools'))).toEqual([])
  expect(worded).toMatchObject({ tools: [], constraints: [] })
  expect(host.mistakes()).toEqual([])
})

test('the context panel says so, and that switching the option makes it another prompt', async () => {
  using home = aHome()
  const { prompts, spawnEngine } = aWatchedModel()
  const { host, id } = await aDecidedChat(home.path, { spawnEngine })
  await using _ = host
  const { client } = host
  const shown = async () => {
    const { sections, tokens } = await client['session.context']({ id })
    const tools = sections.find(({ name }) => name === 'tools')
    return {
      text: tools?.text,
      leftOut: tools?.leftOut?.text,
      tokens,
      stale: sections.some(({ stale }) => stale),
    }
  }
  await turn(host, id, 'Hello there')
  const on = await shown()
  expect(on).toMatchObject({ text: '', stale: false })
  expect(on.leftOut).toMatch(
    /^the descriptions of the \d+ tools that are on: the decider chooses the tool of a message\./,
  )
  // Switching other tools does not change the prompt.
  await client['toolset.switch']({ names: ['skills'], on: false, sessionId: id })
  await turn(host, id, 'Hello again')
  expect(systemOf(prompts[1]!)).toBe(systemOf(prompts[0]!))
  await client['session.update']({ id, decider: 'off' })
  const off = await shown()
  expect(off.text).toMatch(SCHEMA)
  expect([off.stale, off.tokens > on.tokens + 100]).toEqual([false, true])
  expect(off.leftOut).not.toMatch(/decider/)
  await turn(host, id, 'Hello once more')
  expect(systemOf(prompts[2]!)).toMatch(SCHEMA)
  await client['session.update']({ id, decider: 'on' })
  await turn(host, id, 'And back')
  expect(systemOf(prompts[3]!)).toBe(systemOf(prompts[0]!))
})

test('on the real engine, decided calls and schemas behind the chat leave what was read valid', async () => {
  using home = aHome()
  writeFileSync(join(home.path, 'config.yaml'), ONE_THREAD)
  const { host, id } = await aDecidedChat(home.path)
  await using _ = host
  const usages: Awaited<ReturnType<typeof usagesIn>>[] = []
  for (const text of [
    'Hello there',
    'list the files',
    'Lies die Notizen in notes.txt',
    'read notes.txt',
    'And then?',
  ])
    usages.push(await usagesIn(host, id, text))
  const all = usages.flat()
  expect(all).toHaveLength(5)
  expect((await transcript(host, id)).filter(line => /^assistant: \w+\(/.test(line))).toEqual([
    'assistant: list_files()',
    'assistant: read_file(notes.txt)',
    'assistant: read_file(notes.txt)',
  ])
  // Each turn evaluates its own message, call and result, and Talaria's last text, never the older prefix.
  for (const [at, usage] of all.slice(1).entries()) {
    expect(usage.reusedTokens).toBeGreaterThanOrEqual(all[at]!.promptTokens - 5)
    expect(usage.evaluatedTokens).toBeLessThan(200)
  }
})

async function usagesIn(host: TestHost, id: string, text: string) {
  const events: RunEvent[] = await turn(host, id, text)
  return events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))
}
