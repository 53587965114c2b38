import { mergeLines } from '../edits/merge-lines.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { diffTexts } from '../../files/diff-texts.ts'
import type { SkillPlan } from './skill-manage-plan.ts'

type Rewrite = Extract<SkillPlan, { kind: 'write' }>

/** Maximum length of a difference shown to a model, in characters. */
const MOST_TOLD = 2_000

/** Refuse to delete a skill that someone changed since the session saw it. An unseen one may be deleted. */
export function refuseUnseenDeletion(
  plan: Extract<SkillPlan, { kind: 'delete' }>,
  saw: string | undefined,
): SkillPlan | Refusal {
  if (saw === undefined || saw === plan.text) return plan
  const { name } = plan.of.skill
  return {
    refused: `Not deleted: ${name} was changed since you read it. This was changed:\n${tellChange(saw, plan.text)}\nRead it again with skill_view with name ${name}, and delete it only if that is wanted, too.`,
  }
}

/**
 * Base a rewrite on the version that the session saw. Changes that someone made since then are kept, or the
 * rewrite is refused with a list of them. `saw`: the text as the session last saw it; undefined if it never
 * did.
 */
export function keepMeanwhile(plan: Rewrite, saw: string | undefined): SkillPlan | Refusal {
  const { before, after, path, of } = plan
  if (before === null || before === saw) return plan
  const look = `skill_view with name ${of.skill.name}${path === 'SKILL.md' ? '' : ` and file_path ${path}`}`
  if (saw === undefined)
    return {
      refused: `Not saved: a rewrite replaces all that stands in ${path}, and you have not read it. Read it with ${look}, then rewrite it, or change a passage with patch.`,
    }
  const theirs = tellChange(saw, before)
  const merged = mergeLines({ base: saw, ours: after, theirs: before })
  if (merged === undefined) {
    return {
      refused: `Not saved: ${path} was changed since you read it, where you change it too. This was changed:\n${theirs}\nRead it again with ${look}, and keep these changes.`,
    }
  }
  if (merged === before)
    return {
      refused: `Nothing to save: ${path} was changed since you read it, and has your changes already.`,
    }
  const note = `It was changed since you read it, and these changes were kept:\n${theirs}`
  return { ...plan, after: merged, notes: [...plan.notes, note] }
}

function tellChange(before: string, after: string): string {
  const diff = diffTexts(before, after)
  return diff.length <= MOST_TOLD ? diff : `${diff.slice(0, MOST_TOLD).toWellFormed()}\n[…]`
}
