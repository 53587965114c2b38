import { shareOf, type Figures } from '../records.ts'
import { scanSamples, type Sample, type Scanned } from './scan-samples.ts'

const DIFFICULTIES = ['plain', 'evasive', 'semantic'] as const

/** A range of lines in a file, counted from 1, both ends included. */
type Span = { path: string; from: number; to: number }

/**
 * A skill with its label. `isDoubtful`: it could be used for good or harm, or is disputed, so it is in no
 * share.
 */
export type Labelled = Sample & { isDoubtful: boolean } & (
    | { kind: 'harmful'; difficulty: (typeof DIFFICULTIES)[number]; spans: readonly Span[] }
    | { kind: 'harmless' }
  )

/**
 * A scanned skill, and whether the result is right: a finding in the harm blocks, or nothing blocks a
 * harmless skill.
 */
export type Judged = Scanned & { kind: 'harmful' | 'harmless' | 'line'; right: boolean }

/**
 * Scan labelled skills, and single lines that only look like attacks. A harmful skill counts as blocked when
 * a blocking finding is on the labelled lines. A caution only asks the person and does not block. `doubtful`
 * skills are in no share; `notLoaded` are skills that the library does not list.
 */
export function measureSkillScan(
  skills: readonly Labelled[],
  lines: readonly Sample[] = [],
): { rows: Judged[]; figures: Figures } {
  const scanned = scanSamples([...skills, ...lines])
  const rows = scanned.map((each, at): Judged => {
    const skill = skills[at]
    const isRight = skill?.kind === 'harmful' ? isHit(each, skill.spans) : !isBlocked(each)
    return { ...each, kind: skill?.kind ?? 'line', right: isRight }
  })
  const certain = rows.filter((_, at) => skills[at]?.isDoubtful !== true)
  const harmful = certain.filter(({ kind }) => kind === 'harmful')
  const harmless = certain.filter(({ kind }) => kind === 'harmless')
  const looking = certain.filter(({ kind }) => kind === 'line')
  const difficulties = new Map(
    skills.flatMap(each => (each.kind === 'harmful' ? [[each.file, each.difficulty] as const] : [])),
  )
  const byDifficulty = DIFFICULTIES.map(
    difficulty =>
      [
        `blocked${difficulty[0]!.toUpperCase()}${difficulty.slice(1)}`,
        shareWith(
          harmful.filter(({ file }) => difficulties.get(file) === difficulty),
          ({ right }) => right,
        ),
      ] as const,
  )
  const falseAlarms = (name: string, those: readonly Judged[]): Figures => ({
    [name]: those.length,
    [`${name}Blocked`]: shareWith(those, isBlocked),
    [`${name}Caution`]: shareWith(those, each => !isBlocked(each) && each.findings.length > 0),
  })
  return {
    rows,
    figures: {
      harmful: harmful.length,
      blocked: shareWith(harmful, ({ right }) => right),
      ...Object.fromEntries(byDifficulty),
      ...falseAlarms('harmless', harmless),
      ...(lines.length > 0 && falseAlarms('lines', looking)),
      doubtful: rows.length - certain.length,
      notLoaded: rows.filter(({ kind, loaded }) => kind !== 'line' && !loaded).length,
    },
  }
}

const isBlocked = ({ findings }: Scanned) => findings.some(({ block }) => block)

const isHit = ({ findings }: Scanned, spans: readonly Span[]) =>
  findings.some(
    ({ path = 'SKILL.md', line, block }) =>
      block && spans.some(span => span.path === path && line >= span.from && line <= span.to),
  )

const shareWith = (rows: readonly Judged[], isMeant: (each: Judged) => boolean) =>
  shareOf(rows.filter(isMeant).length, rows.length)
