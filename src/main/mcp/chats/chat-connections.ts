import { unsafeReason } from '../../untrusted/unsafe-text.ts'
import type { ToolSpec } from '../../tools/registry/registry.ts'
import type { ToolsetEntry } from '../../tools/registry/toolsets.ts'
import { callableSpecs } from './chat-tools.ts'
import { MCP_TOOLSET, namedTools, toolsetOf, type FoundTools } from './named-tools.ts'
import { withoutHidden } from '../judge-tools.ts'
import type { Mcp } from '../open-mcp.ts'
import { servesFolder } from '../servers/project-servers.ts'

type Parts = {
  mcp: Mcp
  found: FoundTools
  whyOff(sessionId: string, tool: string): string | undefined
  /** The folder of a chat. */
  folderOf(sessionId: string): string | undefined
}

const LONGEST_LINE = 120
/** Maximum length of the list of tool names that replaces a missing description of a server. */
const LONGEST_NAMES = 50

/** Create the texts about servers for prompts and grammars. */
export function chatConnections({ mcp, found, whyOff, folderOf }: Parts) {
  /** The last result, kept because the engine compiles a new grammar for every other list. */
  let last: { offered: readonly ToolSpec[]; names: string; specs: readonly ToolSpec[] } | undefined

  return {
    /** The prompt section about servers, and about tools that this chat has found before. */
    section(id: string): string {
      const tools = namedTools(mcp.usable()).filter(({ called }) => whyOff(id, called) === undefined)
      const servers = mcp
        .ready()
        .filter(server => servesFolder(server, folderOf(id)))
        .filter(server => mcp.isUnknown(server) || tools.some(each => each.server.name === server.name))
      if (servers.length === 0) return ''
      const lines = servers.map(({ name, description }) => {
        const own = tools.filter(each => each.server.name === name).map(({ tool }) => tool.name)
        return lineOf(name, description === '' ? firstOf(own) : description)
      })
      const before = found
        .of(id)
        .flatMap(name => tools.find(({ called }) => called === name) ?? [])
        .map(({ called, tool }) => lineOf(`${called}(${argumentsOf(tool.schema)})`, tool.description))
      return [
        '## Connections',
        'Servers with more tools: find_tool, then use_tool.',
        ...lines,
        ...(before.length > 0 ? ['Found before in this chat:', ...before] : []),
      ].join('\n')
    },
    /** The tools that calls may use, given the offered ones. */
    callable(sessionId: string, offered: readonly ToolSpec[]): readonly ToolSpec[] {
      if (!offered.some(({ name }) => name === 'use_tool')) return offered
      const known = new Set(found.of(sessionId))
      const reachable = namedTools(mcp.usable()).filter(
        ({ called, pinned }) => (pinned || known.has(called)) && whyOff(sessionId, called) === undefined,
      )
      const names = reachable.map(({ called, tool }) => called + tool.hash).join()
      if (last?.offered === offered && last.names === names) return last.specs
      const specs = callableSpecs(offered, reachable)
      last = { offered, names, specs }
      return specs
    },
  }
}

function lineOf(name: string, given: string): string {
  const text = withoutHidden(given).replaceAll(/\s+/g, ' ').trim()
  const said = text === '' || unsafeReason(text) !== undefined ? '' : `: ${text}`
  return `- ${name}${said}`.slice(0, LONGEST_LINE).toWellFormed().trimEnd()
}

/** The first names that fit. */
function firstOf(names: readonly string[]): string {
  const text = names.join(', ')
  return text.length <= LONGEST_NAMES ? text : `${text.slice(0, text.lastIndexOf(', ', LONGEST_NAMES))} …`
}

/** The arguments of a tool, such as `path, head?`. */
function argumentsOf({ properties, required }: Record<string, unknown>): string {
  const needed = Array.isArray(required) ? required : []
  return Object.keys(properties ?? {})
    .slice(0, 8)
    .map(name => (needed.includes(name) ? name : `${name}?`))
    .join(', ')
}

/** The toolsets of servers. The one of `find_tool` and `use_tool` includes all of them. */
export function mcpToolsets(mcp: Pick<Mcp, 'ready'>, found: Pick<FoundTools, 'any'>): ToolsetEntry[] {
  const servers = mcp.ready()
  if (servers.length === 0) return []
  const entries = servers.map(({ name, description, project }): ToolsetEntry => ({
    name: toolsetOf(name),
    ...(project !== undefined && { isFor: folder => folder === project }),
    title: name,
    says: description === '' ? `Tools of the MCP server ${name}.` : description,
    fromTokens: 0,
  }))
  const all: ToolsetEntry = {
    name: MCP_TOOLSET,
    title: 'Connections',
    says: 'Finds and calls tools of MCP servers.',
    fromTokens: 0,
    includes: entries.map(({ name }) => name),
    isFor: folder => found.any() || servers.some(server => servesFolder(server, folder)),
  }
  return [all, ...entries]
}
