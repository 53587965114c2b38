import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import type { Intent, Tool, ToolResult } from '../../src/main/tools/registry/tool.ts'
import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'

// For tests: real folders with a workspace, a home and something outside of both, and a way to call tools in
// them.

export type CallOptions = {
  signal?: AbortSignal
  output?: (text: string) => void
  /** Called after the permission and before the run. */
  between?: () => void
  /** How a command was allowed to run, its confiner, its keys, and the limits of the model. */
  how?: Partial<Pick<Parameters<Tool['run']>[1], 'access' | 'confine' | 'keys' | 'contextTokens' | 'offered'>>
}

/** Make the three folders with files in the workspace; they are removed when the test ends. */
export function aWorkspace(files: Record<string, string | Uint8Array> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-tools-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [workspace, home, outside] = ['work', 'home', 'outside'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [workspace, home, outside]) mkdirSync(folder)
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  }
  for (const [name, content] of Object.entries(files)) put(join(workspace, name), content)

  /** Validate, ask for the intent and run, as the loop does. */
  async function call(
    tool: Tool,
    args: Record<string, unknown>,
    { signal = new AbortController().signal, output = () => undefined, between, how }: CallOptions = {},
  ): Promise<ToolResult> {
    const input = validated(tool, args)
    const intent = await tool.intent(input, { workspace, home })
    if (isRefusal(intent)) return { ok: false, reason: intent.refused }
    between?.()
    return tool.run(input, {
      workspace,
      home,
      sessionId: 'chat',
      askedId: 1,
      access: 'unconfined',
      signal,
      output,
      ...how,
    })
  }

  const intent = (tool: Tool, args: Record<string, unknown>): Promise<Intent | Refusal> =>
    tool.intent(validated(tool, args), { workspace, home })

  return { workspace, home, outside, put, call, intent }
}

function validated(tool: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const checked = createRegistry([tool]).validate(tool.name, args)
  if (!checked.ok) throw new Error(checked.reason)
  return checked.value
}

/** The text of a result. */
export const said = (result: ToolResult): string => (result.ok ? result.text : result.reason)
