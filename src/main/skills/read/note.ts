import type { SkillIssue } from '../../../shared/contract/skills.ts'

/** Says that something is wrong; see `SkillIssue`. */
export type Note = (line: number | null, level: SkillIssue['level'], rule: string, text: string) => void
