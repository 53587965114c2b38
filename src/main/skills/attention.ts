import type { Skill, SkillIssue, SkillUse } from '../../shared/contract/learned/skills.ts'
import { foldText } from '../lib/words/index-words.ts'
import { runToEnd } from '../lib/timing.ts'

/** The facts about one skill that decide whether it needs attention. */
export type Examined = {
  skill: Omit<Skill, 'attention'>
  /** Outcomes of the last three turns that used the skill, newest first. */
  last: readonly SkillUse['outcome'][]
  /** All issues with its form, including missing files. */
  issues: readonly SkillIssue[]
  /** The scan found the skill dangerous, and the user has not accepted this content. */
  isDangerous: boolean
}

const UNUSED_DAYS = 60
const DAY_MS = 86_400_000
const LAST = 3
/** Names or files to list before “and N more”. */
const SHOWN = 3
/** The lint rule for a mentioned file that does not exist. */
const MISSING = 'reference-missing'

/**
 * The reasons why skills need the user's attention, as text by skill id. A skill that is switched off needs
 * attention only if it is dangerous. `overlaps` can be reused while no description changes.
 */
export function attentionFor(
  all: readonly Examined[],
  now: number,
  overlaps: ReadonlyMap<string, readonly string[]> = runToEnd(overlapSteps(comparedOf(all))),
): Map<string, string[]> {
  const byId = new Map(all.map(each => [each.skill.id, each.skill]))
  const nameOf = (id: string) => byId.get(id)?.name
  const attention = new Map<string, string[]>()
  for (const each of all) {
    const { id, shadowedBy } = each.skill
    const reasons = [
      ...(each.isDangerous ? [DANGEROUS] : []),
      ...(each.skill.enabled
        ? [
            ...ofForm(each.issues),
            ...ofClash(each.skill, shadowedBy === null ? undefined : byId.get(shadowedBy)),
            ...ofUse(each, now),
            ...ofOverlap((overlaps.get(id) ?? []).map(nameOf)),
          ]
        : []),
    ]
    if (reasons.length > 0) attention.set(id, reasons)
  }
  return attention
}

/** The skills whose descriptions compete for a model's attention. */
export const comparedOf = (all: readonly Pick<Examined, 'skill'>[]): Examined['skill'][] =>
  all
    .map(each => each.skill)
    .filter(skill => skill.enabled && skill.blocked === null && skill.shadowedBy === null)

const DANGEROUS = 'The security scan found something dangerous in it.'

function ofForm(issues: readonly SkillIssue[]): string[] {
  // An info issue may be about a path in the user's own work.
  const missing = issues.filter(issue => issue.rule === MISSING && issue.level !== 'info')
  const errors = issues.filter(issue => issue.level === 'error' && issue.rule !== MISSING)
  return [
    ...(missing.length > 0
      ? [missing.length === 1 ? missing[0]!.text : `It mentions ${missing.length} files that do not exist.`]
      : []),
    ...(errors.length > 0
      ? [
          errors.length > 1
            ? `Its format has ${errors.length} errors. The first one: ${errors[0]!.text}`
            : `Its format has an error. ${errors[0]!.text}`,
        ]
      : []),
  ]
}

/** An original under an edited copy is not a conflict: it is kept so that the user can go back to it. */
function ofClash(skill: Examined['skill'], used: Examined['skill'] | undefined): string[] {
  if (!used || (used.isEdited && !skill.isOwn)) return []
  return [`Another skill with this name is used instead (${used.id}).`]
}

function ofUse({ skill, last }: Examined, now: number): string[] {
  const wentBadly =
    last.length >= LAST && last.slice(0, LAST).every(each => each === 'failed' || each === 'corrected')
  const since = sinceWhen(skill)
  const isUnused = since !== null && now - since > UNUSED_DAYS * DAY_MS
  const days = Math.floor((now - (since ?? now)) / DAY_MS)
  return [
    ...(wentBadly ? ['The last three turns that used it failed or had to be corrected.'] : []),
    ...(isUnused && skill.shadowedBy === null
      ? [
          skill.uses.lastAt === null
            ? `It has not been used for ${days} days.`
            : `It was last used ${days} days ago.`,
        ]
      : []),
  ]
}

/**
 * The time since which the skill is unused; null if unknown. Bundled skills and skills in foreign folders are
 * excluded: the user did not necessarily want them, so lack of use means nothing.
 */
function sinceWhen({ uses, source, origin, updatedAt }: Examined['skill']): number | null {
  if (uses.lastAt !== null) return uses.lastAt
  if (source) return source.importedAt
  return origin === 'user' || origin === 'agent' || origin === 'imported' ? updatedAt : null
}

