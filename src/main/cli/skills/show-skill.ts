import { styleText } from 'node:util'
import type { SkillCandidate, SkillImport } from '../../../shared/contract/learned/skill-imports.ts'
import type {
  ScanFinding,
  ScanReport,
  Skill,
  SkillBundle,
  SkillPart,
  SkillRevision,
} from '../../../shared/contract/learned/skills.ts'
import { stripControls, escapeInvisible, momentOf, many } from '../output/terminal-text.ts'
import { undoNotes } from '../output/show-changes.ts'

/** Maximum number of findings and files to list; more are only counted. */
const SHOWN = 8
/** With more skills than this, harmless ones take one line each. */
const FEW = 20
/** Columns when the terminal width is unknown. */
const WIDTH = 100
const MAX_NAME_CHARS = 32

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const count = (number: number) => number.toLocaleString('en')
/** A text from outside on one line. */
const line = (text: string) => escapeInvisible(text.replaceAll(/\s+/g, ' ').trim())
const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, Math.max(0, most - 1)).toWellFormed()}…` : text

/** Whether models can use a skill, in one word. */
function stateOf({ enabled, blocked, unavailable, shadowedBy, prerequisites }: Skill): string {
  if (shadowedBy !== null) return 'hidden'
  if (blocked !== null) return 'blocked'
  if (!enabled) return 'off'
  if (prerequisites.some(({ kind, isMet }) => kind === 'key' && !isMet)) return 'needs key'
  return unavailable === null ? 'on' : 'unusable'
}

const ORIGINS: Record<Skill['origin'], string> = {
  builtin: 'built in',
  user: 'yours',
  agent: 'learned',
  imported: 'imported',
  project: 'trusted folder',
  folder: 'added folder',
}

const originOf = ({ origin, isEdited, pinned }: Skill): string =>
  [ORIGINS[origin], ...(isEdited ? ['edited'] : []), ...(pinned ? ['pinned'] : [])].join(', ')

/** Skills as text, one per line. */
export function showSkills(skills: readonly Skill[], width = process.stdout.columns ?? WIDTH): string {
  if (skills.length === 0) return 'No skills.'
  const rows = skills.map(skill => [
    cut(line(skill.name), MAX_NAME_CHARS),
    stateOf(skill),
    originOf(skill),
    count(skill.uses.loads),
    count(skill.tokens),
  ])
  const head = ['name', 'state', 'origin', 'uses', 'tokens']
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map(row => row[at]!.length)))
  const padded = (row: readonly string[]) =>
    row.map((cell, at) => (at < 3 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')
  const room = Math.max(20, width - widths.reduce((sum, each) => sum + each + 2, 0))
  return [
    dim(`${padded(head)}  description`),
    ...rows.map((row, at) => `${padded(row)}  ${cut(line(skills[at]!.description), room)}`),
  ].join('\n')
}

/** Bundles as text, one per line with its skills. */
export function showBundles(bundles: readonly SkillBundle[], skills: readonly Skill[]): string {
  const nameOf = (key: string) =>
    skills.find(each => each.key === key && each.shadowedBy === null)?.name ?? `${key} (deleted)`
  const rows = bundles.map(({ name, keys }) => `${line(name)}: ${line(keys.map(nameOf).join(', '))}`)
  return rows.join('\n') || 'No bundles. “talaria skills bundles make” makes one.'
}

/** The details of one skill, shown above its text. */
export function showHead(skill: Skill, folder: string, files: readonly SkillPart[]): string {
  const state = skill.blocked ?? (skill.enabled ? skill.unavailable : null)
  const { source } = skill
  return [
    `${line(skill.name)}  ${stateOf(skill)}, ${originOf(skill)}`,
    ...(state === null ? [] : [line(state)]),
    line(folder),
    ...(source
      ? [`from ${line(source.address)}${source.commit ? ` at ${source.commit.slice(0, 12)}` : ''}`]
      : []),
    ...files.map(
      file => `  ${line(file.path)}  ${count(file.bytes)} bytes${file.kind === 'script' ? ', a script' : ''}`,
    ),
    ...skill.attention.map(reason => `! ${line(reason)}`),
  ].join('\n')
}

const VERDICTS: Record<ScanReport['verdict'], string> = {
  safe: 'nothing dangerous found',
  caution: 'CAUTION: read these lines first',
  dangerous: 'DANGEROUS',
}

/** The verdict of the scan, and every finding with its line. */
export function showScan(name: string, { verdict, findings }: ScanReport): string {
  // Two rules may report the same finding in one line.
  const shown = new Set(findings.map(finding => showFinding(finding)))
  return [`${line(name)}: ${VERDICTS[verdict]}`, ...shown].join('\n')
}

const showFinding = ({ path, line: at, severity, reason, excerpt }: ScanFinding) =>
  [
    `    ${path === '' ? 'all of it' : `${line(path)}:${at}`}  ${severity}: ${line(reason)}`,
    ...(excerpt === '' ? [] : [`        ${cut(line(excerpt), WIDTH)}`]),
  ].join('\n')

/** The preview of an import. */
export function showImport({ source, candidates, leftOut }: SkillImport): string {
  const commit = source.commit === null ? '' : ` at commit ${source.commit.slice(0, 12)}`
  const files = candidates.reduce((sum, each) => sum + each.files.length, 0)
  return [
    `${line(source.address)}${commit}: ${many(candidates.length, 'skill')}, ${many(files, 'file')}.`,
    ...candidates.map(each =>
      candidates.length > FEW && isPlain(each) ? showName(each) : showCandidate(each),
    ),
    ...leftOut.map(each => `Skipped: ${line(each)}`),
    '',
  ].join('\n')
}

const showName = ({ name, description }: SkillCandidate) =>
  `  ${line(name)}  ${cut(line(description), WIDTH)}`

/** Whether a skill needs no details in a long list. */
const isPlain = ({ on, refused, replaces, scan }: SkillCandidate) =>
  on && refused === null && replaces === null && scan.verdict === 'safe'

function showCandidate(candidate: SkillCandidate): string {
  const { files, licence, issues, scan, replaces, on, refused } = candidate
  const scripts = files.filter(({ kind }) => kind === 'script').map(({ path }) => line(path))
  const errors = issues.filter(({ level }) => level === 'error')
  const isNamed = issues.find(({ rule }) => rule === 'import-name')
  // Harmless findings are only counted.
  const grave = scan.findings.filter(({ severity }) => severity === 'high' || severity === 'critical')
  const facts = [
    many(files.length, 'file'),
    scripts.length === 0 ? 'no scripts' : `${many(scripts.length, 'script')} (${named(scripts)})`,
    ...(candidate.publisher === null ? [] : [`trusted publisher ${line(candidate.publisher)}`]),
    licence === null ? 'no licence' : `licence ${line(licence)}`,
    refused !== null ? 'cannot be imported' : on ? 'will be on' : 'will be off',
  ]
  return [
    showName(candidate),
    `    ${facts.join(', ')}`,
    ...(refused === null ? [] : [`    ${line(refused)}`]),
    ...(replaces === null ? [] : [`    ${showReplaced(replaces)}`]),
    ...(isNamed ? [`    ${line(isNamed.text)}`] : []),
    ...(errors.length === 0
      ? []
      : [`    ${many(errors.length, 'format error')}: ${cut(line(errors[0]!.text), WIDTH)}`]),
    ...(scan.verdict === 'safe' ? [] : [`    ${VERDICTS[scan.verdict]}`]),
    ...grave.slice(0, SHOWN).map(showFinding),
    ...(grave.length > SHOWN ? [`    and ${count(grave.length - SHOWN)} more`] : []),
  ].join('\n')
}

function showReplaced({ origin, isEdited, changes }: NonNullable<SkillCandidate['replaces']>): string {
  const what = `A skill of that name exists (${ORIGINS[origin]}${isEdited ? ', edited: your edits stay' : ''})`
  if (changes.length === 0) return `${what} and is the same.`
  return `${what}. ${many(changes.length, 'file differs', 'files differ')}: ${named(changes.map(each => line(each.path)))}.`
}

const named = (names: readonly string[]) =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(', ')} and ${count(names.length - SHOWN)} more`
    : names.join(', ')

