import { many } from '../../../shared/text/amounts.ts'
import { z } from 'zod'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { hashOf } from '../../lib/shown-hash.ts'
import { describedSource, frameStrangersText, serverSource } from '../../untrusted/strangers-text.ts'
import { withinTime } from '../../lib/timing.ts'
import type { ToolSpec } from '../../tools/registry/registry.ts'
import { defineTool, type Tool } from '../../tools/registry/tool.ts'
import { findToolsByMeaning } from '../finding/find-tool.ts'
import { servesFolder } from '../servers/project-servers.ts'
import {
  callTool,
  intentOf,
  MCP_TOOLSET,
  namedTools,
  toolsetOf,
  type NamedTool,
  type Parts,
} from './named-tools.ts'
import type { Mcp } from '../open-mcp.ts'
import { useTool } from './use-tool.ts'
import { tellFoundTools, tellServerCall } from '../../tools/tell/tell-others.ts'

const LONGEST_QUERY = 500
/** How long to wait for servers that were never listed while looking for a tool, in ms. */
const LIST_MS = 20_000

/** The tools that reach MCP servers: two that stay the same, and each tool of a server by its own name. */
export function chatTools(parts: Parts): Tool[] {
  const { mcp, found } = parts
  const isDeferred = mcp.ready().length === 0
  // A chat keeps these tools after its last server is gone, for a plain answer and a stable prompt.
  if (isDeferred && !found.any()) return []
  const stable = [findTool(parts), useTool(parts)].map(tool => ({ ...tool, isDeferred }))
  return [...stable, ...namedTools(mcp.usable()).map(tool => serverTool(parts, tool))]
}

function findTool({ mcp, found, encode, whyOff }: Parts): Tool {
  return defineTool({
    name: 'find_tool',
    tell: tellFoundTools,
    says: 'Find tools of connected servers by what they should do.',
    input: z.object({ query: z.string() }),
    toolset: MCP_TOOLSET,
    risk: 'read',
    async intent({ query }, { workspace }) {
      return {
        title: `Find a tool: ${query.slice(0, 60)}`,
        detail: query,
        risk: 'read',
        inWorkspace: true,
        folder: workspace,
      }
    },
    async run({ query: given }, { sessionId, workspace, signal }) {
      const query = given.slice(0, LONGEST_QUERY)
      const failed = await listUnknown(mcp, workspace, signal)
      const tools = namedTools(mcp.usable()).filter(({ called }) => whyOff(sessionId, called) === undefined)
      const exact = tools.filter(({ called, tool }) => [called, tool.name].includes(query.trim()))
      const entries = tools.map(each => ({ each, server: each.server.name, ...each.tool }))
      const fitting = async () => findToolsByMeaning(entries, query, { encode, signal })
      const hits = exact.length > 0 ? exact : (await fitting()).map(({ each }) => each)
      found.add(
        sessionId,
        hits.map(({ called }) => called),
      )
      const quoted = failed.flatMap(({ quotes }) => (quotes === undefined ? [] : [newMark(quotes)]))
      const troubles = failed.map(({ text }) => text)
      if (hits.length === 0)
        return { ok: true, text: [nothingFound(tools), ...troubles].join('\n'), marks: quoted }
      const servers = [...new Set(hits.map(({ server }) => server.name))]
      const framed = servers.map(name =>
        frameStrangersText(
          describedSource(name),
          hits
            .filter(({ server }) => server.name === name)
            .map(
              ({ called, tool }) =>
                `${called}: ${tool.description}\narguments: ${JSON.stringify(tool.schema)}`,
            )
            .join('\n\n'),
        ),
      )
      const lead = `Found ${many(hits.length, 'tool')}. Call one with use_tool: its name, and its arguments.`
      const marks = [...servers.map(name => describedMark(name, tools)), ...quoted]
      return { ok: true, text: [lead, ...framed, ...troubles].join('\n'), marks }
    },
  })
}

