import { z } from 'zod'
import { isRefusal, parseJson, type Refusal } from '../../lib/expected-errors.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import type { Tool } from '../../tools/registry/tool.ts'
import { tellServerCall } from '../../tools/tell/tell-others.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { callTool, intentOf, MCP_TOOLSET, namedTools, type NamedTool, type Parts } from './named-tools.ts'

/** Keys under which models give a tool's name or arguments. The first of each is the documented one. */
const NAMES = ['name', 'tool_name', 'tool']
const ARGUMENTS = ['arguments', 'args', 'parameters', 'params', 'input']

/** The tool that calls tools found by `find_tool`. */
export function useTool(parts: Parts): Tool {
  const { mcp, found, whyOff } = parts

  /** Find the tool that a call means, if the chat may use it. */
  function wanted(name: string, sessionId = ''): NamedTool | Refusal {
    const tools = namedTools(mcp.usable())
    const known = found.of(sessionId)
    const isKnown = ({ pinned, called }: NamedTool) => pinned || known.includes(called)
    const meant = tools.filter(each => each.called === name)
    const own = meant.length > 0 ? meant : tools.filter(each => namesOf(each).includes(name))
    const reachable = own.filter(isKnown)
    const [tool, ...others] = reachable.length > 0 ? reachable : own
    if (!tool) {
      const near = nearNames(name, known, 1)[0]
      const said = near === undefined ? 'Look for it with find_tool first.' : `Did you mean ${near}?`
      const gone = known.includes(name) ? 'It was changed, switched off or removed since you found it.' : said
      return { refused: `There is no tool ${name.slice(0, 100)}. ${gone}` }
    }
    if (others.length > 0)
      return {
        refused: `Several tools have this name: ${reachable.length > 0 ? list(reachable) : list(own)}.`,
      }
    const off = whyOff(sessionId, tool.called)
    if (off !== undefined) return { refused: off }
    return isKnown(tool)
      ? tool
      : { refused: `Look for ${tool.called} with find_tool first, to see its arguments.` }
  }

  /** Read a call into a tool and arguments in the required form, the same for the question and the call. */
  function read(given: Record<string, unknown>, sessionId?: string) {
    const tool = wanted(nameIn(given) ?? '', sessionId)
    if (isRefusal(tool)) return tool
    const args = argumentsFor(tool, given)
    return isRefusal(args) ? args : { tool, args: tool.tool.mend(args) }
  }

  return {
    name: 'use_tool',
    tell: tellServerCall,
    says: 'Call a tool that find_tool found.',
    input: z.looseObject({}),
    schema: {
      parameters: USE_TOOL,
      problemOf: given => (isRecord(given) && nameIn(given) !== undefined ? undefined : NO_NAME),
    },
    toolset: MCP_TOOLSET,
    risk: 'execute',
    async intent(given, { workspace, sessionId }) {
      const use = read(given, sessionId)
      if (isRefusal(use)) return use
      const problem = use.tool.tool.problemOf(use.args)
      if (problem !== undefined) return { refused: `${problem} The server was not called.` }
      return intentOf(use.tool, use.args, workspace)
    },
    allowAlways: mcp.allowAlways,
    async run(given, context) {
      const use = read(given, context.sessionId)
      return isRefusal(use) ? { ok: false, reason: use.refused } : callTool(mcp, use.tool, use.args, context)
    },
  }
}

const USE_TOOL = {
  type: 'object',
  properties: { name: { type: 'string' }, arguments: { type: 'object' } },
  required: ['name'],
}
const NO_NAME = '`name` is missing: the name of a tool that find_tool found.'
const list = (tools: readonly NamedTool[]) => tools.map(({ called }) => called).join(', ')

/** Names by which a model may know a tool, with or without its server. */
const namesOf = ({ server, tool }: NamedTool): string[] => [
  tool.name,
  tool.sent,
  ...['__', '.', '/', ':'].map(sign => `${server.name}${sign}${tool.name}`),
]

function nameIn(given: Record<string, unknown>): string | undefined {
  const name = NAMES.map(key => given[key]).find(each => typeof each === 'string' && each.trim() !== '')
  return typeof name === 'string' ? name.trim() : undefined
}

/**
 * Read the arguments of a call. Models write them as an object, as JSON text, next to the name, or leave them
 * out. Keys next to the name belong to the arguments if the tool takes them. Nothing is dropped silently.
 */
function argumentsFor(
  { called, tool }: NamedTool,
  given: Record<string, unknown>,
): Record<string, unknown> | Refusal {
  const { properties } = tool.schema
  const isOwn = (key: string) => isRecord(properties) && Object.hasOwn(properties, key)
  const nameKey = NAMES.find(key => typeof given[key] === 'string')
  const place = ARGUMENTS.find(key => key in given && (key === 'arguments' || !isOwn(key)))
  const written = place === undefined ? undefined : given[place]
  const inside = (typeof written === 'string' && written.trim() !== '' ? parseJson(written) : written) || {}
  if (!isRecord(inside))
    return { refused: `\`arguments\` of ${called} must be an object. The server was not called.` }
  const args = { ...inside }
  for (const [key, value] of Object.entries(given)) {
    if (key === nameKey || key === place) continue
    const isTaken = isOwn(key) || !isRecord(properties)
    if (!isTaken || (Object.hasOwn(args, key) && JSON.stringify(args[key]) !== JSON.stringify(value)))
      return {
        refused: `\`${key.slice(0, 60)}\` stands beside \`arguments\`, and ${isTaken ? 'is in them too, with another value' : `${called} takes no such argument`}. All arguments go into \`arguments\`. The server was not called.`,
      }
    args[key] = value
  }
  return args
}
