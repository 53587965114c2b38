import type { ScanReport } from '../../../shared/contract/skills.ts'
import { partsOf } from '../library/parts.ts'
import { textsOf } from '../library/texts.ts'
import { scanSkill } from '../scan/scan-skill.ts'

/** Scan all that lies in a folder, as the library does; what cannot be looked into is found as such. */
export function scanFolder(folder: string): ScanReport {
  const { parts, more } = partsOf(folder)
  const { texts, unseen } = textsOf(folder, parts, more)
  const { verdict, findings } = scanSkill(texts)
  if (unseen.length === 0) return { verdict, findings }
  return { verdict: verdict === 'safe' ? 'caution' : verdict, findings: [...findings, ...unseen] }
}
