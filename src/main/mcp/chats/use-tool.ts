import { z } from 'zod'
import { isRefusal, parseJson, type Refusal } from '../../lib/expected-errors.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import type { Tool } from '../../tools/registry/tool.ts'
import { tellServerCall } from '../../tools/tell/tell-others.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { callTool, intentOf, MCP_TOOLSET, namedTools, type NamedTool, type Parts } from './named-tools.ts'

/** Where models put the name of a tool and its arguments; the first of each is what they are told. */
const NAMES = ['name', 'tool_name', 'tool']
const ARGUMENTS = ['arguments', 'args', 'parameters', 'params', 'input']

/** The tool that calls what `find_tool` found. */
export function useTool(parts: Parts): Tool {
  const { mcp, found, whyOff } = parts

  /** The tool that a call means, if the chat may use it. */
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

  /** The tool with its arguments in the form that it asks for: the question and the call have the same ones. */
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

/** What a tool is called where its server or its own name is known. */
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
 * The arguments of a call. Models write them as an object, as a text that is one, beside the name, or leave them out. What is
 * beside belongs to them if the tool takes it; nothing is dropped in silence.
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
