import { existsSync } from 'node:fs'
import type { HostClient } from '../../../shared/contract/index.ts'
import {
  McpServer,
  sayWrites,
  versionOrigin,
  type McpFolder,
  type McpServerState,
  type McpTool,
} from '../../../shared/contract/connections/mcp.ts'
import { many } from '../../../shared/text/amounts.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { agreeAsShown } from './agree-as-shown.ts'
import { absolutePath } from '../command-line.ts'
import { withClient } from '../open-client.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }
type AddOptions = Options & {
  url?: string
  env?: string[]
  header?: string[]
  cwd?: string
  network?: true
  about?: string
  yes?: true
}

const UNANSWERABLE = 'There is no terminal to confirm this. Add --yes to agree without a question.'

/** Print the servers. */
export async function mcpList({ home, json }: Options): Promise<void> {
  const { servers, projects } = await withClient(home, client => client['mcp.list']({}))
  if (json) printLine(jsonLine({ servers, projects }))
  else if (servers.length === 0) printLine('No servers. Add one with: talaria mcp add NAME -- COMMAND')
  else for (const server of servers) printLine(describe(server))
  if (!json)
    for (const project of projects) for (const line of notesOn(project)) printAside(showHiddenInLine(line))
}

/** Notes on the servers of a project that are not used, and why. */
const notesOn = ({ folder, trusted, problems }: McpFolder): string[] =>
  trusted
    ? problems.map(problem => `In the .mcp.json of ${folder}: ${problem}`)
    : [
        `The .mcp.json of ${folder} is not read, because you do not trust this folder. Trust it on the Connections page.`,
      ]

function describe({ name, project, state, shown, problem, tools, warnings, writes }: McpServerState): string {
  const usable = tools.filter(tool => tool.state === 'on').length
  const lines = [
    `${name}  ${state === 'off' ? 'not running' : state}${tools.length === 0 ? '' : `, ${usable} of ${tools.length} tools on`}`,
    ...(project === null ? [] : [`    For chats in ${showHiddenInLine(project)}, named by its .mcp.json`]),
    // `shown` has the folder on its own line; here everything is on one line.
    `    ${showHiddenInLine(shown.replaceAll('\n', ' '))}`,
    ...(problem === '' ? [] : [`    ${showHiddenInLine(problem)}`]),
    ...linesOn(writes).map(line => `    ${line}`),
    ...warnings.map(warning => `    Note: ${showHiddenInLine(warning)}`),
    ...tools
      .filter(tool => tool.state !== 'on')
      .map(
        tool =>
          `    ${showHiddenInLine(tool.name)}: ${tool.state}${tool.problem === '' ? '' : `. ${showHiddenInLine(tool.problem)}`}`,
      ),
  ]
  return lines.join('\n')
}

/** The folders that a server may write to, as a line; empty for a server at an address. */
const linesOn = (writes: readonly string[]): string[] =>
  writes.length === 0 ? [] : [showHiddenInLine(sayWrites(writes))]

/** Add a server after showing what it is. Resolves to whether it was added. */
export async function mcpAdd(
  name: string,
  command: readonly string[],
  options: AddOptions,
): Promise<boolean> {
  const server = serverFrom(name, command, options)
  return await withClient(options.home, async client => {
    const state = await agreeAsShown({
      look: () => client['mcp.preview']({ server }),
      show({ shown, warnings, writes }) {
        printAside(`${name} runs:\n${showHidden(shown)}`)
        for (const line of linesOn(writes)) printAside(line)
        for (const warning of warnings) printAside(`Note: ${showHiddenInLine(warning)}`)
      },
      question: `Add ${name}?`,
      unanswerable: UNANSWERABLE,
      yes: options.yes === true,
      agree: ({ seen }) => client['mcp.put']({ server, seen }),
    })
    if (!state) {
      printAside('Nothing was added.')
      return false
    }
    if (options.json) printLine(jsonLine(state))
    else printLine(`Added ${name}. Try it with: talaria mcp test ${name}`)
    return true
  })
}

