import { createHash } from 'node:crypto'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, serverSource } from '../../untrusted/strangers-text.ts'
import type { Intent, ToolContext, ToolResult } from '../../tools/registry/tool.ts'
import type { Encode } from '../finding/find-tool.ts'
import type { Mcp, UsableTool } from '../open-mcp.ts'

/** The toolset of `find_tool` and `use_tool`; the next one is that of a server. */
export const MCP_TOOLSET = 'mcp'
export const toolsetOf = (server: string): string => `${MCP_TOOLSET}-${server}`

/** The tools that each chat has found, newest first. They are stored with the chat. */
export type FoundTools = {
  of(sessionId: string): readonly string[]
  add(sessionId: string, tools: readonly string[]): void
  /** Whether any chat has found a tool. */
  any(): boolean
}

export type Parts = {
  mcp: Mcp
  found: FoundTools
  encode: Encode
  /** The reason why a tool is off in a chat, for the model; undefined if it is on. */
  whyOff(sessionId: string, tool: string): string | undefined
}

/** A tool with its name for models. */
export type NamedTool = UsableTool & { called: string }

/** Maximum length of a tool name in most APIs. */
const LONGEST_NAME = 64
/** The tools that may be called, each with a different name that every model server accepts. */
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

/** Describe what a call would do, for the question to the user. */
export function intentOf(
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

/** Call a tool, and frame its result as a stranger's text, including error messages of the server. */
export async function callTool(
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
  // Notes on changed files are our own text, outside the frame.
  const notes = mcp.takeObeyed(server.name, folder).map(note => `\n[The server ${server.name}: ${note}]`)
  if (!result.ok) {
    if (result.said === undefined) return { ok: false, reason: result.reason + notes.join('') }
    const reason = [framed(result.said), result.reason].filter(text => text !== '').join('\n')
    return { ok: false, reason: reason + notes.join(''), marks }
  }
  const remark = result.unwritten === undefined ? '' : `\n[${result.unwritten}]`
  const text = framed(result.text) + remark + notes.join('')
  const pictures = result.files.filter(path => /\.(png|jpe?g|gif|webp|bin)$/.test(path))
  return result.isError
    ? { ok: false, reason: text, marks }
    : { ok: true, text, marks, ...(pictures.length > 0 && { pictures }) }
}
