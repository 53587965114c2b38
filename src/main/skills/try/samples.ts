import type { Skill } from '../../../shared/contract/skills.ts'
import { plain } from '../../lib/index-words.ts'
import { requestsFor } from './requests.ts'

type Sampled = Pick<Skill, 'id' | 'name' | 'description'>
type Other = Sampled & Pick<Skill, 'enabled' | 'blocked'>

const FOR = 3
const AGAINST = 2
/** Questions that hardly any skill is for. */
const EVERYDAY = ['What is the capital of Portugal?', 'Tell me a short joke about a cat.']

/**
 * Five questions to try a skill with: three that should make a model load it, then two that should not, made from its
 * description and from other skills. The same skills give the same questions.
 */
export function samplesFor(skill: Sampled, all: readonly Other[]): string[] {
  const { name } = skill
  const fitting = [
    ...requestsFor(skill),
    `Please use ${name}.`,
    `How does ${name} work?`,
    `I need what ${name} does.`,
  ].slice(0, FOR)
  return [...fitting, ...otherwise(skill, all, new Set(fitting))]
}

/** Requests for the skills that are least similar to this one. */
function otherwise(skill: Sampled, all: readonly Other[], taken: ReadonlySet<string>): string[] {
  const own = wordsOf(skill)
  const strangers = all
    .filter(each => each.id !== skill.id && each.name !== skill.name && each.enabled && each.blocked === null)
    .map(each => ({ each, shared: [...wordsOf(each)].filter(word => own.has(word)).length }))
    .toSorted((a, b) => a.shared - b.shared || (a.each.id < b.each.id ? -1 : 1))
  // Vary the two between skills, because most skills have nothing in common.
  const alike = strangers.findIndex(({ shared }) => shared > (strangers[0]?.shared ?? 0))
  const least = strangers.splice(0, alike < 0 ? strangers.length : alike)
  const start =
    least.length === 0
      ? 0
      : Array.from(skill.id).reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % least.length
  strangers.unshift(...least.slice(start), ...least.slice(0, start))
  const requests: string[] = []
  for (const { each, shared } of strangers) {
    if (requests.length === AGAINST || shared > own.size / 4) break
    const request = requestsFor(each).find(text => !taken.has(text) && !requests.includes(text))
    if (request !== undefined) requests.push(request)
  }
  return [...requests, ...EVERYDAY].slice(0, AGAINST)
}

/** Short words occur in every description. */
const wordsOf = ({ name, description }: Sampled): Set<string> =>
  new Set(plain(`${name} ${description.slice(0, 1_200)}`).match(/[\p{L}\p{N}]{5,}/gu))
