import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EndReason } from '../../../shared/contract/runs/run.ts'
import { aChat, assistant, aStore, toolResult, user } from '../../../../testing/db/a-store.ts'
import type { Store } from '../../db/store.ts'
import { listFiles } from '../../tools/files/list-files.ts'
import { readFileTool } from '../../tools/files/read-file.ts'
import { createRegistry } from '../../tools/registry/registry.ts'
import { saveTrajectory, trajectoriesOf, type Trajectory } from './write-trajectories.ts'

const readFile = readFileTool()
const key = `ghp_${'a1B2c3'.repeat(6)}`

/** A chat with two questions, tools, reasoning, and a leaked key. */
function aWorkingChat(store: Store): string {
  const { id } = aChat(store)
  const calls = [
    {
      id: 'call_1',
      name: 'terminal',
      arguments: { command: `export T=${key}\nsay "hi"`, password: 'correcthorse' },
    },
    { id: 'call_2', name: 'read_file', arguments: { path: 'a.txt' } },
  ]
  store.messages.append(user(id, 'Log in, please.'))
  store.messages.append(assistant(id, 'I try.', { reasoning: `The key is ${key}.`, calls }))
  store.messages.append(toolResult(id, `{"token":"${key}"}`, { name: 'terminal' }))
  store.messages.append(toolResult(id, 'Error: no such file', { callId: 'call_2', ok: false }))
  store.messages.append(assistant(id, 'Done.', { model: 'qwen3' }))
  return id
}

const today = { name: 'facts', title: 'Day and folder', text: 'Today is Friday.' }

const tools = createRegistry([readFile, listFiles])
const sourcesOf = (store: Store) => ({ store, registry: tools })

async function exported(store: Store, outcome: 'success' | 'failure' | 'all', sessionId?: string) {
  const lines = await Array.fromAsync(trajectoriesOf(sourcesOf(store), { outcome, sessionId }))
  return lines.map(({ line }) => JSON.parse(line) as Trajectory)
}

test('documents stand in it as they were read, pictures by their names and descriptions, both without secrets', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const hash = 'a'.repeat(64)
  const picture = { hash, name: 'flag[1].png', kind: 'picture' as const, bytes: 9, use: 'picture' as const }
  store.messages.append({
    role: 'user',
    sessionId: id,
    at: 1,
    text: 'What is this?',
    documents: `[Attached file: plan.md]\nThe key is ${key}. Meet on Tuesday.`,
    attachments: [{ ...picture, width: 60, height: 30, description: `A flag with ${key} on it.` }],
  })
  store.messages.append(toolResult(id, 'A chart.', { name: 'read_file', attachments: [picture] }))
  store.messages.append(assistant(id, 'A flag.', { model: 'qwen3' }))
  const [chat] = await exported(store, 'all')
  const [asked, result] = chat!.conversations.map(({ value }) => value)
  expect(asked).toMatch(
    /^\[Attached file: plan\.md\]\nThe key is \S+ Meet on Tuesday\.\n\nWhat is this\?\n\n\[Picture: flag 1 \.png, 60 × 30 pixels\. It shows: A flag with/,
  )
  expect(result).toContain(String.raw`A chart.\n[Picture: flag 1 .png]`)
  expect(JSON.stringify(chat)).not.toContain(key)
})

