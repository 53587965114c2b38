import type { ToolCall } from '../../shared/contract/messages.ts'
import type { ToolResult } from './tool.ts'

export const createCap =
  (_home: string, limits: { result_limit: number; error_limit: number }) =>
  async (_call: ToolCall, result: ToolResult, contextTokens: number): Promise<ToolResult> => {
    const limit = Math.min(limits.result_limit, Math.floor(contextTokens * 0.35 * 3))
    return result.ok ? { ok: true, text: result.text.slice(0, limit) } : { ok: false, reason: result.reason.slice(0, limits.error_limit) }
  }
