import { attentionFor, comparedOf } from '../attention.ts'
import { overlapsOf } from '../description-overlaps.ts'
import { lintSkill } from '../files/lint.ts'
import { readSkillText } from '../files/read-skill.ts'
import { policyFor, scanSkill } from '../check/scan-skill.ts'

/** The functions that read and check skills; tests pass others. */
export type SkillChecks = {
  read: typeof readSkillText
  lint: typeof lintSkill
  scan: typeof scanSkill
  policy: typeof policyFor
  attention: typeof attentionFor
  overlaps: typeof overlapsOf
  compared: typeof comparedOf
}

export const skillChecks: SkillChecks = {
  read: readSkillText,
  lint: lintSkill,
  scan: scanSkill,
  policy: policyFor,
  attention: attentionFor,
  overlaps: overlapsOf,
  compared: comparedOf,
}
