import type {
  ScanFinding,
  ScanReport,
  SkillOrigin,
  SkillPolicy,
} from '../../../shared/contract/learned/skills.ts'
import { runToEnd } from '../../lib/timing.ts'
import { oddCharacters } from './odd-characters.ts'
import { keyOfFile, knownScan, rememberScans, type KnownScans, type ScannedFile } from './known-scans.ts'
import { matchSteps, type Match } from './match-rules.ts'
import { misspeltPackages } from './misspelt-packages.ts'
import { visibleText } from './read/normalise.ts'
import { readLines, readUnits, type Line } from './read/read-units.ts'
import { revealUnits } from './read/reveal-hidden.ts'
import type { Unit } from './rule.ts'

/** Maximum number of findings per file, worst first. */
const MOST_FINDINGS = 200
const ORDER = ['info', 'low', 'medium', 'high', 'critical']

/**
 * Scan the files of a skill for dangerous content, without running or fetching anything. A tripwire, not a
 * proof: an attack in ordinary words can pass, and a harmless sentence can be flagged.
 */
export function scanSkill(files: readonly ScannedFile[]): ScanReport {
  const findings = files.flatMap(file => knownScan(file) ?? findingsIn(file.path, file.text))
  return { verdict: verdictOf(findings), findings }
}

/** Scan the longer of these files in small steps, so that a scan of all of them is quick afterwards. */
export function* scanAhead(files: readonly ScannedFile[]): Generator<void, void, void> {
  for (const file of files) {
    const key = keyOfFile(file)
    if (key !== undefined && !knownScan(file))
      rememberScans([[key, yield* findingSteps(file.path, file.text)]])
    yield
  }
}

/** Scan files. Also return the findings by file, for `rememberScans` in another thread. */
export function scanForOthers(files: readonly ScannedFile[]): { report: ScanReport; known: KnownScans } {
  const known = files.flatMap(file => {
    const key = keyOfFile(file)
    return key === undefined ? [] : [[key, findingsIn(file.path, file.text)] as const]
  })
  // Cache them, so that `scanSkill` does not scan the files again.
  rememberScans(known)
  return { report: scanSkill(files), known }
}

/** The verdict: dangerous with a critical finding, caution with a high one, otherwise safe. */
function verdictOf(findings: readonly Pick<ScanFinding, 'severity'>[]): ScanReport['verdict'] {
  if (findings.some(({ severity }) => severity === 'critical')) return 'dangerous'
  return findings.some(({ severity }) => severity === 'high') ? 'caution' : 'safe'
}

/** A finding without its file, excerpt and the consequences of its severity. */
type Noted = Omit<ScanFinding, 'path' | 'excerpt' | 'block'>

const rankOf = ({ severity }: Pick<ScanFinding, 'severity'>) => ORDER.indexOf(severity)

const findingsIn = (path: string, text: string): ScanFinding[] => runToEnd(findingSteps(path, text))

function* findingSteps(path: string, text: string): Generator<void, ScanFinding[], void> {
  const lines = readLines(path, text)
  yield
  const found = new Map<string, ScanFinding>()
  const add = (noted: Noted) => {
    const key = `${noted.line} ${noted.rule}`
    const before = found.get(key)
    if (before && rankOf(before) >= rankOf(noted)) return
    const block = noted.severity === 'critical'
    found.set(key, { path, ...noted, block, excerpt: visibleText(lines[noted.line - 1]!.raw) })
  }
  for (const odd of [...oddCharacters(lines), ...misspeltPackages(lines)]) add(odd)
  const units = readUnits(lines)
  for (const unit of units) {
    for (const match of yield* matchSteps(unit)) add(findingOf(match, unit, lines))
  }
  for (const unit of revealUnits(lines)) {
    for (const match of yield* matchSteps(unit)) {
      // Text that also appears in the open is not hidden.
      if (!found.has(`${match.line} ${match.rule.id}`)) add(findingOf(match, unit, lines))
    }
  }
  return inOrder([...found.values()], lines)
}

function findingOf(match: Match, unit: Unit, lines: readonly Line[]): Noted {
  const { line, softened } = match
  const { id: rule, category, severity, reason } = match.rule
  if (severity === 'critical' && isOwn(match, lines))
    return { line, rule, category, severity: 'high', reason }
  if (softened)
    return { line, rule, category, severity: 'low', reason: `${reason} It seems to be shown as a warning.` }
  const how = unit.hidden === null ? '' : ` It is hidden ${unit.hidden}.`
  return { line, rule, category, severity, reason: reason + how }
}

/** Whether several other lines mention the match, as the guide to a program mentions its installer. */
function isOwn({ rule, text, line }: Match, lines: readonly Line[]): boolean {
  const names = rule.ownName?.exec(text)?.slice(1) ?? []
  return names.some(name => {
    if (name === undefined || COMMON.has(name)) return false
    const before = rule.category === 'persistence' ? '\\w-' : '\\w/.-'
    const word = new RegExp(`(?<![${before}])${name.replace(/[^\w-]/g, '')}(?![\\w/-])`)
    const others = lines.filter(other => Math.abs(other.number - line) > 1 && word.test(other.text))
    return others.length > (rule.category === 'persistence' ? 0 : 2)
  })
}
const COMMON = new Set(
  'main master install script scripts releases latest download tool tools agent data file user code setup git docker python node test with and the for'.split(
    ' ',
  ),
)

function inOrder(findings: ScanFinding[], lines: readonly Line[]): ScanFinding[] {
  const worst =
    findings.length > MOST_FINDINGS
      ? findings.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, MOST_FINDINGS)
      : findings
  return worst
    .filter(({ line }) => line <= lines.length)
    .toSorted((a, b) => a.line - b.line || rankOf(b) - rankOf(a))
}

/**
 * The policy for a scanned skill. `warn`: use it, and show the lines. `ask`: the user must first accept the
 * lines. `block`: no model gets it until the user accepts exactly these files. `isTrusted`: its publisher is
 * in the user's list.
 */
export function policyFor(report: ScanReport, origin: SkillOrigin, isTrusted = false): SkillPolicy {
  if (report.verdict === 'safe') return 'use'
  if (origin === 'builtin' || origin === 'user') return 'warn'
  if (report.verdict === 'dangerous') return 'block'
  return origin === 'imported' && !isTrusted ? 'ask' : 'warn'
}
