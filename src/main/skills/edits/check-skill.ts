import type { ScanReport } from '../../../shared/contract/skills.ts'
import { isProgram, kindOf } from '../library/parts.ts'
import { decodeText } from '../library/texts.ts'
import { lintSkill } from '../read/lint.ts'
import { policyFor } from '../scan/policy.ts'
import { scanSkill } from '../scan/scan-skill.ts'
import type { SkillBy, SkillRefusal } from '../types.ts'
import { filesOnly, type Tree } from './tree.ts'

/** What the specification allows SKILL.md, in characters. */
const MOST_MAIN_CHARS = 100_000
const MOST_FILE_BYTES = 1_000_000
/** So many errors are told at once. */
const TOLD = 5
const NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/
/** On Windows these open a device. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Whether a folder may have this name: as strict as the specification is about names of skills. */
export const isName = (name: string): boolean => NAME.test(name) && !DEVICE.test(name)

/** Why a text may not be written as SKILL.md; undefined when it may. `folder` is the name that its folder will have. */
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

/** Why a text may not be written as another file of a skill; undefined when it may. */
export function refuseFile(path: string, text: string): SkillRefusal | undefined {
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_FILE_BYTES)
    return { refused: `${path} was not saved: it has ${bytes} bytes, and ${MOST_FILE_BYTES} are allowed.` }
  return refuseText(path, text)
}

function refuseText(path: string, text: string): SkillRefusal | undefined {
  if (text.includes('\0')) return { refused: `${path} was not saved: it has a NUL character and is no text.` }
  // Written to a file it would be another text.
  if (!text.isWellFormed()) return { refused: `${path} was not saved: half a character stands in it.` }
  return undefined
}

/** Whether another file has this path but for capitals; many systems would take the two for one. */
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
 * Let the scan judge a whole skill as it would be: what is dangerous is refused, unless somebody wants it `despite`. What a
 * model wrote is judged by the policy for that; nobody judges what the person takes back or an import installs.
 */
export function judge(
  tree: Tree,
  by: SkillBy,
  despite: boolean,
): (SkillRefusal & { scan: ScanReport }) | { isDangerous: boolean } {
  const files = [...filesOnly(tree)].flatMap(([path, entry]) => {
    const text = entry.kind === 'file' ? readableText(path, entry.bytes) : undefined
    return text === undefined ? [] : [{ path, text }]
  })
  const scan = scanSkill(files)
  const isDangerous = scan.verdict === 'dangerous'
  const isRefused = by.actor === 'you' ? isDangerous : policyFor(scan, 'agent') === 'block'
  if (!isRefused || despite) return { isDangerous }
  const worst = scan.findings.filter(finding => finding.block).slice(0, 3)
  const reasons = worst.map(({ path, line, reason }) => `${path}, line ${line}: ${reason}`)
  return { refused: ['Not saved: the security scan calls this dangerous.', ...reasons].join('\n'), scan }
}

/** What somebody or something could read in a file: a program hides nothing behind a NUL. */
function readableText(path: string, bytes: Buffer): string | undefined {
  if (bytes.length > MOST_FILE_BYTES) return undefined
  const kind = kindOf(path)
  const isMeant = isProgram(path) || (kind !== 'asset' && kind !== 'other')
  return decodeText(bytes) ?? (isMeant ? bytes.toString('utf8').replaceAll('\0', '') : undefined)
}
