import { resolve } from 'node:path'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { readIfThere } from '../../lib/expected-errors.ts'
import { KEY_FILE } from '../../other-agents/connect/launch.ts'
import { findClient } from '../../other-agents/print-entry.ts'
import { absolutePath } from '../command-line.ts'
import { openClient, TWICE, withClient, type CreateHost, type Opened } from '../open-client.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { momentOf, printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

/** The environment variable in which a program passes its key. */
const KEY = 'TALARIA_AGENT_KEY'
/** How long our own host stays open after the last call, in ms. It then closes so that a window can start. */
const IDLE_MS = 5_000

/** Serve the tools to the program that started this command, or print how a program starts it. */
export async function mcpServe({
  home,
  print,
  name,
  createHost,
}: Options & { print?: string; name?: string; createHost?: CreateHost }): Promise<void> {
  if (print !== undefined) return await printEntry(print, name, home)
  const { serveTools } = await import('../../other-agents/serve-stdio.ts')
  const key = process.env[KEY] ?? readKey(process.env[KEY_FILE])
  const host = openWhenAsked(home, createHost)
  using stopping = stopOnSignals()
  const served = serveTools({
    version: packageJson.version,
    async ask({ program, tool, given }, signal) {
      if (key === '')
        return {
          ok: false,
          text: `This program has no key. Print an entry for it with: talaria mcp serve --print other. Its key goes into ${KEY}.`,
        }
      try {
        const asked = { key, program, tool, arguments: given }
        return await host.use(client => client['agents.ask'](asked, { signal }), tool !== 'memory_propose')
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { ok: false, text: `Talaria cannot answer: ${error.message}` }
      }
    },
  })
  const stopped = new Promise<void>(done => stopping.signal.addEventListener('abort', () => done()))
  await Promise.race([served.ended, stopped])
  await served.close()
  await host.close()
}

/** Connect to the host of a home folder on demand, and disconnect after a pause. */
function openWhenAsked(home: string | undefined, createHost: CreateHost | undefined) {
  let opened: Promise<Opened> | undefined
  let using = 0
  let timer: NodeJS.Timeout | undefined
  async function leave(): Promise<void> {
    clearTimeout(timer)
    const leaving = opened
    opened = undefined
    await leaving?.then(
      ({ close }) => close(),
      () => undefined,
    )
  }
  async function use<T>(work: (client: HostClient) => Promise<T>, mayRepeat: boolean): Promise<T> {
    clearTimeout(timer)
    using++
    try {
      const { client } = await (opened ??= openClient(home, undefined, createHost))
      return await work(client)
    } catch (error) {
      await leave()
      // The host has ended in the meantime; another one may have started.
      if (mayRepeat && error instanceof Fault && error.code === 'disconnected') return await use(work, false)
      throw error
    } finally {
      using--
      if (using === 0 && opened) timer = setTimeout(() => void leave(), IDLE_MS)
    }
  }
  return { use, close: leave }
}

async function printEntry(
  client: string,
  given: string | undefined,
  home: string | undefined,
): Promise<void> {
  const { title, place, write } = findClient(client)
  const { agent, key } = await withClient(home, host => host['agents.add']({ name: given ?? title }))
  const elsewhere = home ?? process.env['TALARIA_HOME']
  const { program, args } = launchOf(process.execPath, process.argv[1]!, process.env['APPIMAGE'])
  printLine(
    write({
      command: program,
      args: [
        ...args,
        'mcp',
        'serve',
        ...(elsewhere === undefined ? [] : ['--home', absolutePath(elsewhere)]),
      ],
      env: { [KEY]: key },
    }),
  )
  printAside(`Put this into ${place}. The key is shown only now.`)
  printAside(
    `“${showHiddenInLine(agent.name)}” can read nothing until you allow it in the window: Connections, Agents. What it reads is sent to that program’s provider.`,
  )
}

/** Read the key from the file that Talaria wrote when it was connected to a program. */
const readKey = (path: string | undefined): string =>
  path === undefined ? '' : readIfThere(path).trim().slice(0, 200)

/**
 * The command that starts the terminal. Inside an AppImage the program is in a temporary folder, so start the
 * AppImage.
 */
const launchOf = (program: string, script: string, appImage: string | undefined) =>
  appImage !== undefined && process.versions['electron'] !== undefined
    ? { program: appImage, args: [] }
    : { program, args: [resolve(script)] }

type Changes = { remove?: true; off?: true; requests?: true }

/** Print the programs that may read from Talaria, or one of them; or remove one, or switch it off. */
export async function mcpAgents(
  named: string | undefined,
  { home, json, remove, off, requests }: Options & Changes,
): Promise<void> {
  await withClient(
    home,
    async client => {
      const { agents } = await client['agents.list']({})
      if (named === undefined) {
        if (remove || off || requests) throw new Fault('bad_input', 'Name the program.')
        if (json) printLine(jsonLine({ agents }))
        else if (agents.length === 0)
          printLine('No program is connected. Connect one with: talaria mcp serve --print PROGRAM')
        else for (const agent of agents) printLine(describe(agent))
        return
      }
      const agent = findAgent(agents, named)
      const { id, seen, may } = agent
      if (remove) {
        await client['agents.remove']({ id })
        return printLine(
          json
            ? jsonLine({ removed: id })
            : `Removed ${showHiddenInLine(agent.name)}. Its key no longer works.`,
        )
      }
      if (off) {
        const changed = await client['agents.allow']({ id, seen, on: false, may })
        return printLine(json ? jsonLine(changed) : describe(changed))
      }
      const listed = requests ? (await client['agents.requests']({ id, limit: 50 })).requests : []
      if (json) return printLine(jsonLine(requests ? { ...agent, requests: listed } : agent))
      printLine(describe(agent))
      for (const { at, tool, asked, given, refused } of listed)
        printLine(
          showHiddenInLine(
            `  ${momentOf(at)}  ${tool}${asked === '' ? '' : ` “${asked}”`}: ${refused || given.join('; ') || 'nothing'}`,
          ),
        )
    },
    remove || off ? {} : TWICE,
  )
}

function findAgent(agents: readonly ConnectedAgent[], named: string): ConnectedAgent {
  const wanted = named.trim().toLowerCase()
  const found = agents.filter(({ id, name }) => id === named || name.toLowerCase() === wanted)
  if (found.length === 1) return found[0]!
  throw new Fault(
    'not_found',
    found.length > 1
      ? `${found.length} programs have this name. Use the id: ${found.map(({ id }) => id).join(', ')}`
      : `There is no program “${named}”. List them: talaria mcp agents`,
  )
}

const WORDS: Record<keyof ConnectedAgent['may'], string> = {
  user: 'About you',
  notes: 'Notes',
  chats: 'chats',
  skills: 'skills',
  propose: 'proposing entries',
  learn: 'learning from its sessions',
}

function describe({ id, name, program, allowed, may, lastAt, today }: ConnectedAgent): string {
  const rights = Object.entries(WORDS).flatMap(([what, words]) =>
    may[what as keyof typeof may] ? [words] : [],
  )
  const state = allowed
    ? `may use ${rights.join(', ') || 'nothing'}`
    : 'off: allow it in the window, on Connections'
  const facts = [
    ...(program === '' ? [] : [`calls itself ${showHiddenInLine(program)}`]),
    ...(lastAt === null ? [] : [`last ${momentOf(lastAt)}`]),
    `today ${many(today.requests, 'request')}`,
  ]
  return `${id}  ${showHiddenInLine(name)}: ${state}\n  ${facts.join(' · ')}`
}
