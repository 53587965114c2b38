import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { aBareServer, aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { keepShown } from '../../../testing/host/seen-now.ts'
import { scriptedLearner } from '../../../testing/learning/script.ts'
import { until } from '../../../testing/until.ts'
import { appendEvent } from './inbox/append-event.ts'

// The whole chain of learning from Claude Code, through a real host and the script that Claude Code starts.
// It is connected, allowed, reports while Talaria is not running, is reviewed, shown as a card and accepted.
// Then the text is put before the model of the next session.

afterEach(() => void vi.unstubAllEnvs())

/** A fake of Claude Code that records its arguments and settings. */
const STAND_IN = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const folder = process.env.CLAUDE_CONFIG_DIR
mkdirSync(folder, { recursive: true })
const words = process.argv.slice(2)
appendFileSync(join(folder, 'words.jsonl'), JSON.stringify({ words, env: process.env }) + '\\n')
const [, what, id] = words
if (what === 'install' || what === 'uninstall')
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ enabledPlugins: what === 'install' ? { [id]: true } : {} }))
`

function aClaude(home: string) {
  const [folder, bin] = [join(home, 'claude'), join(home, 'bin')]
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), `#!${process.execPath}\n${STAND_IN}`, { mode: 0o755 })
  vi.stubEnv('CLAUDE_CONFIG_DIR', folder)
  vi.stubEnv('PATH', bin)
  return { given: () => readFileSync(join(folder, 'words.jsonl'), 'utf8') }
}

/** Start the script as Claude Code does at one of its events, according to the plugin in our folder. */
async function happens(plugin: string, event: string, payload: object): Promise<string> {
  const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ command: string; args: string[] }] }]>
  }
  const { command, args } = hooks[event]![0].hooks[0]
  return await ran(command, args, { hook_event_name: event, ...payload })
}

async function ran(command: string, args: readonly string[], input: object): Promise<string> {
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { out: '', errors: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.errors += part.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(input))
  const [code] = (await once(child, 'close')) as [number | null]
  expect({ code, errors: said.errors }).toEqual({ code: 0, errors: '' })
  return said.out
}

const SESSION = '5f9d3c1e-8a55-4a42-9f5d-0d3c2b1a0e9f'

async function aSession(plugin: string, cwd: string): Promise<void> {
  const base = { session_id: SESSION, cwd }
  const called = {
    tool_name: 'Bash',
    tool_input: { command: 'pnpm build', env: 'sk-ant-api03-abcdefghij0123456789abcdefghij' },
    tool_use_id: 'toolu_1',
    tool_response: 'built',
  }
  const asked = { ...base, prompt_id: 'p1', source: 'user', prompt: 'I always use pnpm here, never npm.' }
  await happens(plugin, 'UserPromptSubmit', asked)
  await happens(plugin, 'PostToolBatch', { ...base, prompt_id: 'p1', tool_calls: [called] })
  const done = { ...base, prompt_id: 'p1', stop_hook_active: false, last_assistant_message: 'Built.' }
  await happens(plugin, 'Stop', done)
  await happens(plugin, 'SessionEnd', { ...base, reason: 'other' })
}

async function aModel(home: string) {
  const server = await aBareServer()
  const models = {
    default: 'server:test',
    servers: [{ id: 'test', name: 'Test', base_url: server.baseUrl, model: 'qwen3', context_tokens: 16_000 }],
  }
  const learning = { idle_seconds: 0, mode: 'save', end_turns: 1 }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ learning, models }))
  const content = 'Uses pnpm, never npm.'
  server.reply(
    scriptedLearner(
      () => ({ text: 'All right.' }),
      () => ({
        first: { worth: true, facts: ['The user uses pnpm.'] },
        review: [[{ name: 'memory', arguments: { target: 'user', action: 'add', content } }]],
      }),
    ),
  )
  return server
}

const applied = async ({ client }: Pick<TestHost, 'client'>, what: 'connect' | 'remove') => {
  const { seen } = await client['connect.plan']({ program: 'claude-code', what })
  return await client['connect.apply']({ program: 'claude-code', what, seen, run: true })
}