/**
 * The mark of a server's tool descriptions. It stays the same as long as the user's agreement does, so that a
 * chat which has read them does not ask again until a tool is added or changes.
 */
const describedMark = (name: string, tools: readonly NamedTool[]): StrangersMark => ({
  ...newMark(describedSource(name)),
  id: `described_${hashOf(tools.flatMap(each => (each.server.name === name ? [each.pin] : [])).toSorted()).slice(0, 24)}`,
})

const nothingFound = (tools: readonly NamedTool[]): string => {
  const servers = [...new Set(tools.map(({ server }) => server.name))]
  return servers.length === 0
    ? 'No connected server has a tool that is on in this chat.'
    : `No tool of ${servers.join(', ')} fits these words. Try other words, such as what the tool acts on.`
}

/** The reason why a server could not be asked. `quotes`: the source of text quoted in it. */
type Unasked = { text: string; quotes?: string }

/** List the servers for this folder that were never listed. Returns the failures. */
async function listUnknown(mcp: Mcp, folder: string, signal: AbortSignal): Promise<Unasked[]> {
  const unknown = mcp.ready().filter(each => mcp.isUnknown(each) && servesFolder(each, folder))
  const failed = new Map(
    unknown.map(({ name }): [string, Unasked] => [name, { text: ' It did not answer in time.' }]),
  )
  const stopped = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const listing = unknown.map(async server => {
    const tools = await mcp.list(server, folder)
    // The reason may quote what the program printed.
    const quotes = serverSource(server.name)
    if (isRefusal(tools))
      failed.set(server.name, { text: `\n${frameStrangersText(quotes, tools.refused)}`, quotes })
    else failed.delete(server.name)
  })
  if (unknown.length > 0) await withinTime(LIST_MS, Promise.race([Promise.all(listing), stopped]))
  return [...failed].map(([name, why]) => ({
    ...why,
    text: `The server ${name} could not be asked.${why.text}`,
  }))
}

/** A single tool of a server by its own name, for prompts that it is pinned to. */
function serverTool({ mcp }: Parts, named: NamedTool): Tool {
  const { server, tool, called, pinned } = named
  return {
    name: called,
    tell: (args, result) => tellServerCall(args, result, called),
    says: tool.description === '' ? `A tool of ${server.name}.` : tool.description,
    input: z.looseObject({}),
    schema: { parameters: { ...tool.schema, type: 'object' }, problemOf: tool.problemOf, mend: tool.mend },
    ownName: tool.name,
    through: { tool: 'use_tool', wrap: args => ({ name: called, arguments: args }) },
    toolset: toolsetOf(server.name),
    risk: 'execute',
    isDeferred: !pinned,
    intent: async (args, { workspace }) => intentOf(named, args, workspace),
    allowAlways: mcp.allowAlways,
    run: (args, context) => callTool(mcp, named, args, context),
  }
}

/**
 * The tools that a local model may call: the offered ones, and for `use_tool`, exactly the tools that the
 * chat may call with it, each with its own arguments.
 */
export function callableSpecs(
  offered: readonly ToolSpec[],
  reachable: readonly Pick<NamedTool, 'called' | 'tool'>[],
): readonly ToolSpec[] {
  const use = offered.find(({ name }) => name === 'use_tool')
  if (!use) return offered
  const each = reachable.map(({ called, tool }) => ({
    ...use,
    parameters: {
      type: 'object',
      properties: { name: { const: called }, arguments: rebased(tool.schema) },
      required: ['name', 'arguments'],
      additionalProperties: false,
    },
  }))
  return [...offered.filter(spec => spec !== use), ...each]
}

/** Move a schema into `properties.arguments`, so that its references still lead to its own parts. */
function rebased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' && item.startsWith('#')
        ? `#/properties/arguments${item.slice(1)}`
        : rebased(item),
    ]),
  )
}
