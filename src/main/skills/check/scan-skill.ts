import type { ScanFinding, ScanReport, SkillOrigin } from '../../../shared/contract/skills.ts'
import { oddCharacters } from './characters.ts'
import { matchesIn, type Match } from './match.ts'
import { misspeltPackages } from './packages.ts'
import { visibleText } from './read/normalise.ts'
import { readLines, readUnits, type Line } from './read/read-units.ts'
import { revealUnits } from './read/reveal.ts'
import type { Unit } from './rule.ts'

/** Findings per file, worst first. */
const MOST_FINDINGS = 200
const ORDER = ['info', 'low', 'medium', 'high', 'critical']

/**
 * Scan the files of a skill for dangerous content, without running or fetching anything. It is a tripwire, not a proof:
 * an attack in ordinary words can pass, and a harmless sentence can be flagged.
 */
export function scanSkill(files: readonly { path: string; text: string }[]): ScanReport {
  const findings = files.flatMap(({ path, text }) => findingsIn(path, text))
  const worst = Math.max(-1, ...findings.map(({ severity }) => ORDER.indexOf(severity)))
  const isDangerous = findings.some(({ block }) => block)
  return {
    verdict: isDangerous ? 'dangerous' : worst >= ORDER.indexOf('medium') ? 'caution' : 'safe',
    findings,
  }
}

function findingsIn(path: string, text: string): ScanFinding[] {
  const lines = readLines(path, text)
  const found = new Map<string, ScanFinding>()
  const add = (finding: Omit<ScanFinding, 'path' | 'excerpt'>) => {
    const key = `${finding.line} ${finding.rule}`
    if (found.has(key) && (found.get(key)!.block || !finding.block)) return
    found.set(key, { path, ...finding, excerpt: visibleText(lines[finding.line - 1]!.raw) })
  }
  for (const odd of [...oddCharacters(lines), ...misspeltPackages(lines)]) add(odd)
  const units = readUnits(lines)
  for (const unit of units) for (const match of matchesIn(unit)) add(findingOf(match, unit, lines))
  for (const unit of revealUnits(lines))
    for (const match of matchesIn(unit)) {
      // Text that also appears openly is not hidden.
      if (!found.has(`${match.line} ${match.rule.id}`)) add(findingOf(match, unit, lines))
    }
  return inOrder([...found.values()], lines)
}

function findingOf(match: Match, unit: Unit, lines: readonly Line[]): Omit<ScanFinding, 'path' | 'excerpt'> {
  const { line, softened } = match
  const { id, category, severity, block, reason } = match.rule
  const how = unit.hidden === null ? '' : ` It is hidden ${unit.hidden}.`
  if (block && isOwn(match, lines))
    return { line, rule: id, category, severity: 'medium', block: false, reason }
  return softened
    ? {
        line,
        rule: id,
        category,
        severity: 'low',
        block: false,
        reason: `${reason} It seems to be shown as a warning.`,
      }
    : { line, rule: id, category, severity, block, reason: reason + how }
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
  const rank = (finding: ScanFinding) => ORDER.indexOf(finding.severity)
  const worst =
    findings.length > MOST_FINDINGS
      ? findings.toSorted((a, b) => rank(b) - rank(a)).slice(0, MOST_FINDINGS)
      : findings
  return worst
    .filter(({ line }) => line <= lines.length)
    .toSorted((a, b) => a.line - b.line || rank(b) - rank(a))
}

/** The policy for a scanned skill of an origin. Bundled skills and the user's own are never blocked. */
export function policyFor(report: ScanReport, origin: SkillOrigin): 'use' | 'warn' | 'block' {
  if (report.verdict === 'safe') return 'use'
  if (report.verdict === 'caution' || origin === 'builtin' || origin === 'user') return 'warn'
  return 'block'
}
