import type { ScanReport } from '../../../shared/contract/learned/skills.ts'
import { workInThread } from '../../threads/inside-thread.ts'
import type { KnownScans, ScannedFile } from '../check/known-scans.ts'
import { scanForOthers } from '../check/scan-skill.ts'
import { digestOf, partsOf, textsOf, withBuild } from './skill-files.ts'
import type { LinkedMain } from './walk-skill.ts'

/** The input of a scan: the folder of a skill, or texts. */
export type ScanJob = { folder: string; main: LinkedMain | undefined } | { texts: readonly ScannedFile[] }

/**
 * The findings of a scan, in all and by file. `digest` identifies the content of the folder. It is empty for
 * texts, for content that changed during the scan, and for an unfinished scan.
 */
export type ThreadScan = { digest: string; report: ScanReport; known: KnownScans }

workInThread(async function* (job: ScanJob): AsyncGenerator<ThreadScan> {
  if ('texts' in job) return yield { digest: '', ...scanForOthers(job.texts) }
  const { folder, main } = job
  const digest = digestOf(folder, main)
  const { parts, more } = partsOf(folder, main)
  const { texts, build } = textsOf(folder, parts, more, main)
  const { report, known } = scanForOthers(texts)
  yield { digest: digestOf(folder, main) === digest ? digest : '', report: withBuild(report, build), known }
})
