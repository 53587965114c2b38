import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import Database from 'better-sqlite3'
import { describe, vi, type TestContext } from 'vitest'
import type { Connector } from '../../src/main/other-agents/connect/connector.ts'
import { opencode } from '../../src/main/other-agents/connect/opencode.ts'
import { pi } from '../../src/main/other-agents/connect/pi.ts'
import { readSpoolLine } from '../../src/main/other-agents/inbox/spool-line.ts'
import type { LearningEvent } from '../../src/shared/contract/learned/learning.ts'
import { createHost } from '../../src/main/host.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { connectClient } from '../../src/shared/connect-client.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import { test } from '../terminal/cli.ts'
import { startOpenAiServer, type OpenAiServer, type ServedReply } from '../servers/openai-server.ts'

// Tests the whole path with the real programs, offline, against a scripted model. The programs are not our
// dependencies. To run these tests, install them somewhere and set the variables, for example
//   npm install --prefix /tmp/pi @earendil-works/pi-coding-agent@1.6.0
//   TALARIA_PI=/tmp/pi/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js
//   npm install --prefix /tmp/opencode opencode-linux-x64-baseline@1.18.33
//   TALARIA_OPENCODE=/tmp/opencode/node_modules/opencode-linux-x64-baseline/bin/opencode

const MAY = { user: true, notes: true, chats: false, skills: true, propose: true, learn: true }

type Peer = {
  connector: Connector
  /** The variable with the path of the program. */
  variable: string
  /** The command line to run the program with one prompt. */
  run(program: string): string[]
  env: Record<string, string>
  /** Configure the program to use the scripted model. */
  configure(person: string, baseUrl: string): void
  /** The names of its tools: a command, reading a file, and our tool. */
  command: string
  read: [string, string]
  ours: string
  /** Events in the spool, in order. */
  told: string[]
}

const PEERS: Peer[] = [
  {
    connector: pi,
    variable: 'TALARIA_PI',
    run: program => [process.execPath, program, '--model', 'loop/fake', '-p', 'Please say hi.'],
    env: { PI_OFFLINE: '1' },
    configure(person, baseUrl) {
      const provider = { baseUrl, apiKey: 'none', api: 'openai-completions', models: [{ id: 'fake' }] }
      write(join(person, '.pi/agent/models.json'), { providers: { loop: provider } })
    },
    command: 'bash',
    read: ['read', 'path'],
    ours: 'mcp__talaria__memory_search',
    told: [
      'user_message',
      'reply',
      'tool_result bash ok',
      'tool_result read failed',
      'reply',
      'reply',
      'turn_end',
      'session_end',
    ],
  },
  {
    connector: opencode,
    variable: 'TALARIA_OPENCODE',
    run: program => [program, 'run', '-m', 'loop/fake', 'Please say hi.'],
    env: {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      // The program tries to fetch the types of plugins, and continues without them.
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
    },
    configure(person, baseURL) {
      const npm = '@ai-sdk/openai-compatible'
      const options = { baseURL, apiKey: 'none' }
      write(join(person, '.config/opencode/opencode.json'), {
        provider: { loop: { npm, name: 'loop', options, models: { fake: { name: 'fake' } } } },
        model: 'loop/fake',
        small_model: 'loop/fake',
        share: 'disabled',
      })
    },
    command: 'bash',
    read: ['read', 'filePath'],
    ours: 'talaria_memory_search',
    told: [
      'user_message',
      'tool_result read failed',
      'tool_result bash ok',
      'reply',
      'reply',
      'reply',
      'turn_end',
      'session_end',
    ],
  },
]

function write(path: string, value: unknown): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, JSON.stringify(value, null, 2))
}

/** A window on the host of a home folder, closed on dispose. */
async function aWindow(home: string) {
  const host = await createHost({ hosting: 'headless', home })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client: HostClient = connectClient(contract, ours)
  return { client, [Symbol.asyncDispose]: host.close }
}

/**
 * Script two calls that do something, a call of our tool, and an answer; requests without tools get a title.
 */
function script(model: OpenAiServer, { command, read: [read, path], ours }: Peer, folder: string): void {
  const missing = join(folder, 'missing.txt')
  model.reply(({ body }): ServedReply => {
    if (!(body.tools?.length > 0)) return { text: 'A greeting' }
    const done = body.messages.filter((message: { role: string }) => message.role === 'tool').length
    if (done === 0)
      return {
        text: 'Let me look.',
        toolCalls: [
          { name: command, arguments: { command: 'echo hi', description: 'Say hi' } },
          { name: read, arguments: { [path]: missing } },
        ],
      }
    return done === 2 ? { toolCalls: [{ name: ours, arguments: { query: 'Ada' } }] } : { text: 'All done.' }
  })
}

/** Run a program to its end, in a folder of its own home folder. */
function runProgram(words: readonly string[], cwd: string, env: Record<string, string>) {
  const [program, ...args] = words
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)))
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })
}

const programOf = ({ variable }: Peer, skip: TestContext['skip']): string =>
  process.env[variable] || skip(`${variable} does not say where the program is`)

/**
 * The events that the program reported, each once: those that the host has read, and those still in the
 * spool.
 */
