import { many } from '../../shared/amounts.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isRefusal, parseJson, type Refusal } from '../lib/expected-errors.ts'
import type { StrangersMark } from '../../shared/contract/messages.ts'
import { newMark } from '../lib/marks.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { nearNames } from '../lib/similarity.ts'
import { describedSource, frameStrangersText, serverSource } from '../lib/strangers-text.ts'
import { withinTime } from '../lib/timing.ts'
import type { ToolSpec } from '../tools/registry.ts'
import { defineTool, type Intent, type Tool, type ToolContext, type ToolResult } from '../tools/tool.ts'
import { findToolsByMeaning, type Encode } from './find-tool.ts'
import { isRecord } from './judge-tools.ts'
import { servesFolder } from './project-servers.ts'
import type { Mcp, UsableTool } from './open-mcp.ts'
import { tellFoundTools, tellServerCall } from '../tools/tell/tell-others.ts'

/** The toolset of `find_tool` and `use_tool`, and the one of a server. */
export const MCP_TOOLSET = 'mcp'
export const toolsetOf = (server: string): string => `${MCP_TOOLSET}-${server}`

/** What a chat found, newest first; it stays with the chat. */
export type FoundTools = {
  of(sessionId: string): readonly string[]
  add(sessionId: string, tools: readonly string[]): void
  /** Whether any chat found something. */
  any(): boolean
}

type Parts = {
  mcp: Mcp
  found: FoundTools
  encode: Encode
  /** Why a tool is off in a chat, in words for the model; undefined when it is on. */
  whyOff(sessionId: string, tool: string): string | undefined
}

/** A tool with the name that models know it by. */
type NamedTool = UsableTool & { called: string }

/** Most APIs take no longer names of tools. */
const LONGEST_NAME = 64
const LONGEST_QUERY = 500
/** Time for servers that were never listed to start while a tool is looked for, in ms. */
const LIST_MS = 20_000

/** The tools that may be called, each under a different name that every server of models accepts. */
export function namedTools(usable: readonly UsableTool[]): NamedTool[] {
  const taken = new Set<string>()
  return usable.map(each => {
    const { server, tool } = each
    const plain = `mcp__${server.name}__${tool.name}`
    const cleaned = plain.replaceAll(/[^\w-]/g, '_')
    const digest = createHash('sha256').update(plain).digest('hex').slice(0, 6)
    const fits = cleaned === plain && cleaned.length <= LONGEST_NAME && !taken.has(cleaned)
    const called = fits ? cleaned : `${cleaned.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`
    taken.add(called)
    return { ...each, called }
  })
}

/** The tools by which chats reach MCP servers: two that stay the same, and each tool of a server by its own name. */
export function chatTools(parts: Parts): Tool[] {
  const { mcp, found } = parts
  const isDeferred = mcp.ready().length === 0
  // A chat that knows them keeps them after its last server went, for a plain answer and an unchanged prompt.
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
 * The mark of what a server says of its tools. It is the same as long as the person's agreement is: who has read it once in a chat is
 * not asked about it again, until a tool comes or changes.
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

/** A server that could not be asked, in words; `quotes`: whose text they hold. */
type Unasked = { text: string; quotes?: string }

/** List the servers that were never listed, of those for this folder. Returns what failed. */
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
    // It may quote what the program printed.
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

function useTool(parts: Parts): Tool {
  const { mcp, found, whyOff } = parts

  /** The tool that a call means, if the chat may use it. */
  function wanted(name: string, sessionId = ''): NamedTool | Refusal {
    const tools = namedTools(mcp.usable())
    const tool = tools.find(each => each.called === name)
    const known = found.of(sessionId)
    if (!tool) {
      const near = nearNames(name, known, 1)[0]
      const said = near === undefined ? 'Look for it with find_tool first.' : `Did you mean ${near}?`
      const gone = known.includes(name) ? 'It was changed, switched off or removed since you found it.' : said
      return { refused: `There is no tool ${name.slice(0, 100)}. ${gone}` }
    }
    const off = whyOff(sessionId, name)
    if (off !== undefined) return { refused: off }
    return tool.pinned || known.includes(name)
      ? tool
      : { refused: `Look for ${name} with find_tool first, to see its arguments.` }
  }

  return {
    name: 'use_tool',
    tell: tellServerCall,
    says: 'Call a tool that find_tool found.',
    input: z.looseObject({}),
    schema: { parameters: USE_TOOL, problemOf: given => (isRecord(given) ? problemOfUse(given) : NO_NAME) },
    toolset: MCP_TOOLSET,
    risk: 'execute',
    async intent(given, { workspace, sessionId }) {
      const { name, args } = readUse(given)
      const tool = wanted(name, sessionId)
      if (isRefusal(tool)) return tool
      const problem = tool.tool.problemOf(args)
      if (problem !== undefined) return { refused: `${problem} The server was not called.` }
      return intentOf(tool, args, workspace)
    },
    allowAlways: mcp.allowAlways,
    async run(given, context) {
      const { name, args } = readUse(given)
      const tool = wanted(name, context.sessionId)
      return isRefusal(tool) ? { ok: false, reason: tool.refused } : callTool(mcp, tool, args, context)
    },
  }
}

const USE_TOOL = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object' } },
  required: ['name'],
}
const NO_NAME = '`name` is missing: the name of a tool that find_tool found.'