test('a chat is one line in ShareGPT format, without its secrets', async () => {
  using store = aStore()
  const id = aWorkingChat(store)
  const prompt = (folder: string, text: string) => ({
    key: JSON.stringify(['chat', 'structured', folder]),
    sections: [{ name: 'identity' as const, title: 'Who', text }, today],
    toolNames: [],
  })
  store.sessions.freezePrompt(id, prompt('/another/folder', 'You are somewhere else.'))
  store.sessions.freezePrompt(id, prompt('/desk', `You are Talaria. password: ${key}`))
  const [line] = await Array.fromAsync(trajectoriesOf(sourcesOf(store), { outcome: 'all' }))
  expect(line!.line).not.toContain('\n')
  const { conversations, ...rest } = JSON.parse(line!.line) as Trajectory
  expect(rest).toEqual({
    id,
    model: 'qwen3',
    completed: true,
    timestamp: '2027-01-15T08:00:00.000Z',
    turns: 1,
    complexity: { toolCalls: 2, uniqueTools: 2, errors: 1 },
  })
  const command = 'export T=[redacted]\nsay "hi"'
  expect(conversations).toEqual([
    { from: 'system', value: 'You are Talaria. password: [redacted]\n\nToday is Friday.' },
    { from: 'human', value: 'Log in, please.' },
    {
      from: 'gpt',
      value: [
        '<think>\nThe key is [redacted].\n</think>\nI try.',
        `<tool_call>\n${JSON.stringify({ name: 'terminal', arguments: { command, password: '[redacted]' } })}\n</tool_call>`,
        '<tool_call>\n{"name":"read_file","arguments":{"path":"a.txt"}}\n</tool_call>',
      ].join('\n'),
    },
    {
      from: 'tool',
      value: [
        `<tool_response>\n${JSON.stringify({ tool_call_id: 'call_1', name: 'terminal', content: '{"token":"[redacted]"}' })}\n</tool_response>`,
        '<tool_response>\n{"tool_call_id":"call_2","name":"read_file","content":"Error: no such file"}\n</tool_response>',
      ].join('\n'),
    },
    { from: 'gpt', value: '<think>\n</think>\nDone.' },
  ])
})

test('tools that a server got as data stand in the system part, and memory only if it is asked for', async () => {
  using store = aStore()
  const id = aWorkingChat(store)
  const sections = [
    { name: 'identity' as const, title: 'Who', text: 'You are Talaria.' },
    { name: 'user' as const, title: 'About you', text: '## About the user\nLives in Bern.' },
    { name: 'memory' as const, title: 'Its notes', text: '## Notes\nUses pnpm.' },
  ]
  const key = JSON.stringify([
    'standard',
    'structured',
    'full',
    '/desk',
    ['read_file', 'gone'],
    'x',
    'full tools',
  ])
  store.sessions.freezePrompt(id, { key, sections, toolNames: ['read_file', 'gone'] })
  const systemOf = async (withMemory?: boolean) => {
    const [line] = await Array.fromAsync(trajectoriesOf(sourcesOf(store), { outcome: 'all', withMemory }))
    return (JSON.parse(line!.line) as Trajectory).conversations[0]!.value
  }
  const [, ...list] = (await systemOf()).split('\n\n## Tools\n')
  expect(await systemOf()).toMatch(/^You are Talaria\.\n\n## Tools\n<tools>\n/)
  const lines = list[0]!.split('\n').slice(1, -1)
  expect(lines.map(line => JSON.parse(line))).toEqual(
    tools.specs(['read_file']).map(spec => ({ type: 'function', function: spec })),
  )
  expect(await systemOf(true)).toContain('Lives in Bern.\n\n## Notes\nUses pnpm.\n\n## Tools')
})

test('tools that the prompt names itself are not listed twice, and a prompt without sections counts as memory', async () => {
  using store = aStore()
  const id = aWorkingChat(store)
  const written = { name: 'tools' as const, title: 'Tools', text: 'Some text.' }
  const freeze = (sections: (typeof written | typeof today)[]) =>
    store.sessions.freezePrompt(id, { key: '["/desk"]', sections, toolNames: ['read_file'] })
  freeze([written, today])
  const [asText] = await exported(store, 'all')
  freeze([today])
  const [old] = await exported(store, 'all')
  expect([asText!.conversations[0], old!.conversations[0]!.from]).toEqual([
    { from: 'system', value: 'Some text.\n\nToday is Friday.' },
    'human',
  ])
})

test('a skill sent with a message is part of that message', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const skill = { id: 'own/haiku', name: 'haiku', text: 'Five, seven, five.' }
  store.messages.append({ ...user(id, 'About rain.'), role: 'user', skill })
  store.messages.append(assistant(id, 'Rain.'))
  const [chat] = await exported(store, 'all')
  expect(chat!.conversations[0]).toEqual({
    from: 'human',
    value: '[Skill: haiku]\nFive, seven, five.\n\nAbout rain.',
  })
})

