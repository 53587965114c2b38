import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { defineTool, type Tool } from '../tools/registry/tool.ts'
import { findKind } from './agent-kinds.ts'
import type { Delegation } from './open-delegation.ts'
import { tellDelegation } from '../tools/tell/tell-others.ts'

const LONGEST_GOAL = 20_000

/**
 * The tool that gives a task to a sub-agent. It changes nothing itself, and the calls of the sub-agent ask
 * one by one. So several calls in one reply run side by side, like reads.
 */
export function delegateTool(delegation: Pick<Delegation, 'delegate'>): Tool {
  /** Calls of one reply start in order, although each first reads its kind. */
  let before: Promise<unknown> = Promise.resolve()
  return defineTool({
    name: 'delegate',
    tell: tellDelegation,
    says: 'Give one task to a sub-agent that works alone and reports back. It knows nothing of this chat: say all it needs in goal and context. Several calls in one reply run side by side. Worth it for much reading or independent parts, not for a single step.',
    input: z.object({
      goal: z.string(),
      context: z.string().optional().describe('what it must know: paths, findings, limits'),
      kind: z.string().optional().describe('researcher (reads only), reviewer, or worker, the default'),
      expect: z.record(z.string(), z.unknown()).optional().describe('a JSON Schema of its answer'),
      background: z.boolean().optional().describe('only if the user wants to go on meanwhile'),
    }),
    toolset: 'delegation',
    risk: 'read',
    async intent({ goal, context = '', kind = 'worker' }, { home, workspace: folder }) {
      if (goal.trim() === '') return { refused: 'goal is empty: say what the sub-agent shall reach.' }
      if (goal.length + context.length > LONGEST_GOAL)
        return {
          refused: `goal and context may have ${LONGEST_GOAL} characters together. Put the rest into a file and name it.`,
        }
      const found = await findKind(home, kind)
      if (isRefusal(found)) return found
      const line = goal.replaceAll(/\s+/g, ' ').trim()
      const short = line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line
      return {
        title: `Delegate to a ${found.name}: ${short}`,
        detail: goal,
        risk: 'read',
        inWorkspace: true,
        folder,
        delegates: true,
      }
    },
    async run({ goal, context = '', kind = 'worker', expect, background = false }, call) {
      const finding = before.then(() => findKind(call.home, kind))
      before = finding.catch(() => undefined)
      const found = await finding
      if (isRefusal(found)) return { ok: false, reason: found.refused }
      return delegation.delegate({ goal, context, kind: found, schema: expect, background }, call)
    },
  })
}
