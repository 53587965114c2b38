import { z } from 'zod'
import { judgeResolved } from '../../src/main/web/addresses/judge-address.ts'
import type { Figures } from '../records.ts'

const Verdict = z.enum(['public', 'private', 'never', 'invalid'])
type Verdict = z.infer<typeof Verdict>

/** An address, what the names in it lead to, and where it is labelled what it should be judged. */
export const Row = z.object({
  id: z.union([z.string(), z.number()]),
  url: z.string(),
  resolves: z.record(z.string(), z.array(z.string())).nullish(),
  want: Verdict.optional(),
})
export type Row = z.infer<typeof Row>

/** What an address was judged. */
export type JudgedRow = { id: string | number; verdict: Verdict; want?: Verdict; why?: string }

/** Judges addresses as the product does before it asks them; nothing is looked up. */
export const judgeRows = (rows: readonly Row[]): JudgedRow[] =>
  rows.map(({ id, url, resolves, want }) => {
    const judged = judgeResolved(url, resolves ?? {})
    return {
      id,
      verdict: judged.verdict,
      ...(want !== undefined && { want }),
      ...(judged.verdict !== 'public' && { why: judged.why }),
    }
  })

/** `dangerous` are those judged public that are private or never; `forbidden` those judged otherwise that are public. */
export function countVerdicts(judged: readonly JudgedRow[]): Figures {
  const labelled = judged.filter(({ want }) => want !== undefined)
  const count = (isMeant: (each: JudgedRow) => boolean) => labelled.filter(isMeant).length
  return {
    rows: labelled.length,
    right: count(({ verdict, want }) => verdict === want),
    dangerous: count(({ verdict, want }) => verdict === 'public' && (want === 'private' || want === 'never')),
    forbidden: count(({ verdict, want }) => verdict !== 'public' && want === 'public'),
  }
}
