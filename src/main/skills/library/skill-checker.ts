import type { ScanReport, Skill } from '../../../shared/contract/learned/skills.ts'
import { isAsRead, linkedMain, mainOf, readText, type CachedSkill, type CheckResult } from './cached-skill.ts'
import type { Listed } from './index-roots.ts'
import { BROKE_DOWN, LONG_SCAN_BYTES, openScanner, type Scanner } from './open-scanner.ts'
import { digestOf, textsOf, withBuild } from './skill-files.ts'
import { attentionFor, comparedOf, overlapSteps } from '../attention.ts'
import { lintSkill } from '../files/lint-skill.ts'
import { readSkillText } from '../files/read-skill.ts'
import { knownScan, type ScannedFile } from '../check/known-scans.ts'
import { compileSteps } from '../check/match-rules.ts'
import { policyFor, scanAhead, scanSkill } from '../check/scan-skill.ts'
import { Fault } from '../../../shared/rpc.ts'
import { debounce, runInSlices } from '../../lib/timing.ts'

/** Longest slice of background checks, and the pause between slices, in ms. */
const WORK_MS = 5
const REST_MS = 25
/** Maximum number of cached scan reports, by digest of the content. */
const MOST_KEPT = 2_000
/** How often to retry reading a skill that is being written to. */
const TRIES = 3

/** Scans and lints whole skills, which would take too long while listing. */
type SkillChecker = {
  /** The result for the current content, checked now if it is not cached. */
  checkNow(skill: Listed): CheckResult
  /** Whether the scan finds anything in the name, description or tags. Fast and cached. */
  isSuspicious(skill: Listed): boolean
  /** Whether `checkNow` returns almost immediately: the result is cached, or the skill is short. */
  isQuick(skill: Listed): boolean
  /** Make a later `checkNow` quick: scan a long unchecked skill in a thread. */
  checkFirst(skill: Listed, signal?: AbortSignal): Promise<void>
  /** Scan texts that are not in a folder yet; long texts are scanned in a thread. */
  scanTexts(texts: readonly ScannedFile[], signal?: AbortSignal): Promise<ScanReport>
  /** Check these skills in the background, in this order. */
  checkLater(skills: readonly Listed[]): void
  close(): void
}

type Parts = Pick<SkillChecks, 'scan' | 'lint' | 'warmUp' | 'openScanner'> & {
  report(error: unknown): void
  /** Called when an entry has a new result. */
  onChecked(): void
  /** Called when a result changes what lists show. */
  onNews(): void
}

