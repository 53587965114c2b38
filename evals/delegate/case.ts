import { z } from 'zod'
import { Decision } from '../../src/shared/contract/runs/run.ts'
import { ApprovalMode } from '../../src/shared/contract/chats/session.ts'

/** What a scripted model says: words, or a list of words, calls, failures and silence. */
const Said = z.union([
  z.string(),
  z.strictObject({ fail: z.string() }),
  z.strictObject({ hang: z.literal(true) }),
  z.looseObject({ call: z.string() }),
])
export type Said = z.infer<typeof Said>

const Facts = z.strictObject({
  end: z.enum(['done', 'stopped', 'budget_exhausted', 'tool_calls_invalid', 'failed', 'unknown']),
  ok: z.boolean(),
  files: z.array(z.string()).optional(),
  /** Commands, each with how it ended. */
  commands: z.array(z.tuple([z.string(), z.string()])).optional(),
  denied: z.array(z.string()).optional(),
  failed: z.number().optional(),
  steps: z.number().optional(),
  form: z.boolean().optional(),
  error: z.string().optional(),
  summary: z.string().optional(),
})
/** The facts that the result must name. Absent ones are not checked. */
export type Facts = z.infer<typeof Facts>

/** One case: what each sub-agent's model says and does, and the facts that the result must name for each. */
export const Case = z.strictObject({
  id: z.string(),
  agents: z.array(z.strictObject({ says: z.array(z.union([z.string(), z.array(Said)])) })).min(1),
  facts: z.array(Facts).min(1),
  before: z.array(Said).optional(),
  after_chat: z.array(Said).optional(),
  mode: ApprovalMode.optional(),
  answer: Decision.optional(),
  expect: z.record(z.string(), z.unknown()).optional(),
  pool: z.number().optional(),
  tokens: z.number().optional(),
  places: z.number().optional(),
  /** Stop all, the only one, or the first one, after this many of its replies. */
  stop: z.enum(['all', 'one', 'first']).optional(),
  after: z.number().optional(),
  words: z.boolean().optional(),
  /** Who changed the file that the chat may then not write. */
  refused: z.string().optional(),
})
export type Case = z.infer<typeof Case>
