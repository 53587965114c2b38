import { z } from 'zod'
import { call } from '../../rpc.ts'

const sessionId = z.string().min(1).max(100)
/** SHA-256 of a content in hex; null: no file. */
const content = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable()

/**
 * A file that a chat changed and that is not as the path of the chat left it. Restoring does `change` to it, from the content
 * that it has now to the one that it had. `diff` is null where one of them is no text, and `note` says so. `problem`: why it
 * cannot be restored; then there is nothing else.
 */
export const ChangedFile = z.object({
  path: z.string(),
  /** The path as people read it: relative in the chat's folder. */
  name: z.string(),
  change: z.enum(['write', 'create', 'remove']),
  from: content,
  to: content,
  diff: z.string().nullable(),
  note: z.string(),
  problem: z.string().nullable(),
  /** It is already what it would become; `problem` says so. */
  isAsBefore: z.literal(true).optional(),
  /** Who obeys it without being asked for, so that restoring it needs a yes of its own. */
  obeyedBy: z.string().optional(),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** Where a restored file was taken from and to, as `files.restore` takes it: with both exchanged that undoes it. */
export const FileStep = z.object({ path: z.string().min(1).max(8_192), from: content, to: content })
export type FileStep = z.infer<typeof FileStep>

/** The most calls whose changes are looked at together; a turn makes fewer. */
export const MOST_CALLS = 2_000

/** The files that tools of a chat changed. A copy of the old content is kept before each change. */
export const changedFiles = {
  /**
   * The files that are not as the path of the chat left them. With `calls`: each file that these calls changed, and what taking back
   * exactly that makes of it.
   */
  'files.changed': call(
    z.object({ sessionId, calls: z.array(z.string().min(1).max(200)).min(1).max(MOST_CALLS).optional() }),
    z.object({ files: z.array(ChangedFile) }),
  ),
  /**
   * Restore files that nobody changed since. What is replaced is kept, too. `busy` while the chat is being answered. `obeyed`: the
   * person said yes to those that programs obey; without it they stay.
   */
  'files.restore': call(
    z.object({ sessionId, files: z.array(FileStep).min(1).max(500), obeyed: z.boolean().default(false) }),
    z.object({
      restored: z.array(FileStep.extend({ name: z.string() })),
      failed: z.array(z.object({ name: z.string(), why: z.string() })),
    }),
  ),
}