function toldOf(home: string, program: string) {
  const inbox = join(home, 'inbox', program)
  const spooled = (existsSync(inbox) ? readdirSync(inbox) : []).flatMap(name =>
    readFileSync(join(inbox, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => readSpoolLine(name.replace(/\.jsonl.*$/, ''), line)),
  )
  const db = new Database(join(home, 'state.db'), { readonly: true })
  const rows = db
    .prepare<[], { id: string; folder: string; model: string; event: string }>(
      `select e.event_id as id, s.folder, s.model, e.event from foreign_events e
       join foreign_sessions s on s.id = e.session_id order by e.id`,
    )
    .all()
  db.close()
  const told = [
    ...rows.map(row => ({ ...row, event: JSON.parse(row.event) as LearningEvent })),
    ...spooled.map(line => {
      if ('refused' in line) throw new Error(line.refused)
      return line
    }),
  ]
  return [...new Map(told.map(each => [each.id, each])).values()]
}

describe('a session in the real program', () => {
  for (const peer of PEERS)
    // Without a registry, opencode alone waits for a minute.
    test(
      `${peer.connector.title} gets memory, skills and tools, tells what it did, and forgets all of it`,
      {
        timeout: 600_000,
      },
      async ({ talaria, expect, skip, onTestFinished }) => {
        const program = programOf(peer, skip)
        const { connector } = peer
        const name = connector.program
        const person = join(talaria.folder(), 'a person')
        const home = join(person, '.talaria')
        const folder = join(person, 'work')
        for (const made of [home, folder]) mkdirSync(made, { recursive: true })
        const model = await startOpenAiServer()
        onTestFinished(model.close)
        peer.configure(person, model.baseUrl)
        // The host asks the system where the user is.
        vi.stubEnv('HOME', person)
        onTestFinished(() => void vi.unstubAllEnvs())
        await using window = await aWindow(home)
        const { client } = window
        await client['memory.add']({ target: 'user', project: null, text: 'The user is called Ada.' })
        await client['memory.add']({ target: 'memory', project: null, text: 'Greetings are in Welsh.' })

        const before = filesOf(person)
        const doing = async (what: 'connect' | 'remove') => {
          const { seen } = await client['connect.plan']({ program: name, what })
          return await client['connect.apply']({ program: name, what, seen, run: false })
        }
        expect((await doing('connect')).connection).toMatchObject({ state: 'connected' })
        const [agent] = (await client['agents.list']({})).agents
        await client['agents.allow']({ id: agent!.id, seen: agent!.seen, on: true, may: MAY })
        const snapshot = join(home, 'connect', name, 'snapshot.json')
        await expect.poll(() => readFileSync(snapshot, 'utf8')).toMatch(/called Ada.*"skills":\["/)
        const { skills } = JSON.parse(readFileSync(snapshot, 'utf8')) as { skills: string[] }

        const env = { PATH: process.env['PATH'] ?? '', HOME: person, ...peer.env }
        const runOnce = async () => {
          script(model, peer, folder)
          model.requests.length = 0
          const ended = await runProgram(peer.run(program), folder, env)
          expect(ended, ended.output).toMatchObject({ code: 0, output: expect.stringContaining('All done.') })
          const bodies = model.chats().map(({ body }) => body)
          return bodies.filter(body => body.tools?.length > 0)
        }
        const asked = await runOnce()
        const first = JSON.stringify(asked[0].messages)
        for (const text of [
          '<talaria_memory>',
          'The user is called Ada.',
          'Greetings are in Welsh.',
          skills[0]!,
        ])
          expect(first).toContain(text)
        const names = asked[0].tools.map((tool: { function: { name: string } }) => tool.function.name)
        expect(names).toContain(peer.ours)
        // The memory section stays the same, or each request would have to reread it.
        for (const { messages } of asked) expect(messages[0]).toEqual(asked[0].messages[0])
        const answer = asked.at(-1).messages.findLast((message: { role: string }) => message.role === 'tool')
        expect(JSON.stringify(answer.content)).toContain('(about the user) The user is called Ada.')
        const { requests } = await client['agents.requests']({ id: agent!.id })
        expect(requests).toMatchObject([{ tool: 'memory_search' }])

        const told = toldOf(home, name)
        const inWords = told.map(({ event }) =>
          event.type === 'tool_result'
            ? `tool_result ${event.name} ${event.ok ? 'ok' : 'failed'}`
            : event.type,
        )
        // Calls of one reply run at the same time.
        expect(inWords.toSorted()).toEqual(peer.told.toSorted())
        expect(inWords.at(0)).toBe(peer.told.at(0))
        expect(inWords.slice(-3)).toEqual(peer.told.slice(-3))
        expect(new Set(told.map(({ event }) => event.session)).size).toBe(1)
        for (const each of told) {
          expect(each.folder).toBe(folder)
          expect(['', 'loop/fake']).toContain(each.model)
        }
        expect(JSON.stringify(told)).not.toMatch(/called Ada|in Welsh/)

        await doing('remove')
        // The program's sessions and its own folders stay; our folders are removed with their contents.
        const left = filesOf(person).filter(path => !before.includes(path))
        expect(left.filter(path => /(?:^|\/)talaria[^/]*$|\/(?:extensions|plugin)$/i.test(path))).toEqual([])
        expect(left.filter(path => /^\.talaria\/(?:connect|inbox)\//.test(path))).toEqual([])
        const [again] = await runOnce()
        expect(JSON.stringify(again)).not.toMatch(/talaria_memory|memory_search|called Ada/)
        expect(existsSync(join(home, 'inbox', name))).toBe(false)
      },
    )
})

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true }).map(path => String(path).replaceAll(sep, '/'))
