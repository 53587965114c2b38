import type { Skill, SkillIssue, SkillUse } from '../../shared/contract/skills.ts'
import { overlapsOf } from './description-overlaps.ts'

/** The facts about one skill that decide whether it needs attention. */
export type Examined = {
  skill: Omit<Skill, 'attention'>
  /** How the last three turns that used it ended, newest first. */
  last: readonly SkillUse['outcome'][]
  /** Everything about its form, missing files included. */
  issues: readonly SkillIssue[]
  /** The scan says that it is dangerous, and the person has not accepted this content. */
  isDangerous: boolean
}

const UNUSED_DAYS = 60
const DAY_MS = 86_400_000
const LAST = 3
/** Names or files to list before “and N more”. */
const SHOWN = 3
/** The rule of the lint for a file that is mentioned and is not there. */
const MISSING = 'reference-missing'

/**
 * Why skills need the user's attention, as text by id. A skill that is switched off needs attention only when it is
 * dangerous. `overlaps` can be reused while no description changes.
 */
export function attentionFor(
  all: readonly Examined[],
  now: number,
  overlaps: ReadonlyMap<string, readonly string[]> = overlapsOf(comparedOf(all)),
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

/** The skills whose descriptions compete for the attention of a model. */
export const comparedOf = (all: readonly Pick<Examined, 'skill'>[]): Examined['skill'][] =>
  all
    .map(each => each.skill)
    .filter(skill => skill.enabled && skill.blocked === null && skill.shadowedBy === null)

const DANGEROUS = 'The security scan found something dangerous in it.'

function ofForm(issues: readonly SkillIssue[]): string[] {
  // At info level the path may be one in the user's own work.
  const missing = issues.filter(issue => issue.rule === MISSING && issue.level !== 'info')
  const errors = issues.filter(issue => issue.level === 'error' && issue.rule !== MISSING)
  return [
    ...(missing.length > 0
      ? [missing.length === 1 ? missing[0]!.text : `It mentions ${missing.length} files that are not there.`]
      : []),
    ...(errors.length > 0
      ? [
          `Its form is not right. ${errors[0]!.text}${errors.length > 1 ? ` And ${errors.length - 1} more.` : ''}`,
        ]
      : []),
  ]
}

/** The original under an edited copy does not conflict: it is kept for going back. */
function ofClash(skill: Examined['skill'], used: Examined['skill'] | undefined): string[] {
  if (!used || (used.isEdited && !skill.isOwn)) return []
  return [`Another skill of this name is used instead (${used.id}).`]
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
            ? `It was not used in ${days} days.`
            : `It was last used ${days} days ago.`,
        ]
      : []),
  ]
}

/**
 * When the time without use began; null when unknown. Bundled skills and skills in foreign folders are
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
  return [`Its description is nearly that of ${counted(known)}; the model may take the wrong one.`]
}

function counted(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).join(', ')
  return texts.length > SHOWN ? `${shown} and ${texts.length - SHOWN} more` : shown
}
