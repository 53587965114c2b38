import { attentionFor, comparedOf } from '../evidence.ts'
import { overlapsOf } from '../evidence-overlaps.ts'
import { lintSkill } from '../read/lint.ts'
import { readSkillText } from '../read/read-skill.ts'
import { policyFor } from '../scan/policy.ts'
import { scanSkill } from '../scan/scan-skill.ts'

/** What skills are read with and judged by; other ones are given in tests. */
export type Judges = {
  read: typeof readSkillText
  lint: typeof lintSkill
  scan: typeof scanSkill
  policy: typeof policyFor
  attention: typeof attentionFor
  overlaps: typeof overlapsOf
  compared: typeof comparedOf
}

export const judges: Judges = {
  read: readSkillText,
  lint: lintSkill,
  scan: scanSkill,
  policy: policyFor,
  attention: attentionFor,
  overlaps: overlapsOf,
  compared: comparedOf,
}
