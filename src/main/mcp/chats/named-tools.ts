import { createHash } from 'node:crypto'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, serverSource } from '../../untrusted/strangers-text.ts'
import type { Intent, ToolContext, ToolResult } from '../../tools/registry/tool.ts'
import type { Encode } from '../finding/find-tool.ts'
import type { Mcp, UsableTool } from '../open-mcp.ts'

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

export type Parts = {
  mcp: Mcp
  found: FoundTools
  encode: Encode
  /** Why a tool is off in a chat, in words for the model; undefined when it is on. */
  whyOff(sessionId: string, tool: string): string | undefined
}

/** A tool with the name that models know it by. */
export type NamedTool = UsableTool & { called: string }

/** Most APIs take no longer names of tools. */
const LONGEST_NAME = 64
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

/** What a call would do, as the person is asked. */
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

/** Call it, and hand on what came back as text of a stranger, also what the server said when it failed. */
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
  // What it did to files is said by us.
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
