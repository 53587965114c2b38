import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { McpServer, McpServerState, McpTool } from '../../../shared/contract/connections/mcp.ts'
import type { McpStore } from '../../db/connections/mcp-tables.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { judgeTools, type JudgedTools, type ServerTool } from '../judge-tools.ts'
import type { ServerActivity } from '../connections/connection-types.ts'
import { namedPackage } from './named-package.ts'
import { identityOf, isLocal, partsOf, shownServer, warningsOf, type KnownServer } from './known-servers.ts'
import type { ToldPlaces } from './tell-places.ts'

/** Whether the user agreed to the server in its present form, with the places where it may write. */
export const isAccepted = (server: KnownServer, store: McpStore, places: readonly string[]): boolean =>
  store.agreed(server.name)?.identity === identityOf(server, places)

/** The text of a tool that the user is asked to agree to. */
const textOfTool = ({ name, description, schema }: ServerTool): string =>
  `${name}\n${description}\n${JSON.stringify(schema, null, 2)}`

/** Accept the tools of a server that was just added or accepted again. */
export function acceptListed(server: string, { tools }: JudgedTools, store: McpStore): void {
  if (store.awaitsTools(server)) acceptTools(server, tools, store)
}

/** Accept the present text of tools. */
export const acceptTools = (server: string, tools: readonly ServerTool[], store: McpStore): void =>
  store.acceptTools(
    server,
    tools.map(({ name, hash, shapeHash, definition }) => ({ name, hash, shape: shapeHash, definition })),
  )

/** The tools of a server as the user accepted them, even if it now lists others. */
export function acceptedTools(server: string, store: McpStore): { tool: ServerTool; unasked: boolean }[] {
  const accepted = store.tools(server)
  return judgedOnce(
    server,
    store,
    [...accepted.values()].map(({ definition }) => definition),
  ).map(tool => ({ tool, unasked: accepted.get(tool.name)!.unasked === 1 }))
}

type Judged = { definitions: readonly string[]; tools: readonly ServerTool[] }
/** The judged tools of each server. Each prompt asks for them, and their texts rarely change. */
const judgedBefore = new WeakMap<McpStore, Map<string, Judged>>()

function judgedOnce(server: string, store: McpStore, definitions: readonly string[]): readonly ServerTool[] {
  const ofStore = judgedBefore.get(store) ?? new Map<string, Judged>()
  judgedBefore.set(store, ofStore)
  const known = ofStore.get(server)
  if (known && isDeepStrictEqual(known.definitions, definitions)) return known.tools
  const { tools } = judgeTools(definitions.map(parseJson))
  ofStore.set(server, { definitions, tools })
  return tools
}

/** Whether a tool is still the accepted one. */
export function isSameTool(server: McpServer, tool: ServerTool, listed: ServerTool | undefined): boolean {
  if (!listed) return false
  return (
    listed.hash === tool.hash || (server.by_shape.includes(tool.name) && listed.shapeHash === tool.shapeHash)
  )
}

type Parts = { store: McpStore; count(text: string): number }

/** The tools of a server with the user's choices. With `listed`, also tools that changed or are unusable. */
export function toolStates(
  server: McpServer,
  listed: JudgedTools | undefined,
  { store, count }: Parts,
): McpTool[] {
  const known = store.tools(server.name)
  const accepted = new Map(acceptedTools(server.name, store).map(({ tool }) => [tool.name, tool]))
  const of = store.agreed(server.name)
  const states = (listed?.tools ?? [...accepted.values()]).map((tool): McpTool => {
    const before = accepted.get(tool.name)
    const isSame = before !== undefined && isSameTool(server, before, tool)
    const { changes = 0, unasked = 0 } = known.get(tool.name) ?? {}
    return {
      name: tool.name,
      description: tool.description,
      state: !before ? 'new' : !isSame ? 'changed' : server.off.includes(tool.name) ? 'off' : 'on',
      problem: '',
      pinned: server.pinned.includes(tool.name),
      byShape: server.by_shape.includes(tool.name),
      unasked: unasked === 1,
      change:
        before && !isSame
          ? {
              before: textOfTool(before),
              after: textOfTool(tool),
              times: changes + 1,
              isShapeSame: before.shapeHash === tool.shapeHash,
            }
          : null,
      tokens: count(
        JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.schema }),
      ),
      seen: hashShown({ server: server.name, of, now: tool.definition, before: before?.definition }),
    }
  })
  const without = (listed?.refused ?? []).map(({ name, problem }): McpTool => ({
    ...NOT_USABLE,
    name,
    problem,
    seen: hashShown({ server: server.name, of, name, problem }),
  }))
  return [...states, ...without]
}

const NOT_USABLE = {
  description: '',
  state: 'refused' as const,
  pinned: false,
  byShape: false,
  unasked: false,
  change: null,
  tokens: 0,
}

const Parts = z.record(z.string(), z.string())

/** The parts of a server that differ from what the user agreed to; null without an agreement. */
function changesOf(server: McpServer, store: McpStore, places: readonly string[]): McpServerState['changes'] {
  const agreed = store.agreed(server.name)
  if (!agreed) return null
  const read = Parts.safeParse(parseJson(agreed.parts))
  if (!read.success) return []
  const before = read.data
  const now = partsOf(server, places)
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .map(part => ({ part, before: before[part] ?? '', after: now[part] ?? '' }))
    .filter(each => each.before !== each.after)
}

/** A server as the window and the terminal show it. */
export function stateOf(
  server: KnownServer,
  activity: ServerActivity,
  tools: McpTool[],
  store: McpStore,
  places: ToldPlaces,
): McpServerState {
  const { isSame, shown, seen } = judgeShown(server, store, places)
  const state = !isSame ? 'not accepted' : server.enabled ? activity.state : 'disabled'
  const problem = places.problem === '' ? activity.problem : places.problem
  return { ...shown, enabled: server.enabled, state, problem, lines: activity.lines, tools, seen }
}

/**
 * Describe a server as the user reads it before agreeing to it, with a hash of everything shown. The server's
 * activity is not part of it. `isSame`: the user agreed to it already. `parts` are used to describe later
 * changes.
 */
export function judgeShown(server: KnownServer, store: McpStore, { writes, agreed, notes }: ToldPlaces) {
  const { name, description, project = null } = server
  const identity = identityOf(server, agreed)
  const isSame = store.agreed(name)?.identity === identity
  const shown = {
    name,
    project,
    shown: shownServer(server),
    reach: !isLocal(server)
      ? ('address' as const)
      : server.network
        ? ('program with network' as const)
        : ('program' as const),
    changes: isSame ? [] : changesOf(server, store, agreed),
    warnings: [...warningsOf(server), ...notes],
    writes,
    isUnpinned: project === null && isLocal(server) && namedPackage(server)?.isExact === false,
    description,
  }
  const { enabled: _enabled, pinned: _pinned, off: _off, by_shape: _byShape, ...entry } = server
  const seen = hashShown({ shown, entry, identity })
  return { identity, parts: partsOf(server, agreed), isSame, shown, seen }
}

/** Preview a server before the user adds it, with the hash that adding it must carry. */
export function previewServer(server: McpServer, { writes, agreed, notes, problem }: ToldPlaces) {
  const refused = problem === '' ? [] : [`It will not start. ${problem}`]
  const warnings = [...warningsOf(server), ...notes, ...refused]
  const shown = { shown: shownServer(server), warnings, writes }
  return { ...shown, seen: hashShown({ shown, server, identity: identityOf(server, agreed) }) }
}