function ofOverlap(names: readonly (string | undefined)[]): string[] {
  const known = names.filter(name => name !== undefined)
  if (known.length === 0) return []
  return [
    `Its description is almost the same as that of ${counted(known)}. The model may choose the wrong skill.`,
  ]
}

function counted(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).join(', ')
  return texts.length > SHOWN ? `${shown} and ${texts.length - SHOWN} more` : shown
}

/** The compared fields. Names are left out because they say little about a skill's purpose. */
type Compared = Pick<Skill, 'id' | 'description' | 'project'>

/** Minimum number and share of common words that make an overlap. */
const LEAST_SHARED = 4
const LEAST_ALIKE = 0.6
/** Words in more descriptions than this are ignored: they say little and would make the work quadratic. */
const MOST_OF_A_WORD = 40
/** Maximum length of a description to compare, in characters and in words. */
const REACH = 1_200
const MOST_WORDS = 60

/** Words that do not describe the purpose of a skill. */
const EMPTY = new Set(
  `a about after all also an and any are as asks at be been before but by can do does for from has have help helps how if
  in into is it its like mentions more need needs not of on one or other provides requests should skill skills so such than
  that the their them then these they this those to up use used user users uses using via wants was what when whenever
  where which who will with without work working works you your`.split(/\s+/),
)

/**
 * Find skills with nearly the same description, by id, the most similar first, one skill per step. Skills of
 * different projects are never offered together, so they are not compared. The work grows linearly.
 */
export function* overlapSteps(skills: readonly Compared[]): Generator<void, Map<string, string[]>, void> {
  const words: Set<string>[] = []
  for (const { description } of skills) {
    words.push(contentOf(description))
    yield
  }
  const alike = new Map<number, { other: number; score: number }[]>()
  const add = (one: number, other: number, score: number) => {
    const known = alike.get(one)
    if (known) known.push({ other, score })
    else alike.set(one, [{ other, score }])
  }
  const holders = holdersOf(words)
  // Number of shared words, counted in place: this is the innermost loop.
  const shared = new Uint8Array(skills.length)
  for (const [one, own] of words.entries()) {
    yield
    const met: number[] = []
    for (const word of own) {
      for (const other of holders.get(word) ?? []) {
        if (other <= one) continue
        if (shared[other]!++ === 0) met.push(other)
      }
    }
    for (const other of met) {
      const count = shared[other]!
      shared[other] = 0
      // Words in too many descriptions were not counted, although both skills may share them.
      if (count * 2 < LEAST_SHARED || !meet(skills[one]!, skills[other]!)) continue
      const score = likeness(own, words[other]!)
      if (score < LEAST_ALIKE) continue
      add(one, other, score)
      add(other, one, score)
    }
  }
  for (const [first, ...rest] of equalOnes(skills, words)) {
    for (const other of rest) {
      if (alike.get(first!)?.some(each => each.other === other)) continue
      add(first!, other, 1)
      add(other, first!, 1)
    }
  }
  return new Map(
    [...alike].map(([one, others]) => [
      skills[one]!.id,
      others.toSorted((a, b) => b.score - a.score || a.other - b.other).map(({ other }) => skills[other]!.id),
    ]),
  )
}

const meet = (a: Compared, b: Compared): boolean =>
  a.project === null || b.project === null || a.project === b.project

function contentOf(description: string): Set<string> {
  const found = foldText(description.slice(0, REACH)).match(/[\p{L}\p{N}]+/gu) ?? []
  const content = new Set(found.map(stem).filter(word => word.length > 1 && !EMPTY.has(word)))
  return new Set([...content].slice(0, MOST_WORDS))
}

/** Treat plural and singular as one word; finer stemming causes too many errors. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?<=[^s])s$/, '') : word)

function holdersOf(words: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const holders = new Map<string, number[]>()
  for (const [index, own] of words.entries()) {
    for (const word of own) {
      const known = holders.get(word)
      if (known) known.push(index)
      else holders.set(word, [index])
    }
  }
  for (const [word, having] of holders) if (having.length > MOST_OF_A_WORD) holders.delete(word)
  return holders
}

/** Group skills whose descriptions have the same words, however common, each with its first skill. */
function equalOnes(skills: readonly Compared[], words: readonly ReadonlySet<string>[]): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, own] of words.entries()) {
    if (own.size < LEAST_SHARED) continue
    const key = `${skills[index]!.project ?? ''}\n${[...own].toSorted().join(' ')}`
    const known = groups.get(key)
    if (known) known.push(index)
    else groups.set(key, [index])
  }
  return [...groups.values()].filter(group => group.length > 1)
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both < LEAST_SHARED ? 0 : both / (a.size + b.size - both)
}
