import { z } from 'zod'
import { parseJson, type Refusal } from '../../src/main/lib/expected-errors.ts'

/** How many checks of the original's behaviour there are. */
export const CHECKS = 180
/** Checks of things that we do not have; more would hide what is missing. */
const MOST_NOT_APPLICABLE = 15

const common = { n: z.int().min(1).max(CHECKS), check: z.string().min(1) }
/** A test as `file > group > title`. */
const test = z.string().regex(/^\S+\.test\.ts > ./)
const reason = z.string().regex(/\.$/)

/**
 * One check: what the original does in our own words, what we say about ourselves, and the test that proves it.
 * `better` says why, `notApplicable` why it has no meaning here, and `fails` what is missing and where it would go.
 */
const Check = z.discriminatedUnion('verdict', [
  z.strictObject({ ...common, verdict: z.literal('holds'), test, reason: reason.optional() }),
  z.strictObject({ ...common, verdict: z.literal('better'), test, reason }),
  z.strictObject({ ...common, verdict: z.literal('notApplicable'), reason }),
  z.strictObject({ ...common, verdict: z.literal('fails'), reason }),
])
export type Check = z.infer<typeof Check>

/** Read the table, one check a line. All of them must be there, each once and in order. */
export function readChecks(text: string): readonly Check[] | Refusal {
  const checks: Check[] = []
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const read = Check.safeParse(parseJson(line))
    if (!read.success) return { refused: `Not a check: ${line}\n${z.prettifyError(read.error)}` }
    checks.push(read.data)
  }
  const wrong = checks.find(({ n }, at) => n !== at + 1)
  if (wrong) return { refused: `Check ${wrong.n} stands where check ${checks.indexOf(wrong) + 1} belongs.` }
  if (checks.length !== CHECKS)
    return { refused: `The table has ${checks.length} checks, and there are ${CHECKS}.` }
  const left = checks.filter(({ verdict }) => verdict === 'notApplicable').length
  if (left > MOST_NOT_APPLICABLE)
    return { refused: `${left} checks are not applicable, and at most ${MOST_NOT_APPLICABLE} may be.` }
  return checks
}

/** The tests that the table names, each once. */
export const testsOf = (checks: readonly Check[]): string[] => [
  ...new Set(checks.flatMap(check => ('test' in check ? [check.test] : []))),
]
