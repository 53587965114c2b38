import { isDeepStrictEqual } from 'node:util'
import { keysIn, type McpFolder, type McpServer } from '../../shared/contract/connections/mcp.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { readPasted, takeSecrets } from './servers/added-servers.ts'
import { nearNames } from '../lib/words/similarity.ts'
import type { Mcp } from './open-mcp.ts'
import { previewServer } from './servers/judge-servers.ts'
import { isLocal, type KnownServer } from './servers/known-servers.ts'

/** The handlers of windows and terminals for MCP servers. `reload` reads the entries of projects again. */
export function mcpHandlers(mcp: Mcp, reload: () => McpFolder[]) {
  function known(name: string) {
    const server = mcp.get(name)
    if (server) return server
    const near = nearNames(
      name,
      mcp.servers().map(each => each.name),
      1,
    )[0]
    throw new Fault(
      'not_found',
      `There is no server ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    )
  }
  /** Find a server that the user may change: not one of a project, whose file is not the user's. */
  function ownOf(name: string) {
    const server = known(name)
    if (server.project === undefined) return server
    throw new Fault(
      'bad_input',
      `${name} is defined in the .mcp.json of ${server.project}. Change it there, or switch it off here.`,
    )
  }
  /** The preview of a server that the user reads before adding it. */
  const previewOf = (server: McpServer) => previewServer(server, mcp.placesOf(server))
  /** The entry of a server with `${NAME}` in place of each secret. */
  function entryOf(name: string) {
    const others = mcp.servers().filter(each => each.name !== name)
    return takeSecrets(
      ownOf(name),
      others.flatMap(server => keysIn(server)),
    ).server
  }
  /** Refuse if a server or a tool differs from what was shown. */
  function refuseOther(server: KnownServer, tool: string | undefined, seen: string): void {
    const { name } = server
    const { tools, ...now } = mcp.state(server)
    if (tool === undefined) return refuseUnseen(seen, now.seen, `The server ${name}`)
    const found = tools.find(each => each.name === tool)
    if (!found) throw new Fault('not_found', `You have not agreed to a tool ${tool} of ${name}.`)
    refuseUnseen(seen, found.seen, `The tool ${tool} of ${name}`)
  }
  return {
    'mcp.list'() {
      const projects = reload()
      return { servers: mcp.servers().map(mcp.state), projects }
    },
    'mcp.preview': ({ server }) => previewOf(server),
    'mcp.read'({ text }) {
      const found = readPasted(text)
      if (isRefusal(found)) throw new Fault('bad_input', found.refused)
      return {
        servers: found.map(each =>
          'server' in each
            ? {
                name: each.name,
                server: each.server,
                ...previewOf(each.server),
                problem: '',
              }
            : { ...NOTHING_SHOWN, name: each.name, problem: each.problem },
        ),
      }
    },
    'mcp.entry': ({ name }) => ({ server: entryOf(name) }),
    async 'mcp.put'({ server, was = server.name, seen }) {
      refuseUnseen(seen, previewOf(server).seen, `What ${server.name} runs`)
      const found = mcp.get(was)
      if (found?.project !== undefined && was !== server.name) ownOf(was)
      if (was !== server.name && mcp.get(server.name))
        throw new Fault('bad_input', `A server named ${server.name} already exists. Choose another name.`)
      await mcp.put(server, was)
      return mcp.state(known(server.name))
    },
    async 'mcp.remove'({ name, forGood = false }) {
      await mcp.remove(ownOf(name).name, forGood)
      return {}
    },
    'mcp.restore'({ name }) {
      const refused = mcp.restore(name)
      if (refused) throw new Fault('not_found', refused.refused)
      return mcp.state(known(name))
    },
    async 'mcp.accept'({ name, tool, seen }) {
      const server = known(name)
      const refused =
        tool === undefined ? await mcp.accept(name, seen) : await mcp.acceptTool(server, tool, seen)
      if (refused) throw new Fault('not_ready', refused.refused)
      return mcp.state(known(name))
    },
    async 'mcp.switch'({ name, tool, unasked, network, seen, ...wanted }) {
      const server = known(name)
      if (seen !== undefined) refuseOther(server, tool, seen)
      const refused =
        tool !== undefined && unasked !== undefined ? mcp.setUnasked(server, tool, unasked) : undefined
      if (refused) throw new Fault('not_found', refused.refused)
      const changed = switched(server, tool, wanted)
      if (network !== undefined && !(isLocal(server) && server.project !== undefined))
        throw new Fault(
          'bad_input',
          'You can switch the network here only for programs from a folder’s .mcp.json. Edit the server instead.',
        )
      if (changed !== server || network !== undefined)
        await mcp.change(network === undefined ? changed : { ...changed, network })
      return mcp.state(known(name))
    },
    async 'mcp.version'({ name }) {
      const found = await mcp.exactVersion(entryOf(name))
      if (isRefusal(found)) throw new Fault('not_ready', found.refused)
      const { shown, seen } = previewOf(found.server)
      return { ...found, shown, seen }
    },
    async 'mcp.restart'({ name }) {
      await mcp.restart(known(name))
      return mcp.state(known(name))
    },
    async 'mcp.test'({ name }, signal) {
      const server = known(name)
      const stop = () => void mcp.restart(server)
      signal.addEventListener('abort', stop)
      const found = await mcp.list(server)
      signal.removeEventListener('abort', stop)
      if (isRefusal(found)) return { ok: false, problem: found.refused, tools: [] }
      const tools = mcp.state(server).tools.map(tool => {
        const problem = problemOf(tool.state, tool.problem)
        return problem === '' ? { name: tool.name, ok: true } : { name: tool.name, ok: false, problem }
      })
      return { ok: true, problem: '', tools }
    },
    async 'mcp.call'({ name, tool, args }, signal) {
      const server = known(name)
      const found = await mcp.list(server)
      if (isRefusal(found)) return { ok: false, isError: true, text: found.refused }
      const usable = mcp.usable().filter(each => each.server.name === name)
      const wanted = usable.find(each => each.tool.name === tool)
      if (!wanted) throw new Fault('not_found', whyNotCalled(tool, mcp.state(server).tools))
      // Read the arguments as in an agent's call.
      const read = wanted.tool.mend(args)
      const mended = isDeepStrictEqual(read, args) ? {} : { sent: read }
      const { ok, ...result } = await mcp.call(wanted, read, { signal })
      if (!('reason' in result)) {
        const { unwritten, ...said } = result
        const told = unwritten === undefined ? said.text : `${said.text}\n${unwritten}`
        return { ok, ...said, text: told, ...mended }
      }
      const text = [result.said, result.reason].filter(each => each !== undefined && each !== '').join(' ')
      return { ok, isError: true, text, ...mended }
    },
  } satisfies Partial<HostHandlers>
}

const NOTHING_SHOWN = { server: null, shown: '', warnings: [], writes: [], seen: '' }

type Wanted = { on?: boolean | undefined; pinned?: boolean | undefined; byShape?: boolean | undefined }

/** Apply these switches to a server, if any are given. */
function switched(
  server: KnownServer,
  tool: string | undefined,
  { on, pinned, byShape }: Wanted,
): KnownServer {
  if (tool === undefined) return on === undefined ? server : { ...server, enabled: on }
  if (on === undefined && pinned === undefined && byShape === undefined) return server
  const listed = (names: string[], isIn: boolean | undefined) => {
    const others = names.filter(name => name !== tool)
    return isIn === undefined ? names : isIn ? [...others, tool] : others
  }
  return {
    ...server,
    off: listed(server.off, on === undefined ? undefined : !on),
    pinned: listed(server.pinned, pinned),
    by_shape: listed(server.by_shape, byShape),
  }
}

type Tools = ReturnType<Mcp['state']>['tools']

const problemOf = (state: Tools[number]['state'], problem: string): string =>
  state === 'changed'
    ? 'Its text changed since you agreed to it.'
    : state === 'new'
      ? 'It is new since you agreed to the server.'
      : problem

function whyNotCalled(name: string, tools: Tools): string {
  const tool = tools.find(each => each.name === name)
  if (tool?.state === 'off') return `The tool ${name} is switched off.`
  if (tool) return `The tool ${name} cannot be used. ${problemOf(tool.state, tool.problem)}`
  const near = nearNames(
    name,
    tools.map(each => each.name),
    3,
  )
  return `The server has no tool ${name}.${near.length === 0 ? '' : ` The nearest: ${near.join(', ')}.`}`
}
