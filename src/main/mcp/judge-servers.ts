import type { McpServer, McpServerState, McpTool } from '../../shared/contract/mcp.ts'
import type { McpStore } from '../db/mcp-tables.ts'
import type { JudgedTools, ServerTool } from './judge-tools.ts'
import type { ServerActivity } from './open-connections.ts'
import { identityOf, shownServer, warningsOf } from './servers.ts'

/** Whether the person agreed to the server as it is now. */
export const isAccepted = (server: McpServer, store: McpStore): boolean =>
  store.identity(server.name) === identityOf(server)

/** A tool as the person reads it when asked to agree to it. */
export const textOfTool = ({ name, description, schema }: ServerTool): string =>
  `${name}\n${description}\n${JSON.stringify(schema, null, 2)}`

const accepted = ({ name, hash, shapeHash }: ServerTool, text: string) => ({ name, hash, shape: shapeHash, text })

/** Agree to the tools of a server that was just added or accepted again. */
export function acceptListed(server: string, { tools }: JudgedTools, store: McpStore): void {
  if (!store.awaitsTools(server)) return
  store.acceptTools(
    server,
    tools.map(tool => accepted(tool, textOfTool(tool))),
  )
}

/** Agree to the present text of one tool. */
export const acceptTool = (server: string, tool: ServerTool, store: McpStore): void =>
  store.acceptTools(server, [accepted(tool, textOfTool(tool))])

/** The tools of a server as the person accepted and switched them, with what is wrong with the others. */
export function judgedStates(
  server: McpServer,
  { tools, refused }: JudgedTools,
  { store, count }: { store: McpStore; count(text: string): number },
): McpTool[] {
  const known = store.tools(server.name)
  const states = tools.map((tool): McpTool => {
    const before = known.get(tool.name)
    const byShape = server.by_shape.includes(tool.name)
    const isSame = before && (before.hash === tool.hash || (byShape && before.shape === tool.shapeHash))
    const text = textOfTool(tool)
    return {
      name: tool.name,
      description: tool.description,
      state: !before ? 'new' : !isSame ? 'changed' : server.off.includes(tool.name) ? 'off' : 'on',
      problem: '',
      pinned: server.pinned.includes(tool.name),
      change: before && !isSame ? { before: before.text, after: text, times: before.changes + 1 } : null,
      tokens: count(JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.schema })),
    }
  })
  const without = refused.map(
    ({ name, problem }): McpTool => ({
      name,
      description: '',
      state: 'refused',
      problem,
      pinned: false,
      change: null,
      tokens: 0,
    }),
  )
  return [...states, ...without]
}

/** A server as the window and the terminal show it. */
export function stateOf(
  server: McpServer,
  activity: ServerActivity,
  tools: McpTool[],
  store: McpStore,
): McpServerState {
  const { name, enabled, description } = server
  return {
    name,
    enabled,
    shown: shownServer(server),
    state: !isAccepted(server, store) ? 'not accepted' : enabled ? activity.state : 'disabled',
    problem: activity.problem,
    lines: activity.lines,
    warnings: warningsOf(server),
    description,
    tools,
  }
}
