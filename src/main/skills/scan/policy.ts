import type { ScanReport, SkillOrigin } from '../../../shared/contract/skills.ts'

/** What may be done with a skill of an origin after its scan. What ships and what the person wrote is never held back. */
export function policyFor(report: ScanReport, origin: SkillOrigin): 'use' | 'warn' | 'block' {
  if (report.verdict === 'safe') return 'use'
  if (report.verdict === 'caution' || origin === 'builtin' || origin === 'user') return 'warn'
  return 'block'
}
