import { z } from 'zod'
import { parseJson, type Refusal } from '../../src/main/lib/expected-errors.ts'

/** The number of checks of the original's behaviour. */
export const CHECKS = 180
/** The most checks about things that we do not have. More would hide what is missing. */
const MOST_NOT_APPLICABLE = 15

const common = { n: z.int().min(1).max(CHECKS), check: z.string().min(1) }
/** Tests as `file > group > title`, all of which must pass. */
const tests = z.array(z.string().regex(/^\S+\.test\.ts > ./)).min(1)
const reason = z.string().regex(/\.$/)

/**
 * Something that does not exist: a path, an origin of chats, a call of the contract, or a word in the code
 * below a path.
 */
const Absent = z.union([
  z.strictObject({ path: z.string().min(1) }),
  z.strictObject({ origin: z.string().min(1) }),
  z.strictObject({ call: z.string().min(1) }),
  z.strictObject({ word: z.string().min(3), in: z.string().min(1) }),
])
export type Absent = z.infer<typeof Absent>

/**
 * One check: what the original does, in our own words; our verdict about Talaria; and the tests that prove
 * it. `better` says why, `notApplicable` why the check has no meaning here and what does not exist, and
 * `fails` what is missing and where it would go.
 */
const Check = z.discriminatedUnion('verdict', [
  z.strictObject({ ...common, verdict: z.literal('holds'), tests, reason: reason.optional() }),
  z.strictObject({ ...common, verdict: z.literal('better'), tests, reason }),
  z.strictObject({ ...common, verdict: z.literal('notApplicable'), absent: z.array(Absent).min(1), reason }),
  z.strictObject({ ...common, verdict: z.literal('fails'), reason }),
])
export type Check = z.infer<typeof Check>

/** Read the table, one check in each line. Every check must be there once, in order. */
export function readChecks(text: string): readonly Check[] | Refusal {
  const checks: Check[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = Check.safeParse(parseJson(line))
    if (!read.success)
      return { refused: `Line ${at + 1} is no check: ${line}\n${z.prettifyError(read.error)}` }
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
  ...new Set(checks.flatMap(check => ('tests' in check ? check.tests : []))),
]