test('what was said in Claude Code becomes a card, and what is accepted stands before its next session', async () => {
  using home = aHome()
  const claude = aClaude(home.path)
  const shop = join(home.path, 'shop')
  mkdirSync(shop)
  await using _server = await aModel(home.path)
  const folder = join(home.path, 'connect/claude-code')
  const plugin = join(folder, 'talaria')
  const snapshot = () => readFileSync(join(folder, 'snapshot.json'), 'utf8')
  {
    await using host = await aHost(home.path, { coreTools: true })
    const { connection } = await applied(host, 'connect')
    expect(connection).toMatchObject({ state: 'connected', events: 0 })
    // Until it is allowed, it gives nothing and reports nothing.
    expect(await happens(plugin, 'SessionStart', { session_id: SESSION, cwd: shop, source: 'startup' })).toBe(
      '',
    )
    await aSession(plugin, shop)
    expect(existsSync(join(home.path, 'inbox/claude-code'))).toBe(false)
    const { agents } = await host.client['agents.list']({})
    const { id, seen, name } = agents[0]!
    expect(name).toBe('Claude Code')
    const may = { user: true, notes: true, chats: false, skills: true, propose: true, learn: true }
    await host.client['agents.allow']({ id, seen, on: true, may })
    await until(() => snapshot().includes('"learn":true'))
  }
  // While Talaria is not running.
  await aSession(plugin, shop)

  await using host = await aHost(home.path, { coreTools: true })
  const waiting = async () => (await host.client['learning.activity']({})).waiting
  await until(async () => (await waiting()).length > 0)
  const cards = await waiting()
  expect(cards).toMatchObject([
    { headline: 'Uses pnpm, never npm.', from: { agent: 'claude-code', folder: shop } },
  ])
  expect((await host.client['memory.view']({})).entries).toEqual([])
  expect(snapshot()).not.toContain('pnpm')
  await keepShown(host.client, cards[0]!)
  await until(() => snapshot().includes('Uses pnpm, never npm.'))
  const next = { session_id: 'next', cwd: shop, source: 'startup' }
  expect(await happens(plugin, 'SessionStart', next)).toContain('Uses pnpm, never npm.')
  const { connections } = await host.client['connect.list']({})
  expect(connections[0]).toMatchObject({ state: 'connected', sessions: 1, note: '' })

  // The key is only in its own file, and the one in the session never left the spool.
  const key = readFileSync(join(folder, 'key'), 'utf8').trim()
  expect(claude.given()).not.toContain(key)
  const { changes, files } = await host.client['connect.plan']({ program: 'claude-code', what: 'connect' })
  expect(JSON.stringify([changes, files])).not.toContain(key)
  const log = join(home.path, 'logs/talaria.log')
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain(key)
  const lines = await Array.fromAsync(host.client['learning.trajectories']({ withOtherAgents: true }))
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).toMatch(/pnpm build/)
  expect(JSON.stringify(lines)).not.toContain('abcdefghij0123456789')

  // An open session keeps hooks whose folder is gone.
  const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8')) as {
    hooks: { Stop: [{ hooks: [{ command: string; args: string[] }] }] }
  }
  await applied(host, 'remove')
  expect(existsSync(join(home.path, 'connect'))).toBe(false)
  const { command, args } = hooks.Stop[0].hooks[0]
  expect(await ran(command, args, { hook_event_name: 'Stop', session_id: SESSION, cwd: shop })).toBe('')
  expect(existsSync(join(home.path, 'inbox'))).toBe(false)
  expect(host.mistakes()).toEqual([])
})

test('a script of the user’s hands over under the name of its key, once that may be learned from', async () => {
  using home = aHome()
  const tell = (agent: string, text: string) =>
    appendEvent(
      { home: home.path, agent, session: 's1', cwd: '/work' },
      { type: 'tool_result', name: 'build', arguments: {}, ok: true, text },
      Date.now(),
    )
  const nothing = { user: false, notes: false, chats: false, skills: false, propose: false }
  {
    await using host = await aHost(home.path)
    for (const [name, learn] of [
      ['My script', true],
      ['Другой', true],
      ['Claude Code', true],
      ['Quiet', false],
    ] as const) {
      const { agent } = await host.client['agents.add']({ name })
      const { id, seen } = agent
      await host.client['agents.allow']({ id, seen, on: true, may: { ...nothing, learn } })
    }
  }
  for (const agent of ['my-script', 'claude-code', 'quiet', '-', 'nobody'])
    tell(agent, `\u001B[31mred\u202E ${agent}`)
  await using host = await aHost(home.path)
  await until(() => readdirSync(join(home.path, 'inbox/nobody')).length === 0)
  await until(() => sessionsIn(home.path).length === 2)
  expect(sessionsIn(home.path)).toEqual(['claude-code:s1', 'my-script:s1'])
  expect(host.mistakes()).toEqual([])
})

function sessionsIn(home: string): unknown[] {
  const db = new Database(join(home, 'state.db'), { readonly: true })
  try {
    return db.prepare('select id from foreign_sessions order by id').pluck().all()
  } finally {
    db.close()
  }
}