function serverFrom(name: string, command: readonly string[], options: AddOptions): McpServer {
  const { url, env, header, cwd, network, about } = options
  if ((url === undefined) === (command.length === 0))
    throw new Fault('bad_input', 'Give either a command after --, or --url ADDRESS.')
  const [program, ...args] = command
  const shared = { name, ...(about !== undefined && { description: about }) }
  const read = McpServer.safeParse(
    url === undefined
      ? {
          ...shared,
          // A bare name is looked up on the PATH.
          command: program !== undefined && /[/\\]/.test(program) ? absolutePath(program) : program,
          args: args.map(fromHere),
          env: pairsOf(env, '--env'),
          network: network === true,
          ...(cwd !== undefined && { cwd: absolutePath(cwd) }),
        }
      : { ...shared, url, headers: pairsOf(header, '--header') },
  )
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Fault(
    'bad_input',
    `This server cannot be added: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  )
}

/** Make an argument that names an existing file absolute, because a server works in another folder. */
const fromHere = (arg: string): string =>
  !arg.startsWith('-') && /[./\\]/.test(arg) && existsSync(absolutePath(arg)) ? absolutePath(arg) : arg

function pairsOf(given: readonly string[] = [], option: string): Record<string, string> {
  return Object.fromEntries(
    given.map(pair => {
      const at = pair.indexOf('=')
      if (at < 1) throw new Fault('bad_input', `${option} takes NAME=value.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Remove a server. */
export async function mcpRemove(
  name: string,
  { home, json, forGood }: Options & { forGood?: true },
): Promise<void> {
  await withClient(home, client => client['mcp.remove']({ name, forGood: forGood === true }))
  if (json) return printLine(jsonLine({ removed: name }))
  printLine(
    `Removed ${name}.${forGood ? '' : ` You can restore it within a minute: talaria mcp restore ${name}`}`,
  )
}

/** Bring back a server that was removed a moment ago. */
export async function mcpRestore(name: string, { home, json }: Options): Promise<void> {
  const state = await withClient(home, client => client['mcp.restore']({ name }))
  if (json) printLine(jsonLine(state))
  else printLine(`${name} is back.`)
}

/** Start a server and list its tools. Resolves to whether it started. */
export async function mcpTest(name: string, { home, json }: Options): Promise<boolean> {
  const { ok, problem, tools } = await withClient(home, client => client['mcp.test']({ name }))
  if (json) printLine(jsonLine({ ok, ...(problem !== '' && { problem }), tools }))
  else if (ok)
    printLine(
      [`${name} has ${many(tools.length, 'tool')}${tools.length > 0 ? ':' : '.'}`, ...tools.map(lineOf)].join(
        '\n',
      ),
    )
  else printAside(`${name} did not start. ${showHidden(problem)}`)
  return ok
}

const lineOf = ({ name, problem }: { name: string; problem?: string | undefined }) =>
  `  ${showHiddenInLine(name)}${problem === undefined ? '' : `: ${showHiddenInLine(problem)}`}`

/** Call a tool. Resolves to whether it succeeded. */
export async function mcpCall(
  name: string,
  tool: string,
  given: string | undefined,
  { home, json }: Options,
): Promise<boolean> {
  const args = parseJson(given ?? '{}')
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Fault('bad_input', 'The arguments have to be a JSON object, such as \'{"path": "notes.txt"}\'.')
  using stopping = stopOnSignals()
  const result = await withClient(home, client =>
    client['mcp.call']({ name, tool, args: args as Record<string, unknown> }, { signal: stopping.signal }),
  ).catch((error: unknown) => {
    // With --json, print JSON even if the tool cannot be called.
    if (json && error instanceof Fault && error.code === 'not_found')
      printLine(jsonLine({ ok: false, isError: true, text: error.message }))
    throw error
  })
  if (json) printLine(jsonLine(result))
  else {
    if (result.sent)
      printAside(`The arguments were sent in this form: ${showHidden(JSON.stringify(result.sent))}`)
    if (result.ok && !result.isError) printLine(showHidden(result.text))
    else printAside(showHidden(result.text))
  }
  return result.ok && !result.isError
}

/**
 * Accept a changed server, or the new text of a tool, after showing it. With `anyText`, only the name and the
 * schema of the tool have to stay the same from now on. Resolves to whether it was accepted.
 */
export async function mcpAccept(
  name: string,
  tool: string | undefined,
  { home, json, yes, anyText }: Options & { yes?: true; anyText?: true },
): Promise<boolean> {
  if (anyText && tool === undefined) throw new Fault('bad_input', '--any-text needs the name of a tool.')
  return await withClient(home, async client => {
    const what = `${anyText ? 'any text of ' : ''}${tool ?? name}`
    const state = await agreeAsShown({
      async look() {
        if (tool !== undefined) await client['mcp.test']({ name })
        const server = await stateOf(client, name)
        const found = server.tools.find(each => each.name === tool)
        if (tool !== undefined && !found)
          throw new Fault('not_found', `The server ${name} has no tool ${tool}.`)
        return { server, found }
      },
      show: showOffered,
      question: `Accept ${what}?`,
      unanswerable: UNANSWERABLE,
      yes: yes === true,
      agree: ({ server, found }) => acceptOffered(client, { server, found, anyText: anyText === true }),
    })
    if (!state) return false
    if (json) printLine(jsonLine(state))
    else printLine(`Accepted ${what}${tool === undefined ? '' : ` of ${name}`}.`)
    return true
  })
}

type Offered = { server: McpServerState; found: McpTool | undefined }

/** Show the part of a server or a tool that the user agrees to. */
function showOffered({ server, found }: Offered): void {
  printAside(
    showHidden(found ? (found.change?.after ?? `${found.name}\n${found.description}`) : server.shown),
  )
  for (const line of found ? [] : linesOn(server.writes)) printAside(line)
  for (const { part, before, after } of found ? [] : (server.changes ?? []))
    printAside(showHidden(`${part} was: ${before || 'none'}\n${part} is: ${after || 'none'}`))
}

async function acceptOffered(
  client: HostClient,
  { server: { name, seen }, found, anyText }: Offered & { anyText: boolean },
): Promise<McpServerState> {
  if (!found) return client['mcp.accept']({ name, seen })
  const of = { name, tool: found.name }
  const anyTextOf = (tool: McpTool) => client['mcp.switch']({ ...of, byShape: true, seen: tool.seen })
  if (anyText && found.change?.isShapeSame !== false) return anyTextOf(found)
  const state = await client['mcp.accept']({ ...of, seen: found.seen })
  // If the schema has changed too, the new text is accepted once first.
  const accepted = state.tools.find(each => each.name === found.name)
  return anyText && accepted ? anyTextOf(accepted) : state
}

/**
 * Write the exact version into the command of a server, after showing it. Resolves to whether it was written.
 */
export async function mcpPin(name: string, { home, json, yes }: Options & { yes?: true }): Promise<boolean> {
  return await withClient(home, async client => {
    const pinned = await client['mcp.version']({ name })
    const { version, from, server } = pinned
    const state = await agreeAsShown({
      look: async () => ({ ...pinned, ...(await client['mcp.preview']({ server })) }),
      show: ({ shown }) =>
        printAside(`${versionOrigin(version, from)}\n${name} would run:\n${showHidden(shown)}`),
      question: `Pin ${version}?`,
      unanswerable: UNANSWERABLE,
      yes: yes === true,
      agree: ({ seen }) => client['mcp.put']({ server, seen }),
    })
    if (!state) {
      printAside('Nothing was changed.')
      return false
    }
    if (json) printLine(jsonLine({ version, from, ...state }))
    else printLine(`${name} is pinned to ${version}.`)
    return true
  })
}

async function stateOf(client: HostClient, name: string): Promise<McpServerState> {
  const { servers } = await client['mcp.list']({})
  const server = servers.find(each => each.name === name)
  if (!server) throw new Fault('not_found', `There is no server ${name}.`)
  return server
}

/** Let a tool run without a question, until it changes. */
export const mcpAllow = (name: string, tool: string, options: Options) =>
  setUnasked(name, tool, true, options)

/** Ask before each call of a tool again. */
export const mcpAsk = (name: string, tool: string, options: Options) => setUnasked(name, tool, false, options)

async function setUnasked(name: string, tool: string, unasked: boolean, { home, json }: Options) {
  const state = await withClient(home, async client => {
    if (!unasked) return client['mcp.switch']({ name, tool, unasked })
    const server = await stateOf(client, name)
    const found = server.tools.find(each => each.name === tool)
    if (!found) throw new Fault('not_found', `You have not agreed to a tool ${tool} of ${name}.`)
    showOffered({ server, found })
    return client['mcp.switch']({ name, tool, unasked, seen: found.seen })
  })
  if (json) printLine(jsonLine(state))
  else
    printLine(
      showHiddenInLine(`${tool} of ${name} ${unasked ? 'runs without a question' : 'asks each time'}.`),
    )
}

/** Let chats use a server or one of its tools. */
export const mcpEnable = (name: string, tool: string | undefined, options: Options) =>
  switchOne(name, tool, true, options)

/** Keep chats from using a server or one of its tools. */
export const mcpDisable = (name: string, tool: string | undefined, options: Options) =>
  switchOne(name, tool, false, options)

async function switchOne(
  name: string,
  tool: string | undefined,
  on: boolean,
  { home, json }: Options,
): Promise<void> {
  const state = await withClient(home, client =>
    client['mcp.switch']({ name, on, ...(tool !== undefined && { tool }) }),
  )
  if (json) printLine(jsonLine(state))
  else printLine(`${tool === undefined ? name : `${tool} of ${name}`} is ${on ? 'on' : 'off'}.`)
}
