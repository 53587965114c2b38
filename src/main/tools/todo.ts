import { z } from 'zod'
import { readPlan, writePlan, type PlanStep } from '../../shared/plan-steps.ts'
import { defineTool, type ToolResult } from './registry/tool.ts'
import { tellPlan } from './tell/tell-plan.ts'

/** Limits of a plan: how many steps, and the length of a step in characters. */
const MOST_STEPS = 40
const LONGEST_STEP = 300

/** Reads the newest result of a tool on the current path of a chat; undefined if there is none. */
export type LatestResult = (sessionId: string, tool: string) => { text: string } | undefined

/** The name of the tool, by which its results are found again. */
export const TODO = 'todo'

/**
 * The tool that keeps the plan of a turn. The plan is the text of its newest result, so it follows the branch
 * of the chat and needs no table.
 */
export function todoTool(latestResult: LatestResult) {
  return defineTool({
    name: TODO,
    tell: tellPlan,
    says: 'Keep a plan for work of three steps or more: write all steps each time, one a line, marked [ ] open, [>] being done, [x] done or [-] dropped. Without plan, read it.',
    input: z.object({ plan: z.string().optional() }),
    toolset: 'plan',
    risk: 'read',
    async intent({ plan = '' }, { workspace: folder }) {
      const title = plan.trim() === '' ? 'Read the plan' : `Plan: ${progressOf(readPlan(plan))}`
      return { title, detail: plan, risk: 'read', inWorkspace: true, folder }
    },
    async run({ plan = '' }, { sessionId }): Promise<ToolResult> {
      if (plan.trim() === '')
        return { ok: true, text: latestResult(sessionId, TODO)?.text ?? 'There is no plan yet.' }
      const steps = readPlan(plan)
      if (steps.length === 0) return { ok: false, reason: NO_STEPS }
      if (steps.length > MOST_STEPS)
        return {
          ok: false,
          reason: `A plan has at most ${MOST_STEPS} steps, and this one has ${steps.length}.`,
        }
      const long = steps.find(({ text }) => text.length > LONGEST_STEP)
      if (long)
        return {
          ok: false,
          reason: `A step has at most ${LONGEST_STEP} characters: shorten “${long.text.slice(0, 60).toWellFormed()}…”.`,
        }
      return { ok: true, text: writePlan(steps) }
    },
  })
}

const NO_STEPS = 'The plan has no steps. Write one a line, such as “[ ] Read the file”.'

function progressOf(steps: readonly PlanStep[]): string {
  const count = steps.filter(({ state }) => state === 'done').length
  const current = steps.find(({ state }) => state === 'doing')
  const done = `${count} of ${steps.length} done`
  return current ? `${done}, now: ${current.text.slice(0, 80).toWellFormed()}` : done
}
