import { basename } from 'node:path'
import type { SkillIssue } from '../../../shared/contract/skills.ts'
import { lintBody } from './lint-body.ts'
import { lintDescription } from './lint-description.ts'
import { lintForm } from './lint-form.ts'
import { lintReferences } from './lint-references.ts'
import type { Note } from './note.ts'
import { proseOf } from './prose.ts'
import { readWhole } from './read-skill.ts'

/**
 * What is wrong with a SKILL.md: errors are against the specification, warnings and infos are about whether it will be of use. With
 * `folder`, the skill's own folder, its name and the files that it refers to are looked at too. Sorted by line, what is about the
 * whole first. Never throws.
 */
export function lintSkill(text: string, options: { folder?: string } = {}): SkillIssue[] {
  const reading = readWhole(text, options.folder === undefined ? '' : basename(options.folder))
  // What reading only forgave is against the specification.
  const issues: SkillIssue[] = reading.text.issues
    .filter(issue => issue.rule !== 'field-cut')
    .map(issue => ({ ...issue, level: 'error' }))
  const note: Note = (line, level, rule, message) => issues.push({ line, level, rule, text: message })
  const prose = proseOf(reading.split.body)
  lintForm(reading, text, options.folder, note)
  lintDescription(reading, note)
  lintBody(reading.split, prose, note)
  if (options.folder !== undefined) lintReferences(options.folder, reading.split, prose, note)
  return issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}
