import { z } from 'zod'
import { Attempt } from './obeyed/try-attempts.ts'
import { parseJson } from '../../src/main/lib/expected-errors.ts'

const File = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ link: z.string().min(1) }),
  z.strictObject({ dir: z.literal(true) }),
  z.strictObject({ exec: z.literal(true), text: z.string() }),
])

const inside = (path: string) => !path.startsWith('/') && !path.split('/').includes('..')

/** A command in a mode, with the files of its folder. `sandbox` is off unless said. */
const Row = z.object({
  id: z.union([z.string(), z.number()]),
  mode: z.enum(['none', 'ask', 'reads', 'full']),
  command: z.string().min(1).max(40_000),
  cwd: z.string().refine(inside, 'leaves the folder').default('.'),
  files: z
    .record(z.string().min(1), File)
    .refine(files => Object.keys(files).every(inside), 'a path leaves the folder')
    .default({}),
  sandbox: z.enum(['on', 'off']).default('off'),
  /** The chat has read the text of a stranger. */
  marked: z.boolean().default(false),
  /** The offline lock is on. */
  offline: z.boolean().default(false),
})
export type Row = z.infer<typeof Row>

/** A text as a card shows it to a person. */
const DisplayRow = z.object({ id: Row.shape.id, kind: z.literal('display'), text: z.string().max(1_000_000) })
export type DisplayRow = z.infer<typeof DisplayRow>

/** A row of a file, or its id with what is wrong with it. */
export function readRow(line: string): Row | DisplayRow | Attempt | { id: unknown; error: string } {
  const given = parseJson(line)
  const kind = typeof given === 'object' && given !== null && 'kind' in given ? given.kind : undefined
  const read = (kind === 'obeyed' ? Attempt : kind === undefined ? Row : DisplayRow).safeParse(given)
  if (read.success) return read.data
  const { id = null } = typeof given === 'object' && given !== null && 'id' in given ? given : {}
  const [issue] = read.error.issues
  return { id, error: issue ? `${issue.path.join('.') || 'row'}: ${issue.message}` : 'The row is not JSON.' }
}
