import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext } from 'vitest'
import type { Connector } from '../../src/main/other-agents/connect/connector.ts'
import { opencode } from '../../src/main/other-agents/connect/opencode.ts'
import { pi } from '../../src/main/other-agents/connect/pi.ts'
import { rootFolder } from '../../src/main/lib/shipped-files.ts'
import { createHost } from '../../src/main/host.ts'
import { memoryChannels } from '../../src/main/rpc/channels.ts'
import { serveContract } from '../../src/main/rpc/serve.ts'
import { connectClient } from '../../src/shared/connect.ts'
import { contract, type HostClient } from '../../src/shared/contract/index.ts'
import { test } from '../cli.ts'
import { startOpenAiServer, type OpenAiServer, type ServedReply } from '../openai-server.ts'
import { aScriptFolder } from './a-script-folder.ts'

// The whole way with the real programs, offline, against a scripted model. They are no dependency of ours: whoever wants this tried
// installs them somewhere and says where, for example
//   npm install --prefix /tmp/pi @earendil-works/pi-coding-agent@1.6.0
//   TALARIA_PI=/tmp/pi/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js
//   npm install --prefix /tmp/opencode opencode-linux-x64-baseline@1.18.33
//   TALARIA_OPENCODE=/tmp/opencode/node_modules/opencode-linux-x64-baseline/bin/opencode

const MAY = { user: true, notes: true, chats: false, skills: true, propose: true, learn: true }

type Peer = {
  connector: Connector
  /** The variable that says where the program is. */
  variable: string
  /** How it is run with one prompt. */
  run(program: string): string[]
  env: Record<string, string>
  /** Make it use the scripted model. */
  configure(person: string, baseUrl: string): void
  /** Names of its tools: a command, reading a file, and ours. */
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
      // It fetches the types of plugins, and goes on without.
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

/** A window on the host of a home, which is closed with whoever holds it. */
async function aWindow(home: string) {
  const host = await createHost({ hosting: 'headless', home })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client: HostClient = connectClient(contract, ours)
  return { client, [Symbol.asyncDispose]: host.close }
}

/** Two calls that do something, one of ours, and an answer; to requests without tools, a title. */
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

/** Run a program to its end, in a folder of its own home. */
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

describe('a session in the real program', () => {
  for (const peer of PEERS)
    // Without a registry, opencode alone waits for a minute.
    test(
      `${peer.connector.title} gets memory, skills and tools, tells what it did, and forgets all of it`,
      { timeout: 600_000 },
      async ({ talaria, expect, skip }) => {
        const program = programOf(peer, skip)
        const { connector } = peer
        const home = talaria.folder()
        await using window = await aWindow(home)
        const { client } = window
        await client['memory.add']({ target: 'user', project: null, text: 'The user is called Ada.' })
        const { agent, key } = await client['agents.add']({ name: connector.title })
        await client['agents.allow']({ id: agent.id, seen: agent.seen, on: true, may: MAY })
        using connection = aScriptFolder(connector, {
          talaria: home,
          launch: {
            command: process.execPath,
            args: [join(rootFolder(), 'out/main/cli.js'), 'mcp', 'serve', '--home', home],
            env: { TALARIA_AGENT_KEY: key },
          },
        })
        const { given, places, read, apply } = connection
        const folder = join(connection.top, 'work')
        mkdirSync(folder)
        connection.share({ folders: { [connection.top]: 'The user builds a greeter.' } })
        const model = await startOpenAiServer()
        await using _model = { [Symbol.asyncDispose]: model.close }
        peer.configure(places.user, model.baseUrl)
        const env = { PATH: process.env['PATH'] ?? '', HOME: places.user, ...peer.env }
        const runOnce = async () => {
          script(model, peer, folder)
          model.requests.length = 0
          const ended = await runProgram(peer.run(program), folder, env)
          expect(ended, ended.output).toMatchObject({ code: 0, output: expect.stringContaining('All done.') })
          const bodies = model.chats().map(({ body }) => body)
          return bodies.filter(body => body.tools?.length > 0)
        }

        const edits = await connector.edits(places, given, read)
        apply(edits)
        const asked = await runOnce()
        const first = JSON.stringify(asked[0].messages)
        expect(first).toContain('<talaria_memory>')
        expect(first).toContain('The user is called Ada.')
        expect(first).toContain('The user builds a greeter.')
        expect(first).toContain('How Ada is greeted.')
        expect(asked[0].tools.map((tool: { function: { name: string } }) => tool.function.name)).toContain(
          peer.ours,
        )
        // Memory stays as it was, or each request would cost all of it anew.
        for (const { messages } of asked) expect(messages[0]).toEqual(asked[0].messages[0])
        const answer = asked.at(-1).messages.findLast((message: { role: string }) => message.role === 'tool')
        expect(JSON.stringify(answer.content)).toContain('(about the user) The user is called Ada.')
        const { requests } = await client['agents.requests']({ id: agent.id })
        expect(requests).toMatchObject([{ tool: 'memory_search' }])

        const [session, ...others] = connection.sessions()
        expect(others).toEqual([])
        const told = connection.spooled(session!)
        const inWords = told.map(({ event }) =>
          event.type === 'tool_result'
            ? `tool_result ${event.name} ${event.ok ? 'ok' : 'failed'}`
            : event.type,
        )
        // Calls of one reply run at the same time.
        expect(inWords.toSorted()).toEqual(peer.told.toSorted())
        expect(inWords.at(0)).toBe(peer.told.at(0))
        expect(inWords.slice(-3)).toEqual(peer.told.slice(-3))
        expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
        for (const { folder: where, model } of told) {
          expect(where).toBe(folder)
          expect(['', 'loop/fake']).toContain(model)
        }
        expect(readFileSync(join(given.inbox, `${session}.jsonl`), 'utf8')).not.toContain(
          'The user is called Ada',
        )

        apply(await connector.undo(places, given, read))
        expect(await read(edits[0]!.path)).toBeUndefined()
        const [again] = await runOnce()
        expect(JSON.stringify(again)).not.toMatch(/talaria_memory|memory_search|How Ada is greeted/)
        expect(connection.sessions()).toEqual([session])
        expect(connection.spooled(session!)).toHaveLength(told.length)
      },
    )
})
