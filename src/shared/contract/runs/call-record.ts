import { z } from 'zod'
import { WebUse } from '../connections/web.ts'

/**
 * The outcome of one call, as data. `src/shared/words/call-words.ts` writes the text of a card from it; no
 * code parses that text. Absent fields are unknown, or do not apply.
 */
export const CallRecord = z.object({
  /**
   * `stopped` and `not_run`: the call never started. A call stopped while it ran has `ran` and `cutShort`.
   */
  decision: z.enum(['ran', 'denied', 'stopped', 'not_run']),
  /**
   * Who or what decided. `grant`: the user's earlier permission in this chat. `nobody`: the call asks, and
   * nobody could answer.
   */
  by: z.enum(['policy', 'mode', 'rule', 'grant', 'user', 'nobody', 'other_agent']).optional(),
  /** The case of the policy, or the way in which the user allowed the call. */
  how: z
    .enum([
      'own_process',
      'reads_folder',
      'reads_own',
      'delegates',
      'only_reads',
      'confined_read',
      'undoable',
      'trusted_tool',
      'web',
      'once',
      'always',
      'answer',
      'enough_asked',
    ])
    .optional(),
  /** Who answered and where, if not the user in Talaria: “Ada on Telegram”. */
  from: z.string().optional(),
  /** The names of the standing rules that decided. */
  rules: z.array(z.string()).optional(),
  /** The reason for a denial, as given at that time; only for display. */
  why: z.string().optional(),
  /**
   * What the call could do: only read, write to its folder, the same with network, or everything that the
   * user may.
   */
  access: z.enum(['look', 'work', 'network', 'unconfined']).optional(),
  /** The call step that started the call in place of the model, such as the decider. */
  begunBy: z.string().max(64).optional(),
  cutShort: z.literal(true).optional(),
  /** The exit code of its command. Absent for a command that was stopped, and for calls without a command. */
  exitCode: z.int().optional(),
  /** The files that the call wrote, as it named them. */
  files: z.array(z.string()).optional(),
  /** The sources outside this computer that the call used. Their marks are in `marks` of its message. */
  sources: z.array(z.string()).optional(),
  /** The pages that the call found or read on the web. */
  web: WebUse.optional(),
})
export type CallRecord = z.infer<typeof CallRecord>

/** The part of a record that says why a call may run or may not. */
export type CallGround = Pick<CallRecord, 'by' | 'how' | 'rules' | 'why' | 'from'>