const DEEDS: Record<SkillRevision['op'], string> = {
  create: 'written',
  edit: 'changed',
  delete: 'deleted',
  restore: 'restored',
  import: 'imported',
  reset: 'reset to the original',
  enable: 'switched on',
  disable: 'switched off',
  pin: 'pinned',
  unpin: 'unpinned',
}
const ACTORS: Record<SkillRevision['actor'], string> = {
  you: 'you',
  agent: 'the agent',
  review: 'a review',
  import: 'an import',
}

/** Changes as text, with their numbers. */
export const showSkillRevisions = (revisions: readonly SkillRevision[]): string =>
  revisions.map(showRevision).join('\n') || 'No changes yet.'

function showRevision(revision: SkillRevision): string {
  const { id, at, name, op, actor, note, files } = revision
  return [
    `${id}  ${momentOf(at)}  ${line(name)}  ${DEEDS[op]} by ${ACTORS[actor]}${undoNotes(revision)}`,
    ...(note === '' ? [] : [`    ${cut(line(note), WIDTH)}`]),
    ...files.slice(0, SHOWN).map(file => `    ${sign(file)} ${line(file.path)}`),
    ...(files.length > SHOWN ? [`    and ${many(files.length - SHOWN, 'other file')}`] : []),
  ].join('\n')
}

const sign = ({ before, after, binary }: SkillRevision['files'][number]) =>
  binary ? '*' : before === null ? '+' : after === null ? '-' : '~'

/** The text of a skill, safe for a terminal. */
export const showText = (text: string): string => stripControls(text.endsWith('\n') ? text : `${text}\n`)
