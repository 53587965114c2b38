import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../../testing/db/a-store.ts'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import { createHost } from '../host.ts'
import { until } from '../../../testing/until.ts'

/** A call after words that only this reply has, exactly as the grammar of its format requires. */
const call = (said: string, name: string, args: string) =>
  `${said}\n<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`

/** A host and a chat with a scripted local model. */
async function aLocalTeam(reply: string, rules: readonly { when: string; reply: string }[], chats = 2) {
  const folder = aFolder()
  const model = scriptedModel({ contextTokens: 32_768, reply, rules })
  const home = join(folder.path, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(
    join(home, 'config.yaml'),
    `engine:\n  threads: 1\n  context_tokens: 20000\n  hosting: inline\nmodels:\n  options:\n    "file:${model}":\n      chats: ${chats}\n`,
  )
  const host = await createHost({ hosting: 'cli', home })
  const { signal } = new AbortController()
  const leaving = new AbortController()
  const agents: Delegated[] = []
  const watching = (async () => {
    for await (const event of host.handlers['app.watch']({}, leaving.signal) as AsyncIterable<AppEvent>)
      if (event.type === 'agent') agents.push(event.agent)
  })().catch(() => undefined)
  const { id } = await host.handlers['session.create'](
    { modelId: `file:${model}`, approval: 'full', origin: 'window' },
    signal,
  )
  const messagesOf = async (chat: string) =>
    (await host.handlers['session.messages']({ id: chat, limit: 50 }, signal)).messages
  return {
    home,
    /** Every change of a sub-agent, in order. */
    agents,
    messagesOf,
    async turn() {
      const { runId } = await host.handlers['chat.send']({ sessionId: id, text: 'Have them look.' }, signal)
      for await (const event of host.handlers['run.watch']({ runId, after: 0 }, signal)) void event
      return (await messagesOf(id)).filter(message => message.role === 'tool')
    },
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await watching
      await host.close()
      folder[Symbol.dispose]()
    },
  }
}

test('on a local model the closing answer of a sub-agent is held to its form by grammar', async () => {
  const form = '{"type": "object", "properties": {"found": {"type": "boolean"}}, "required": ["found"]}'
  await using team = await aLocalTeam(
    call('Another one.', 'delegate', `{"goal": "Look at it.", "expect": ${form}}`),
    [
      { when: '## Goal', reply: 'No form at all.' },
      { when: '<tool_response>', reply: 'It is done.' },
    ],
  )
  const [result] = await team.turn()
  expect(result?.text).toContain('- form of its answer: as asked for')
  expect(result?.text).toMatch(/\{\s*"found"\s*:\s*(?:true|false)\s*\}/)
}, 120_000)

test('on a local model sub-agents work side by side where its settings have places for them, and read what they share once', async () => {
  const first = call('Another one.', 'delegate', '{"goal": "Look at it.", "background": true}')
  await using team = await aLocalTeam(
    first,
    [
      {
        when: '## Goal',
        reply: call('Working on it.', 'terminal', '{"command": "until [ -e go ]; do sleep 0.05; done"}'),
      },
      { when: '<tool_response>', reply: 'It is there.' },
      {
        when: 'worker 1 works',
        reply: call('And here too.', 'delegate', '{"goal": "Look there.", "background": true}'),
      },
      { when: 'worker 2 works', reply: 'Both of them are at it.' },
    ],
    3,
  )
  expect(await team.turn()).toHaveLength(2)
  const newest = () => [...new Map(team.agents.map(agent => [agent.name, agent])).values()]
  // Neither sub-agent can end before both have started.
  await until(() => newest().length === 2 && newest().every(({ state }) => state === 'running'))
  writeFileSync(join(team.home, 'workspace', 'go'), '')
  await until(() => newest().every(({ state }) => state === 'ended'))
  expect(newest().map(({ end, line }) => [end, line])).toEqual([
    ['done', 'It is there.'],
    ['done', 'It is there.'],
  ])

  const second = await team.messagesOf(newest()[1]!.sessionId)
  const reply = second.find(message => message.role === 'assistant')
  const { promptTokens = 0, evaluatedTokens = 0 } = (reply?.role === 'assistant' && reply.usage) || {}
  // Its own words are one message. The tools before, which both prompts start with, are many times as long.
  expect(promptTokens).toBeGreaterThan(1_500)
  expect(evaluatedTokens).toBeGreaterThan(0)
  expect(evaluatedTokens).toBeLessThan(promptTokens / 4)
}, 120_000)
