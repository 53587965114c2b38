import { join } from 'node:path'
import type { ScanFinding, ScanReport } from '../../../shared/contract/skills.ts'
import { isAsRead, readText, type Entry, type Looked } from './entry.ts'
import type { Judges } from './judges.ts'
import type { Listed } from './look-over.ts'
import { digestOf } from './parts.ts'
import { textsOf } from './texts.ts'

/** So long is looked at skills before somebody else gets a turn, and so long they have it, in milliseconds. */
const WORK_MS = 8
const REST_MS = 25
/** Reports that are kept for contents that are not there now. */
const MOST_KEPT = 2_000
/** Somebody may be writing into the skill while it is read. */
const TRIES = 3

/** Looks through whole skills, which takes too long to be done for a list. */
export type LookThrough = {
  /** What is known of a skill as it is now; it is looked through if need be. */
  now(skill: Listed): Looked
  /** Whether what a list shows of a skill makes the scan suspicious; quick, and remembered. */
  isSuspicious(skill: Listed): boolean
  /** Look through these when there is time, in their order. */
  later(skills: readonly Listed[]): void
  close(): void
}

type Parts = Pick<Judges, 'scan' | 'lint'> & {
  report(error: unknown): void
  /** An entry says more than before. */
  onLooked(): void
  /** What is known of a skill now changes what is shown of it. */
  onNews(): void
}

/** Begin with nothing looked through but what the entries say themselves. */
export function openLookThrough({ scan, lint, report, onLooked, onNews }: Parts): LookThrough {
  const reports = new Map<string, ScanReport>()
  const suspicions = new WeakMap<Entry, boolean>()
  let waiting: Listed[] = []
  let timer: NodeJS.Timeout | undefined

  /** A scan that breaks down says nothing good, so the skill stays back. */
  function scanned(files: { path: string; text: string }[]): { report: ScanReport; isWhole: boolean } {
    try {
      return { report: scan(files), isWhole: true }
    } catch (error) {
      report(error)
      return { report: { verdict: 'dangerous', findings: [BROKE_DOWN] }, isWhole: false }
    }
  }

  function now(skill: Listed): Looked {
    const { found, entry } = skill
    const { looked } = entry
    if (looked?.settled && entry.settled) return looked
    const before = shownOf(skill)
    for (let tries = TRIES; ; tries--) {
      const digest = digestOf(found.folder)
      const known = looked?.digest === digest ? looked.report : reports.get(digest)
      const made = known ? { report: known, isWhole: true } : scanFolder(found.folder, entry)
      const isSame = known !== undefined || digestOf(found.folder) === digest
      if (!isSame && tries > 1) continue
      if (isSame && made.isWhole) keep(digest, made.report)
      entry.looked = {
        digest: isSame ? digest : '',
        report: made.report,
        issues: lintOf(found.folder, entry),
        settled: isSame && entry.settled && isAsRead(found.folder, entry),
      }
      onLooked()
      // Whoever listed it before does not know yet.
      if (shownOf(skill) !== before) onNews()
      return entry.looked
    }
  }

  function scanFolder(folder: string, entry: Entry): { report: ScanReport; isWhole: boolean } {
    const { texts, unseen } = textsOf(folder, entry.parts, entry.more)
    const { report: made, isWhole } = scanned(texts)
    if (unseen.length === 0) return { report: made, isWhole }
    const verdict = made.verdict === 'safe' ? 'caution' : made.verdict
    return { report: { verdict, findings: [...made.findings, ...unseen] }, isWhole }
  }

  function lintOf(folder: string, entry: Entry): Looked['issues'] {
    const read = readText(join(folder, entry.file))
    try {
      return 'text' in read ? lint(read.text, { folder }) : entry.text.issues
    } catch (error) {
      report(error)
      return entry.text.issues
    }
  }

  function keep(digest: string, made: ScanReport): void {
    reports.set(digest, made)
    for (const oldest of reports.keys()) {
      if (reports.size <= MOST_KEPT) break
      reports.delete(oldest)
    }
  }

  function work(): void {
    timer = undefined
    const end = performance.now() + WORK_MS
    while (waiting.length > 0 && performance.now() < end) {
      const skill = waiting.shift()!
      if (!isKnown(skill)) now(skill)
    }
    if (waiting.length > 0) timer = setTimeout(work, REST_MS).unref()
  }

  return {
    now,
    isSuspicious({ found: { name, text }, entry }) {
      const known = suspicions.get(entry)
      if (known !== undefined) return known
      const { description, tags } = text.fields
      const shown = scanned([{ path: 'SKILL.md', text: [name, description, ...tags].join('\n') }])
      suspicions.set(entry, shown.report.verdict !== 'safe')
      return shown.report.verdict !== 'safe'
    },
    later(skills) {
      waiting = skills.filter(skill => !isKnown(skill))
      if (waiting.length > 0) timer ??= setTimeout(work, REST_MS).unref()
    },
    close() {
      clearTimeout(timer)
      waiting = []
    },
  }
}

const isKnown = ({ entry }: Listed) => entry.looked !== undefined && entry.looked.settled

/** What lists show of what was found. To an imported skill it matters that nothing was. */
const shownOf = ({ found: { root }, entry: { looked, text } }: Listed) =>
  `${looked?.report.verdict ?? (root.kind === 'imported' ? '' : 'safe')} ${(looked ?? text).issues.length}`

const BROKE_DOWN: ScanFinding = {
  path: '',
  line: 1,
  rule: 'scan-broke-down',
  category: 'obfuscation',
  severity: 'high',
  block: true,
  reason: 'The security scan could not be finished, so nothing is known of this skill.',
  excerpt: '',
}
