import { hash } from 'node:crypto'
import { z } from 'zod'
import { hashOf } from '../lib/shown-hash.ts'

/** Maximum length of a line, in characters. A longer line is not read. */
export const MAX_LINE = 1_000_000
/** Length of a row's hash, which is used in paths: enough for a million rows. */
const HASH_LENGTH = 20
const MAX_PROMPT = 200_000
const MAX_CHECK = 10_000

/** One row of a batch. Unknown fields only influence its key. */
const Row = z.looseObject({
  prompt: z
    .string({ error: 'it has no “prompt”' })
    .refine(text => text.trim() !== '', 'its “prompt” is empty')
    .refine(
      text => text.length <= MAX_PROMPT,
      `its “prompt” is longer than ${MAX_PROMPT.toLocaleString('en')} characters`,
    ),
  id: z
    .union([z.string().max(200), z.number()], {
      error: '“id” is neither a text of at most 200 characters nor a number',
    })
    .transform(String)
    .optional(),
  cwd: z
    .string({ error: '“cwd” is not the name of a folder' })
    .min(1, '“cwd” is empty')
    .max(4_096, '“cwd” is too long')
    .optional(),
  check: z
    .string({ error: '“check” is not a command' })
    .refine(text => text.trim() !== '', '“check” is empty')
    .refine(
      text => text.length <= MAX_CHECK,
      `“check” is longer than ${MAX_CHECK.toLocaleString('en')} characters`,
    )
    .optional(),
  model: z
    .string({ error: '“model” is not the id of a model' })
    .min(1, '“model” is empty')
    .max(4_096, '“model” is too long')
    .optional(),
  image: z
    .string({ error: '“image” is not the name of a file' })
    .min(1, '“image” is empty')
    .max(4_096, '“image” is too long')
    .optional(),
})
export type Row = z.infer<typeof Row>

/** A row and the hash of its whole line; or why it cannot be run, as the end of a sentence. */
export type ReadRow = { row: Row; hash: string } | { why: string }

/** Read one line of a file of rows. */
export function readRow(line: string): ReadRow {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return { why: 'it is not JSON' }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { why: 'it is not a JSON object' }
  const read = Row.safeParse(given)
  if (!read.success) return { why: read.error.issues[0]!.message }
  return { row: read.data, hash: hashOf(given).slice(0, HASH_LENGTH) }
}

/** The name of a row in its folder of results: its hash, and its number among equal rows, from 1. */
export const rowKey = (hash: string, ordinal: number): string => `${hash}-${ordinal}`

/** A number from 0 to 1 derived from a text, the same on every computer. */
export const chanceOf = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6) / 2 ** 48

/** Whether a row belongs to a part. Each row belongs to exactly one part. */
export const isInShard = (key: string, shard: { index: number; count: number } | undefined): boolean =>
  shard === undefined || Math.floor(chanceOf(`shard ${key}`) * shard.count) === shard.index - 1
