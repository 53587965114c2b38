import type { ScanReport } from '../../../shared/contract/learned/skills.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { isProgram, kindOf, scannedText } from '../library/skill-files.ts'
import { lintSkill } from '../files/lint-skill.ts'
import { policyFor, scanSkill } from '../check/scan-skill.ts'
import type { Despite, FoundSkill, SkillBy, SkillRefusal } from '../skill-types.ts'
import { filesOnly, type Tree } from './folder-tree.ts'

/** Maximum length of SKILL.md in the specification, in characters. */
const MOST_MAIN_CHARS = 100_000
const MOST_FILE_BYTES = 1_000_000
/** Maximum number of errors to list in one refusal. */
const TOLD = 5
/** Refuse to change a skill behind a link: its files belong to something else of the user's. */
export const refuseLinked = ({ name, linked }: FoundSkill): SkillRefusal | undefined =>
  linked === undefined
    ? undefined
    : {
        refused: `${name} is a link to ${linked}, out of the folder of skills. Nothing was changed: it is changed there, by the person.`,
      }

/** Why a text may not be saved as SKILL.md, or undefined. `folder`: the future name of the skill's folder. */
export function refuseMain(text: string, folder?: string): SkillRefusal | undefined {
  if (text.length > MOST_MAIN_CHARS) {
    const size = `${text.length} characters long, and ${MOST_MAIN_CHARS} are allowed`
    return { refused: `SKILL.md was not saved: it is ${size}. Move details into files below references/.` }
  }
  const broken = refuseText('SKILL.md', text)
  if (broken) return broken
  const errors = lintSkill(text, folder === undefined ? {} : { folder }).filter(
    issue => issue.level === 'error',
  )
  if (errors.length === 0) return undefined
  const lines = errors
    .slice(0, TOLD)
    .map(({ line, text: what }) => (line === null ? what : `Line ${line}: ${what}`))
  const more = errors.length > TOLD ? [`And ${errors.length - TOLD} more.`] : []
  return { refused: ['SKILL.md was not saved, because its form is wrong.', ...lines, ...more].join('\n') }
}

/** The reason why a text may not be saved as another file of a skill; undefined if it may. */
export function refuseFile(path: string, text: string): SkillRefusal | undefined {
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_FILE_BYTES)
    return { refused: `${path} was not saved: it has ${bytes} bytes, and ${MOST_FILE_BYTES} are allowed.` }
  return refuseText(path, text)
}

function refuseText(path: string, text: string): SkillRefusal | undefined {
  if (text.includes('\0')) return { refused: `${path} was not saved: it has a NUL character and is no text.` }
  // UTF-8 cannot encode a lone surrogate, so the file would differ.
  if (!text.isWellFormed()) return { refused: `${path} was not saved: half a character stands in it.` }
  return undefined
}

/** Refuse a path that differs from an existing one only in case: many systems treat both as one file. */
export function refuseTwin(tree: Tree, path: string): SkillRefusal | undefined {
  const key = (each: string) => each.normalize('NFC').toLowerCase()
  const twin = [...tree.keys()].find(
    each =>
      each !== path &&
      (key(each) === key(path) || key(path).startsWith(`${key(each)}/`)) &&
      !isFolderOf(tree, each),
  )
  return twin === undefined
    ? undefined
    : { refused: `${path} was not saved: ${twin} is there already, and not every system tells them apart.` }
}

const isFolderOf = (tree: Tree, path: string) => tree.get(path)?.kind === 'folder'

/**
 * Scan a whole skill before it is saved, and refuse it if it is dangerous, unless `despite` is given. Text
 * from a model must also pass the policy for agents. Undo by the user and imports are not checked here.
 */
export function checkSafety(
  tree: Tree,
  by: SkillBy,
  despite: Despite,
): (SkillRefusal & { scan: ScanReport }) | { isDangerous: boolean } {
  const files = [...filesOnly(tree)].flatMap(([path, entry]) => {
    const text = entry.kind === 'file' ? readableText(path, entry.bytes) : undefined
    return text === undefined ? [] : [{ path, text }]
  })
  const scan = scanSkill(files)
  const isDangerous = scan.verdict === 'dangerous'
  const isRefused = by.actor === 'you' ? isDangerous : policyFor(scan, 'agent') === 'block'
  const seen = hashShown(files)
  if (!isRefused || despite === true || despite === seen) return { isDangerous }
  const worst = scan.findings.filter(finding => finding.block).slice(0, 3)
  const reasons = worst.map(({ path, line, reason }) => `${path}, line ${line}: ${reason}`)
  return {
    refused: ['Not saved: the security scan calls this dangerous.', ...reasons].join('\n'),
    scan,
    seen,
  }
}

/** The readable text of a file, for a user or a program. A NUL must not hide a script from the scan. */
function readableText(path: string, bytes: Buffer): string | undefined {
  if (bytes.length > MOST_FILE_BYTES) return undefined
  const kind = kindOf(path)
  const isMeant = isProgram(path) || (kind !== 'asset' && kind !== 'other')
  return scannedText(bytes) ?? (isMeant ? bytes.toString('utf8').replaceAll('\0', '') : undefined)
}
