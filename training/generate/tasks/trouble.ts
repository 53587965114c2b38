import type { Talk } from '../talk.ts'

/** What a person says with a no. */
const NOTES = [
  'not now',
  'later',
  'wrong folder',
  'I changed my mind',
  'no',
  'leave it',
  'use another name',
  'too risky',
  'ask me tomorrow',
  'keep it',
]
const PLAIN = 'The user denied this call. Do not try it again in another way; go on without it or ask.'
const NOBODY =
  'Denied: It needs permission, and nobody is here to give it. It changes a file. To allow it, run in the window, or start with --approve reads or --approve all.'
const LATE = 'Not allowed to run: Nobody answered within 30 minutes.'

/** Now and then a person, or the lack of one, keeps a call from running. The words are those of `agent/run-calls.ts`. */
export function denied(talk: Talk, share = 0.14): { error: string } | undefined {
  const { random } = talk
  if (!random.chance(share)) return undefined
  const kind = random.weighted({ plain: 6, note: 3, nobody: 1, late: 1 })
  if (kind === 'plain') return { error: PLAIN }
  if (kind === 'nobody') return { error: NOBODY }
  if (kind === 'late') return { error: LATE }
  return { error: `The user denied this call and says: “${random.pick(NOTES)}”` }
}

/** How an answer tells of it. */
export function tellDenied(consequence: string, result: string): string {
  const note = /says: “(.*)”$/.exec(result)?.[1]
  if (note !== undefined) return `You said no (“${note}”), so ${consequence}.`
  return result.includes('The user denied')
    ? `You said no, so ${consequence}.`
    : `It was not allowed, so ${consequence}.`
}