/** Models write the arguments as an object, as a text that is one, or leave them out. */
function readUse({ name, arguments: given = {} }: Record<string, unknown>) {
  const args = typeof given === 'string' ? parseJson(given) : given
  return { name: String(name), args: args as Record<string, unknown> }
}

function problemOfUse(given: Record<string, unknown>): string | undefined {
  if (typeof given['name'] !== 'string') return NO_NAME
  return isRecord(readUse(given).args) ? undefined : '`arguments` must be an object.'
}

/** One tool of a server by its own name, for prompts that it is pinned to. */
function serverTool({ mcp }: Parts, named: NamedTool): Tool {
  const { server, tool, called, pinned } = named
  return {
    name: called,
    tell: (args, result) => tellServerCall(args, result, called),
    says: tool.description === '' ? `A tool of ${server.name}.` : tool.description,
    input: z.looseObject({}),
    schema: { parameters: tool.schema, problemOf: tool.problemOf },
    toolset: toolsetOf(server.name),
    risk: 'execute',
    isDeferred: !pinned,
    intent: async (args, { workspace }) => intentOf(named, args, workspace),
    allowAlways: mcp.allowAlways,
    run: (args, context) => callTool(mcp, named, args, context),
  }
}

function intentOf(
  { server, tool, called, pin, unasked }: NamedTool,
  args: object,
  workspace: string,
): Intent {
  const shown = `${tool.name} of ${server.name}`
  return {
    title: `Use ${shown}`,
    detail: JSON.stringify(args, null, 2),
    risk: 'execute',
    inWorkspace: false,
    folder: workspace,
    mcp: {
      name: called,
      source: serverSource(server.name),
      pin,
      shown,
      unasked,
    },
  }
}

/** Call it, and hand on what came back as text of a stranger, also what the server said when it failed. */
async function callTool(
  mcp: Mcp,
  { server, tool }: NamedTool,
  args: Record<string, unknown>,
  { signal, output, workspace: folder }: ToolContext,
): Promise<ToolResult> {
  const result = await mcp.call({ server, tool }, args, {
    signal,
    folder,
    onProgress: text => output(`${text}\n`),
  })
  const source = serverSource(server.name)
  const framed = (text: string) => frameStrangersText(source, text)
  const marks = [newMark(source)]
  // What it did to files is said by us.
  const notes = mcp.takeObeyed(server.name, folder).map(note => `\n[The server ${server.name}: ${note}]`)
  if (!result.ok) {
    if (result.said === undefined) return { ok: false, reason: result.reason + notes.join('') }
    const reason = [framed(result.said), result.reason].filter(text => text !== '').join('\n')
    return { ok: false, reason: reason + notes.join(''), marks }
  }
  const text = framed(result.text) + notes.join('')
  return result.isError ? { ok: false, reason: text, marks } : { ok: true, text, marks }
}

/**
 * What calls of a local model must fit: the offered tools, but for `use_tool` exactly the tools that the chat may call by it,
 * each with its own arguments.
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

/** A schema whose references still lead to its own parts inside `properties.arguments`. */
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
