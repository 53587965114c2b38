import { expect, it } from 'vitest'
import { SkillOrigin, type ScanReport } from '../../../shared/contract/skills.ts'
import { policyFor } from './scan-skill.ts'

const report = (verdict: ScanReport['verdict']): ScanReport => ({ verdict, findings: [] })

it('lets safe skills of every origin be used', () => {
  for (const origin of SkillOrigin.options) expect(policyFor(report('safe'), origin)).toBe('use')
})

it('only warns of a caution', () => {
  for (const origin of SkillOrigin.options) expect(policyFor(report('caution'), origin)).toBe('warn')
})

it('blocks dangerous skills from outside and from the agent, never what ships or what the person wrote', () => {
  const blocked = SkillOrigin.options.filter(origin => policyFor(report('dangerous'), origin) === 'block')
  expect(blocked).toEqual(['agent', 'imported', 'project', 'folder'])
})
