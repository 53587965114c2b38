import { z } from 'zod'
import { WebUse } from '../connections/web.ts'

/**
 * What became of one call, as data; `src/shared/words/call-words.ts` makes the words of a card from it, and nothing reads those words back.
 * Absent fields are not known, or do not apply.
 */
export const CallRecord = z.object({
  /** `stopped` and `not_run`: it never began. What was stopped while it ran has `ran` and `cutShort`. */
  decision: z.enum(['ran', 'denied', 'stopped', 'not_run']),
  /** Who or what decided. `grant`: what the user allowed earlier in this chat. `nobody`: it asks, and nobody could answer. */
  by: z.enum(['policy', 'mode', 'rule', 'grant', 'user', 'nobody', 'other_agent']).optional(),
  /** The case of the policy, or the way in which the user allowed it. */
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
  /** Why it was denied, as it was told then; only to be shown. */
  why: z.string().optional(),
  /** How it could act: reading only, writing in its folder, the same with network, or all that the user may. */
  access: z.enum(['look', 'work', 'network', 'unconfined']).optional(),
  /** The step that began it in place of the model, such as the decider. */
  begunBy: z.string().max(64).optional(),
  cutShort: z.literal(true).optional(),
  /** How its command ended. Absent for one that was ended, and for what ran none. */
  exitCode: z.int().optional(),
  /** The files that it wrote, as the call named them. */
  files: z.array(z.string()).optional(),
  /** The sources outside this computer that it used. Their marks are `marks` of its message. */
  sources: z.array(z.string()).optional(),
  /** What it found or read on the web. */
  web: WebUse.optional(),
})
export type CallRecord = z.infer<typeof CallRecord>

/** The part of a record that says why a call may run or may not. */
export type CallGround = Pick<CallRecord, 'by' | 'how' | 'rules' | 'why' | 'from'>
