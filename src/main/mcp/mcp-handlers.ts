import { keysIn, type McpServer } from '../../shared/contract/mcp.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { readPasted, takeSecrets } from './added-servers.ts'
import { nearNames } from '../lib/similarity.ts'
import type { Mcp } from './open-mcp.ts'
import { shownServer, warningsOf } from './servers.ts'

/** What windows and terminals may do with MCP servers. `reload` reads their entries again. */
export function mcpHandlers(mcp: Mcp, reload: () => void) {
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
  return {
    'mcp.list'() {
      reload()
      return { servers: mcp.servers().map(mcp.state) }
    },
    'mcp.preview': ({ server }) => ({ shown: shownServer(server), warnings: warningsOf(server) }),
    'mcp.read'({ text }) {
      const found = readPasted(text)
      if (isRefusal(found)) throw new Fault('bad_input', found.refused)
      return {
        servers: found.map(each =>
          'server' in each
            ? {
                name: each.name,
                server: each.server,
                shown: shownServer(each.server),
                warnings: warningsOf(each.server),
                problem: '',
              }
            : { name: each.name, server: null, shown: '', warnings: [], problem: each.problem },
        ),
      }
    },
    'mcp.entry'({ name }) {
      const others = mcp.servers().filter(each => each.name !== name)
      return { server: takeSecrets(known(name), others.flatMap(keysIn)).server }
    },
    async 'mcp.put'({ server, was = server.name }) {
      if (was !== server.name && mcp.get(server.name))
        throw new Fault('bad_input', `There is a server ${server.name} already. Choose another name.`)
      await mcp.put(server, was)
      return mcp.state(known(server.name))
    },
    async 'mcp.remove'({ name }) {
      await mcp.remove(known(name).name)
      return {}
    },
    async 'mcp.accept'({ name, tool }) {
      const server = known(name)
      const refused = await mcp.accept(server, tool)
      if (refused) throw new Fault('not_ready', refused.refused)
      return mcp.state(server)
    },
    async 'mcp.switch'({ name, tool, on, pinned, unasked }) {
      const server = known(name)
      const refused =
        tool !== undefined && unasked !== undefined ? mcp.setUnasked(server, tool, unasked) : undefined
      if (refused) throw new Fault('not_found', refused.refused)
      if (on !== undefined || pinned !== undefined) await mcp.change(switched(server, tool, on, pinned))
      return mcp.state(known(name))
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
      const { ok, ...result } = await mcp.call(wanted, args, { signal })
      if (!('reason' in result)) return { ok, ...result }
      const text = [result.said, result.reason].filter(each => each !== undefined && each !== '').join(' ')
      return { ok, isError: true, text }
    },
  } satisfies Partial<HostHandlers>
}

function switched(server: McpServer, tool: string | undefined, on?: boolean, pinned?: boolean): McpServer {
  if (tool === undefined) return on === undefined ? server : { ...server, enabled: on }
  const without = (names: readonly string[]) => names.filter(name => name !== tool)
  return {
    ...server,
    off: on === undefined ? server.off : on ? without(server.off) : [...without(server.off), tool],
    pinned:
      pinned === undefined
        ? server.pinned
        : pinned
          ? [...without(server.pinned), tool]
          : without(server.pinned),
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
