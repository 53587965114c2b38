import { tellResult } from '../../src/main/tools/tell/tell-result.ts'
import type { Tool, ToolResult } from '../../src/main/tools/registry/tool.ts'
import { said, type aWorkspace } from './a-workspace.ts'

// For tests: the description of a real call for the user.

/** The description of a result, as it would be stored. */
export const toldOf = (tool: Tool, args: Record<string, unknown>, result: ToolResult): string =>
  tellResult(tool, args, { ok: result.ok, text: result.ok ? result.text : `Error: ${said(result)}` })

/** Call a tool in a workspace, and describe the result. */
export async function callAndTell(
  { call }: Pick<ReturnType<typeof aWorkspace>, 'call'>,
  tool: Tool,
  args: Record<string, unknown>,
  options?: Parameters<typeof call>[2],
): Promise<string> {
  return toldOf(tool, args, await call(tool, args, options))
}
