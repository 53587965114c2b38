import { basename } from 'node:path'
import type { SkillIssue } from '../../../shared/contract/skills.ts'
import { lintBody } from './lint-body.ts'
import { lintDescription } from './lint-description.ts'
import { lintForm } from './lint-form.ts'
import { lintReferences } from './lint-references.ts'
import type { AddIssue } from '../types.ts'
import { proseOf } from './prose.ts'
import { readWhole } from './read-skill.ts'

/**
 * Lint a SKILL.md. Errors violate the specification; warnings and infos concern its usefulness. With
 * `folder`, the skill's own folder, check its name and the referenced files, too. Issues are sorted by line,
 * those about the whole file first. Never throws.
 */
export function lintSkill(text: string, options: { folder?: string } = {}): SkillIssue[] {
  const reading = readWhole(text, options.folder === undefined ? '' : basename(options.folder))
  // Tolerated while reading, but against the specification.
  const issues: SkillIssue[] = reading.text.issues
    .filter(issue => issue.rule !== 'field-cut')
    .map(issue => ({ ...issue, level: 'error' }))
  const note: AddIssue = (line, level, rule, message) => issues.push({ line, level, rule, text: message })
  const prose = proseOf(reading.split.body)
  lintForm(reading, text, options.folder, note)
  lintDescription(reading, note)
  lintBody(reading.split, prose, note)
  if (options.folder !== undefined) lintReferences(options.folder, reading.split, prose, note)
  return issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}
