import type { LearningRule, Proposal } from '../../../shared/contract/learned/learning.ts'
import { wordSimilarity } from '../../../shared/text/word-similarity.ts'
import { newId } from '../../lib/ids.ts'
import type { Store } from '../../db/store.ts'

/** Minimum similarity to a rule's example for the rule to block a change. */
const ALIKE = 0.6
const MAX_EXAMPLE_CHARS = 400
const FORGET = 'Forget: '

/** The parts of a proposal, or of a candidate, that identify its kind. */
type Kind = Pick<Proposal, 'headline' | 'place' | 'after' | 'before'> & { isMemory: boolean }

/**
 * The gist of a change in one line: the entry, the description of a new skill, or the lines added to a skill,
 * without wording that all such changes share.
 */
export function gistOf({ isMemory, headline, place, before, after }: Kind): string {
  const gist = () => {
    if (after === null) return `${FORGET}${isMemory ? (before ?? '') : place}`
    if (isMemory) return after
    if (before === null) return `${place} ${headline.slice(headline.indexOf(':') + 1)}`
    const known = new Set(before.split('\n').map(line => line.trim()))
    return `${place} ${after
      .split('\n')
      .filter(line => !known.has(line.trim()))
      .join(' ')}`
  }
  return gist().replace(/\s+/g, ' ').trim().slice(0, MAX_EXAMPLE_CHARS).toWellFormed()
}

/** The rule made from a rejected proposal; the user can see, remove or replace it. */
export function ruleFrom(
  proposal: Omit<Kind, 'isMemory'> & Pick<Proposal, 'kind'>,
  at: number,
): LearningRule {
  const isMemory = proposal.kind === 'memory'
  const example = gistOf({ ...proposal, isMemory })
  return {
    id: newId('rule'),
    text: `${isMemory ? 'Things' : 'Skill changes'} like “${example}”`,
    example,
    at,
    hits: 0,
  }
}

/** The rule that blocks a change with this gist, if any. Counts the hit. */
export function ruleAgainst(
  store: Pick<Store['learning'], 'rules' | 'hitRule'>,
  gist: string,
): LearningRule | undefined {
  const rule = store.rules().find(({ example }) => isLike(example, gist))
  if (rule) store.hitRule(rule.id)
  return rule
}

/** A rule against forgetting something does not block remembering it. */
const isLike = (example: string, gist: string): boolean =>
  example !== '' &&
  example.startsWith(FORGET) === gist.startsWith(FORGET) &&
  wordSimilarity(example, gist) >= ALIKE

/** Whether two texts are equal, ignoring case, spaces and the final full stop. */
export const sameWords = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.!])[\s.!]+$/, '')
    .trim()
