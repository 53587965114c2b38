import { z } from 'zod'
import { judgeResolved } from '../../src/main/web/addresses/judge-address.ts'
import type { Figures } from '../records.ts'

const Verdict = z.enum(['public', 'private', 'never', 'invalid'])
type Verdict = z.infer<typeof Verdict>

/** An address, what its names resolve to, and the right verdict if it is labelled. */
export const Row = z.object({
  id: z.union([z.string(), z.number()]),
  url: z.string(),
  resolves: z.record(z.string(), z.array(z.string())).nullish(),
  want: Verdict.optional(),
})
export type Row = z.infer<typeof Row>

/** An address with its verdict. */
export type JudgedRow = { id: string | number; verdict: Verdict; want?: Verdict; why?: string }

/** Judge addresses as the product does before a request. Nothing is looked up. */
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

/** `dangerous`: private or never allowed, but judged public. `forbidden`: public, but judged otherwise. */
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
