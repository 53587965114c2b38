import type { LearningRule, Proposal } from '../../shared/contract/learning.ts'
import { wordSimilarity } from '../../shared/word-similarity.ts'
import { newId } from '../lib/ids.ts'
import type { Store } from '../store/types.ts'

/** So much alike a text must be to what a rule was made from for the rule to keep it out. */
const ALIKE = 0.6
const LONGEST_EXAMPLE = 400
const FORGET = 'Forget: '

/** What of a proposal, or of what is to become one, says of which kind it is. */
type Kind = Pick<Proposal, 'headline' | 'place' | 'after' | 'before'> & { isMemory: boolean }

/**
 * What is said by a change, in a line: the entry, the description of a new skill, or the lines that are new in a skill,
 * each without the words that all such changes have in common.
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
  return gist().replace(/\s+/g, ' ').trim().slice(0, LONGEST_EXAMPLE).toWellFormed()
}

/** The rule that a rejected proposal makes; the person sees it and can remove it or write another. */
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

/** The rule that keeps a change of such a gist from being learned, if one does; that is counted. */
export function ruleAgainst(
  store: Pick<Store['learning'], 'rules' | 'hitRule'>,
  gist: string,
): LearningRule | undefined {
  const rule = store.rules().find(({ example }) => isLike(example, gist))
  if (rule) store.hitRule(rule.id)
  return rule
}

/** Whoever does not want a thing to be forgotten does not mind that it is remembered. */
const isLike = (example: string, gist: string): boolean =>
  example !== '' &&
  example.startsWith(FORGET) === gist.startsWith(FORGET) &&
  wordSimilarity(example, gist) >= ALIKE
