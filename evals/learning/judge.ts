import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostClient } from '../../src/shared/contract/index.ts'
import type { Proposal } from '../../src/shared/contract/learned/learning.ts'
import { says, type Case } from './case.ts'
import type { Came, Way } from './converse.ts'
import { known, waiting } from './person.ts'

/** What is wrong with the result of the conversation, in words. */
export function judgeReview(
  { expect }: Case,
  way: Way,
  came: Came,
  proposals: Proposal[],
  saved: string[],
): string[] {
  const wrong: string[] = []
  const differ = (what: string, is: unknown, wanted: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted))
      wrong.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`)
  }
  // A file of events ends its sessions, so a review there that no nudge started is for the end of a session.
  const isNudge = expect.trigger?.endsWith('nudge')
  differ('trigger', came.trigger, way === 'chat' || isNudge ? expect.trigger : 'session_end')
  if (expect.kinds && (way === 'chat' || isNudge))
    differ('kinds', [...came.kinds].toSorted(), expect.kinds.toSorted())
  if (expect.questions !== undefined) differ('questions', came.questions, expect.questions)
  if (expect.outcome !== undefined) differ('outcome', came.outcome, expect.outcome)
  differ('proposals', proposals.length, expect.proposed.length)
  for (const { op, says: text, theirs, because } of expect.proposed) {
    const found = proposals.find(each => each.op === op && says(each.after ?? each.before ?? '', text))
    if (!found) wrong.push(`not proposed: ${op} “${text}”`)
    else if (theirs !== found.because.includes('you wrote') || !found.because.includes(because))
      wrong.push(`“${text}” is asked because: “${found.because}”`)
  }
  differ('saved', saved.length, expect.saved.length)
  for (const text of expect.saved)
    if (!saved.some(each => says(each, text))) wrong.push(`not saved: “${text}”`)
  const all = [...saved, ...proposals.map(each => `${each.headline} ${each.after ?? ''}`)]
  for (const text of expect.never)
    if (all.some(each => says(each, text))) wrong.push(`must not be kept: “${text}”`)
  return wrong
}

/** What is wrong after the person's actions, in words. */
export async function judgeAfter(
  client: HostClient,
  { after, expect }: Case,
  { home, left, before }: { home: string; left: number; before: ReadonlySet<string> },
): Promise<string[]> {
  const texts = await known(client)
  const fresh = texts.filter(text => !before.has(text))
  const wrong = after.knows
    .filter(text => !texts.some(each => says(each, text)))
    .map(text => `not known after it: “${text}”`)
  wrong.push(
    ...after.not
      .filter(text => fresh.some(each => says(each, text)))
      .map(text => `known after it: “${text}”`),
  )
  const open = (await waiting(client)).length
  if (after.waiting !== undefined && open !== after.waiting)
    wrong.push(`waiting after it: ${open} instead of ${after.waiting}`)
  if (after.left !== undefined && left !== after.left)
    wrong.push(`left by undo: ${left} instead of ${after.left}`)
  const { rules } = await client['learning.rules']({})
  const hits = rules.reduce((sum, rule) => sum + rule.hits, 0)
  if (after.rules !== undefined && rules.length !== after.rules)
    wrong.push(`rules: ${rules.length} instead of ${after.rules}`)
  if (after.hits !== undefined && hits !== after.hits)
    wrong.push(`hits of rules: ${hits} instead of ${after.hits}`)
  for (const text of expect.nowhere)
    for (const path of filesWith(home, text)) wrong.push(`“${text}” stands in ${path.slice(home.length + 1)}`)
  return wrong
}

/** The files in a folder that contain the bytes of a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(text))
}
