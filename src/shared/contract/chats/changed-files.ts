import { z } from 'zod'
import { call } from '../../rpc.ts'

const sessionId = z.string().min(1).max(100)
/** SHA-256 of a content in hex; null: no file. */
const content = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable()

/**
 * A file that a chat changed and that now differs from what the path of the chat left. Restoring applies
 * `change`, from the content it has now to the content it had. `diff` is null if one of them is not text, and
 * `note` says so. `problem`: why it cannot be restored; then `diff`, `from` and `to` are null.
 */
export const ChangedFile = z.object({
  path: z.string(),
  /** The path to show: relative to the chat's folder if it is inside. */
  name: z.string(),
  change: z.enum(['write', 'create', 'remove']),
  from: content,
  to: content,
  diff: z.string().nullable(),
  note: z.string(),
  problem: z.string().nullable(),
  /** The file already has the content to restore; `problem` says so. */
  isAsBefore: z.literal(true).optional(),
  /** The program that obeys this file without being asked, so that restoring it needs a separate yes. */
  obeyedBy: z.string().optional(),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/**
 * A restored file with its content before and after, as `files.restore` takes it. Swapping the two undoes the
 * restore.
 */
export const FileStep = z.object({ path: z.string().min(1).max(8_192), from: content, to: content })
export type FileStep = z.infer<typeof FileStep>

/** Maximum number of calls whose changes are read together; a turn makes fewer. */
export const MOST_CALLS = 2_000

/** The files that tools of a chat changed. A copy of the old content is kept before each change. */
export const changedFiles = {
  /**
   * The files that differ from what the path of the chat left. With `calls`: each file that these calls
   * changed, and the result of undoing exactly those changes.
   */
  'files.changed': call(
    z.object({ sessionId, calls: z.array(z.string().min(1).max(200)).min(1).max(MOST_CALLS).optional() }),
    z.object({ files: z.array(ChangedFile) }),
  ),
  /**
   * Restore files that have not changed since they were shown. The replaced content is kept, too. Throws
   * `busy` while the chat is being answered. `obeyed`: the user agreed to restore files that programs obey;
   * otherwise those stay.
   */
  'files.restore': call(
    z.object({ sessionId, files: z.array(FileStep).min(1).max(500), obeyed: z.boolean().default(false) }),
    z.object({
      restored: z.array(FileStep.extend({ name: z.string() })),
      failed: z.array(z.object({ name: z.string(), why: z.string() })),
    }),
  ),
}