test('a chat is a success if its last turn has an answer; one never answered is neither success nor failure', async () => {
  using store = aStore()
  const chatWith = (reason: EndReason | undefined, interrupted = false): string => {
    const { id } = aChat(store)
    store.messages.append(user(id, 'Hello?'))
    const run = reason && store.runs.start(id)
    store.messages.append(assistant(id, 'Hi', { interrupted }))
    if (run) store.runs.end(run.id, reason)
    return id
  }
  const good = [chatWith('done'), chatWith(undefined)]
  const bad = [
    chatWith('failed'),
    chatWith('stopped'),
    chatWith(undefined, true),
    chatWith('budget_exhausted'),
  ]
  const asked = chatWith('done')
  store.messages.append(user(asked, 'And then?'))
  bad.push(asked)
  store.messages.append(user(aChat(store).id, 'Is anybody there?'))

  const idsOf = async (outcome: 'success' | 'failure' | 'all') =>
    new Map((await exported(store, outcome)).map(({ id, completed }) => [id, completed]))
  const success = good.map(id => [id, true] as const)
  const failure = bad.map(id => [id, false] as const)
  expect(await idsOf('success')).toEqual(new Map(success))
  expect(await idsOf('failure')).toEqual(new Map(failure))
  expect(await idsOf('all')).toEqual(new Map([...success, ...failure]))
  expect((await exported(store, 'all', bad[0])).map(chat => chat.id)).toEqual([bad[0]])
  expect(await exported(store, 'success', bad[0])).toEqual([])
  expect(await exported(store, 'all', 'chat_gone')).toEqual([])
})

test('all chats are exported once, across pages', async () => {
  using store = aStore()
  const ids = Array.from({ length: 405 }, (_, number) => {
    const { id } = aChat(store)
    store.messages.append(user(id, `Question ${number}`))
    store.messages.append(assistant(id, 'Yes.'))
    return id
  })
  const found = (await exported(store, 'all')).map(chat => chat.id)
  expect(found.toSorted()).toEqual(ids.toSorted())
})

test('a continued chat adds a line with more turns to the file of its outcome', () => {
  using store = aStore()
  const id = aWorkingChat(store)
  const linesOf = (name: string) => {
    const path = join(store.home, 'trajectories', name)
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    return lines.map(line => JSON.parse(line) as Trajectory)
  }
  const sections = [{ name: 'identity' as const, title: 'Who', text: 'You are Talaria.' }, today]
  store.sessions.freezePrompt(id, { key: 'any', sections, toolNames: [] })
  saveTrajectory(store.home, sourcesOf(store), id, 'done')
  store.messages.append(user(id, 'Once more.'))
  store.messages.append(assistant(id, 'I', { interrupted: true }))
  saveTrajectory(store.home, sourcesOf(store), id, 'stopped')
  store.messages.append(user(id, 'Go on.'))
  store.messages.append(assistant(id, 'Gladly.'))
  saveTrajectory(store.home, sourcesOf(store), id, 'done')
  const { id: silent } = aChat(store)
  store.messages.append(user(silent, 'Hello?'))
  saveTrajectory(store.home, sourcesOf(store), silent, 'failed')

  const shape = ({ turns, completed, conversations }: Trajectory) => [turns, completed, conversations.length]
  expect(linesOf('success.jsonl').map(shape)).toEqual([
    [1, true, 5],
    [3, true, 9],
  ])
  expect(linesOf('failure.jsonl').map(shape)).toEqual([[2, false, 7]])
  expect(readFileSync(join(store.home, 'trajectories', 'success.jsonl'), 'utf8')).not.toContain(key)
})

test('the branch that a chat is on decides what it says and whether it went well', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const asked = store.messages.append(user(id, 'Hello?'))
  const answered = (text: string, reason: EndReason) => {
    const run = store.runs.start(id)
    const { id: messageId } = store.messages.append(assistant(id, text))
    store.runs.end(run.id, reason)
    return messageId
  }
  const first = answered('Good.', 'done')
  store.branches.endAt(id, asked.id)
  answered('Ba', 'failed')
  const read = async () =>
    (await exported(store, 'all')).map(chat => [chat.completed, chat.conversations.at(-1)?.value])
  expect(await read()).toEqual([[false, expect.stringContaining('Ba')]])
  store.branches.goTo(id, first)
  expect(await read()).toEqual([[true, expect.stringContaining('Good.')]])
})

test('a chat that ends with a void answer did not go well', async () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'Hello?'))
  store.messages.append({ ...assistant(id, 'I see. I see.'), void: true })
  expect((await exported(store, 'all')).map(chat => chat.completed)).toEqual([false])
})
