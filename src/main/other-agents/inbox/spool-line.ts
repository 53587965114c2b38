import { z } from 'zod'
import { LearningEvent } from '../../../shared/contract/learning.ts'

/**
 * One line that a script of ours inside another program appends to `<home>/inbox/<agent>/<session>.jsonl`: an event without its session,
 * which the name of the file tells. `id` is made of what the program itself names (a call, a prompt), so that the same event has it
 * again when it comes a second time.
 */
const SpoolLine = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(200),
  at: z.number(),
  /** The folder that the program works in. */
  cwd: z.string().max(4_096).default(''),
  model: z.string().max(200).default(''),
  /** A LearningEvent without `session` and `at`. */
  event: z.record(z.string(), z.unknown()),
})

/** What a line says, for a session; or why it is none. */
export function readSpoolLine(
  session: string,
  line: string,
): { id: string; folder: string; model: string; event: LearningEvent } | { refused: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { refused: 'it is not JSON' }
  }
  const read = SpoolLine.safeParse(value)
  if (!read.success) return { refused: read.error.issues[0]!.message }
  const { id, at, cwd, model } = read.data
  const event = LearningEvent.safeParse({ ...read.data.event, session, at })
  return event.success
    ? { id, folder: cwd, model, event: event.data }
    : { refused: event.error.issues[0]!.message }
}