/** Open the checker. Entries from the cache keep their results. */
export function openSkillChecker({
  scan,
  lint,
  warmUp,
  openScanner,
  report,
  onChecked,
  onNews,
}: Parts): SkillChecker {
  const scanner = openScanner?.()
  const reports = new Map<string, ScanReport>()
  const suspicions = new WeakMap<CachedSkill, boolean>()
  const warming = warmUp()
  let isWarm = false
  let waiting: Listed[] = []
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  let ahead: { skill: Listed; steps: Generator<void, void, void> } | undefined

  /** Scan texts. A scan that throws blocks the skill. */
  function scanned(files: { path: string; text: string }[]): { report: ScanReport; isWhole: boolean } {
    try {
      return { report: scan(files), isWhole: true }
    } catch (error) {
      report(error)
      return { report: { verdict: 'dangerous', findings: [BROKE_DOWN] }, isWhole: false }
    }
  }

  function checkNow(skill: Listed): CheckResult {
    const { found, entry } = skill
    const { looked } = entry
    if (looked?.settled && entry.settled) return looked
    const before = shownOf(skill)
    for (let tries = TRIES; ; tries--) {
      const digest = digestOf(found.folder, linkedMain(entry))
      const known = looked?.digest === digest ? looked.report : reports.get(digest)
      const made = known ? { report: known, isWhole: true } : scanFolder(found.folder, entry)
      const isSame = known !== undefined || digestOf(found.folder, linkedMain(entry)) === digest
      if (!isSame && tries > 1) continue
      if (isSame && made.isWhole) keep(digest, made.report)
      entry.looked = {
        digest: isSame ? digest : '',
        report: made.report,
        issues: lintOf(found.folder, entry),
        settled: isSame && entry.settled && isAsRead(found.folder, entry),
      }
      onChecked()
      // Lists sent earlier show the old result.
      if (shownOf(skill) !== before) onNews()
      return entry.looked
    }
  }

  function scanFolder(folder: string, entry: CachedSkill): { report: ScanReport; isWhole: boolean } {
    const { texts, build } = textsOf(folder, entry.parts, entry.more, linkedMain(entry))
    const { report: made, isWhole } = scanned(texts)
    return { report: withBuild(made, build), isWhole }
  }

  function lintOf(folder: string, entry: CachedSkill): CheckResult['issues'] {
    const read = readText(mainOf(folder, entry))
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

  const isQuick = (skill: Listed) =>
    isKnown(skill) ||
    !scanner ||
    skill.entry.parts.reduce((sum, { bytes }) => sum + bytes, 0) < LONG_SCAN_BYTES

  async function checkFirst(skill: Listed, signal?: AbortSignal): Promise<void> {
    if (!scanner || isQuick(skill)) return
    const { found, entry } = skill
    const main = linkedMain(entry)
    if (reports.has(entry.looked?.digest ?? digestOf(found.folder, main))) return
    const scanned = await scanner.scan({ folder: found.folder, main }, signal)
    // An unfinished scan counts for the current content; otherwise each check would start it again.
    keep(scanned.digest || digestOf(found.folder, main), scanned.report)
  }

  function workLater(): void {
    if (waiting.length > 0 && !isBusy) timer ??= setTimeout(work, REST_MS).unref()
  }

  /** Check a long skill in a thread while other work continues. */
  function workLong(skill: Listed): void {
    isBusy = true
    void checkFirst(skill)
      .then(() => void checkNow(skill))
      .catch(reportUnlessStopped)
      .finally(() => {
        isBusy = false
        workLater()
      })
  }

  const reportUnlessStopped = (error: unknown) => {
    if (!(error instanceof Fault && error.code === 'cancelled')) report(error)
  }

  /** The part of `checkNow` that can be done beforehand, in small steps. */
  function* stepsAhead({ found, entry }: Listed): Generator<void, void, void> {
    try {
      yield* scanAhead(textsOf(found.folder, entry.parts, entry.more, linkedMain(entry)).texts)
    } catch {
      // `checkNow` will fail in the same way and report it.
    }
  }

  /** Take one step of the advance scan. Returns whether it was the last one. */
  function isScannedAhead(skill: Listed): boolean {
    if (ahead?.skill !== skill) ahead = { skill, steps: stepsAhead(skill) }
    return ahead.steps.next().done === true
  }

  function work(): void {
    timer = undefined
    const end = performance.now() + WORK_MS
    while (waiting.length > 0 && performance.now() < end) {
      if (!isWarm) {
        isWarm = warming.next().done === true
        continue
      }
      const skill = waiting[0]!
      if (!isKnown(skill) && isQuick(skill) && !isScannedAhead(skill)) continue
      waiting.shift()
      ahead = undefined
      if (isKnown(skill)) continue
      if (!isQuick(skill)) return workLong(skill)
      checkNow(skill)
    }
    workLater()
  }

  return {
    checkNow,
    isQuick,
    checkFirst,
    async scanTexts(texts, signal) {
      const unknown = texts.filter(file => !knownScan(file))
      const isLong = unknown.reduce((sum, { text }) => sum + text.length, 0) >= LONG_SCAN_BYTES
      return scanner && isLong ? (await scanner.scan({ texts }, signal)).report : scanned([...texts]).report
    },
    isSuspicious({ found: { name, text }, entry }) {
      const known = suspicions.get(entry)
      if (known !== undefined) return known
      const { description, tags } = text.fields
      const shown = scanned([{ path: 'SKILL.md', text: [name, description, ...tags].join('\n') }])
      suspicions.set(entry, shown.report.verdict !== 'safe')
      return shown.report.verdict !== 'safe'
    },
    checkLater(skills) {
      waiting = skills.filter(skill => !isKnown(skill))
      workLater()
    },
    close() {
      clearTimeout(timer)
      waiting = []
      ahead = undefined
      void scanner?.close().catch(report)
    },
  }
}

const isKnown = ({ entry }: Listed) => entry.looked !== undefined && entry.looked.settled

/** The part of a result that lists show. Imported skills are off until a scan finds them safe. */
const shownOf = ({ found: { root }, entry: { looked, text } }: Listed) =>
  `${looked?.report.verdict ?? (root.kind === 'imported' ? '' : 'safe')} ${(looked ?? text).issues.length}`

/** The functions that read and check skills; tests pass others. */
export type SkillChecks = {
  read: typeof readSkillText
  lint: typeof lintSkill
  scan: typeof scanSkill
  /** Make the first scan quick, in small steps. */
  warmUp: typeof compileSteps
  /** Open a scanner that scans long skills in a thread. Without it they are scanned synchronously. */
  openScanner?: (() => Scanner) | undefined
  policy: typeof policyFor
  attention: typeof attentionFor
  overlaps: typeof overlapSteps
  compared: typeof comparedOf
}

export const skillChecks: SkillChecks = {
  read: readSkillText,
  lint: lintSkill,
  scan: scanSkill,
  warmUp: compileSteps,
  openScanner,
  policy: policyFor,
  attention: attentionFor,
  overlaps: overlapSteps,
  compared: comparedOf,
}

type Compared = readonly Omit<Skill, 'attention'>[]

/** How long to wait before comparing: thousands of descriptions would take too long while listing. */
const WAIT = { idleMs: 500, maxMs: 5_000 }

/** Cache which descriptions overlap. The result can be slightly out of date. */
export function keepOverlaps(
  overlaps: SkillChecks['overlaps'],
  onNews: () => void,
  report: (error: unknown) => void,
) {
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  let of = ''
  let waiting: Compared | undefined
  const work = debounce(() => void compare().catch(report), WAIT)

  async function compare(): Promise<void> {
    const compared = waiting
    if (!compared) return
    const found = await runInSlices(overlaps(compared))
    // In the meantime other skills may have been queued, or none.
    if (compared !== waiting) return
    const isNews = JSON.stringify([...found]) !== JSON.stringify([...known])
    known = found
    if (isNews) onNews()
  }

  return {
    /** Overlapping skills by id, the most similar first. */
    known: () => known,
    /** Skills to compare from now on; `version` increases when any of them changes. */
    follow(skills: Compared, version: number) {
      const now = `${version} ${skills.map(({ id }) => id).join()}`
      if (now === of) return
      of = now
      waiting = skills
      work.request()
    },
    close() {
      work.cancel()
      waiting = undefined
    },
  }
}
