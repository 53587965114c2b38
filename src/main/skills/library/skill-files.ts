import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { extname, join } from 'node:path'
import { formatBytes } from '../../../shared/text/amounts.ts'
import type { SkillPart, ScanFinding, ScanReport } from '../../../shared/contract/learned/skills.ts'
import { decodeText as decodeAny } from '../../lib/encodings/decode-text.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import { isSkillFile } from '../files/main-file.ts'
import { withFile, readFile } from './resolve-skill-path.ts'
import { realFolder, walkSkill, type LinkedMain } from './walk-skill.ts'
import { scanSkill } from '../check/scan-skill.ts'

const KINDS: Record<string, SkillPart['kind']> = {
  references: 'reference',
  reference: 'reference',
  templates: 'template',
  scripts: 'script',
  assets: 'asset',
}
const SCRIPTS = new Set(
  `.sh .bash .zsh .fish .ksh .csh .py .pyw .js .mjs .cjs .ts .mts .cts .rb .pl .pm .php .lua .r .ps1 .psm1 .bat .cmd .vbs
  .vbe .wsf .jse .scpt .applescript .command .exe .com .msi .scr .dll .so .dylib .jar .appimage .awk .tcl .go .rs`.split(
    /\s+/,
  ),
)
const PIECE = 65_536

/** The purpose of a skill's file by its folder, else by its extension. */
export function kindOf(path: string): SkillPart['kind'] {
  if (isSkillFile(path)) return 'skill'
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
  if (Object.hasOwn(KINDS, folder)) return KINDS[folder]!
  return isProgram(path) ? 'script' : 'other'
}

/** Whether a system or an interpreter runs the file, in any folder. */
export const isProgram = (path: string): boolean => SCRIPTS.has(extname(path).toLowerCase())

/**
 * The files of a skill by path, SKILL.md first. Links and `.git` are left out; `more` means that the limit
 * was reached.
 */
export function partsOf(
  folder: string,
  main?: LinkedMain,
): { parts: SkillPart[]; bytes: number; more: boolean } {
  const { files, more } = walkSkill(folder, main)
  const parts = files.map(({ path, bytes }): SkillPart => ({ path, bytes, kind: kindOf(path) }))
  return { parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0), more }
}

/** The digest of a skill's content, over the paths and bytes of all its parts. */
export function digestOf(folder: string, main?: LinkedMain): string {
  const hash = createHash('sha256')
  const real = realFolder(folder)
  const { files, more } = walkSkill(real, main)
  for (const { path } of files) {
    hash.update(`${Buffer.byteLength(path)}:${path}:`)
    // An unreadable file has a fixed marker, so the digest changes once the file becomes readable.
    hash.update(digestOfFile(pathOf(real, path, main)) ?? 'unreadable')
  }
  if (more) hash.update('more')
  return hash.digest('hex')
}

/** The hash of a skill as it was shown, from the digest of its content. */
export const hashContent = (id: string, digest: string): string => hashShown({ skill: id, digest })

const pathOf = (folder: string, path: string, main: LinkedMain | undefined) =>
  path === main?.file ? main.real : join(folder, path)

function digestOfFile(path: string): string | undefined {
  try {
    return withFile(
      path,
      () => true,
      file => {
        const hash = createHash('sha256')
        const piece = Buffer.allocUnsafe(PIECE)
        for (let read; (read = readSync(file, piece)) > 0;) hash.update(piece.subarray(0, read))
        return hash.digest('hex')
      },
    )
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

/** Maximum size of a text file, in bytes; longer files are not shown either. */
export const MOST_TEXT_BYTES = 1_000_000
/** Maximum total of bytes to scan per skill. */
const MOST_TOTAL_BYTES = 4_000_000
const LOOKED_INTO = 8_192
/** A skill with more files, or a larger one, is larger than nearly all. The limits are Hermes Agent's. */
const MANY_FILES = 50
const LARGE_BYTES = 256 * 1_024
/** Extensions of binary programs. */
const MACHINE_CODE = /\.(exe|com|msi|scr|dll|so|dylib|jar|appimage)$/i

/** Decode bytes as text, from an older encoding if certain; undefined if binary. Bad UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Buffer): string | undefined {
  const marked = inMarked(bytes)
  if (marked !== undefined || isUtf8(bytes)) return marked ?? inUtf8(bytes)
  const found = decodeAny(bytes)
  return found && !found.isUnsure ? found.text : inUtf8(bytes)
}

/** All possible texts of a file, for the scan: programs read bytes, and no encoding may hide anything. */
export function scannedText(bytes: Buffer): string | undefined {
  const [plain, read] = [inMarked(bytes) ?? inUtf8(bytes), decodeText(bytes)]
  return plain === undefined || read === undefined || plain === read ? (plain ?? read) : `${plain}\n${read}`
}

function inMarked(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return bytes[0] === 0xfe && bytes[1] === 0xff ? new TextDecoder('utf-16be').decode(bytes) : undefined
}

const inUtf8 = (bytes: Buffer) =>
  bytes.subarray(0, LOOKED_INTO).includes(0) ? undefined : bytes.toString('utf8')

/**
 * All texts of a skill for the scan, and findings about its structure: programs, sizes, unreadable parts.
 * Files meant to be read or run count as text even with null characters, so that these hide nothing.
 */
export function textsOf(
  folder: string,
  parts: readonly SkillPart[],
  more: boolean,
  main?: LinkedMain,
): { texts: { path: string; text: string }[]; build: ScanFinding[] } {
  const texts: { path: string; text: string }[] = []
  const build: ScanFinding[] = []
  const add = (path: string, rule: string, reason: string) => build.push(findingOf(path, rule, reason))
  const real = realFolder(folder)
  let left = MOST_TOTAL_BYTES
  if (more) add('', UNREAD, 'It has more files than the scan checks.')
  if (parts.length > MANY_FILES)
    add('', 'many-files', `It has ${parts.length} files, far more than most skills.`)
  for (const part of parts) {
    const { path } = part
    if (MACHINE_CODE.test(path)) {
      add(path, 'program', 'This is a program that the scan cannot read.')
      continue
    }
    const bytes = bytesOf(pathOf(real, path, main))
    const text = bytes && (scannedText(bytes) ?? (isMeantAsText(part) ? withoutNulls(bytes) : undefined))
    if (!bytes && isMeantAsText(part))
      add(path, UNREAD, 'This file is too long or cannot be read, so it was not scanned.')
    else if (part.bytes > LARGE_BYTES)
      add(path, 'large-file', `This file is ${formatBytes(part.bytes)} large, far more than most skills.`)
    if (text !== undefined && bytes) {
      left -= bytes.length
      if (left >= 0) texts.push({ path, text })
      else add(path, UNREAD, 'The skill is too long to scan completely, so this file was not scanned.')
    }
  }
  return { texts, build }
}

const UNREAD = 'not-looked-through'
const isMeantAsText = ({ path, kind }: SkillPart) => isProgram(path) || (kind !== 'asset' && kind !== 'other')
const withoutNulls = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '')

function bytesOf(path: string): Buffer | undefined {
  try {
    const read = readFile(path, MOST_TEXT_BYTES)
    return read && 'bytes' in read ? read.bytes : undefined
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

const findingOf = (path: string, rule: string, reason: string): ScanFinding => ({
  path,
  line: 1,
  rule,
  category: 'structure',
  severity: 'high',
  block: false,
  reason,
  excerpt: '',
})

/** Scan a folder as the library does, with findings about its structure. */
export function scanFolder(folder: string): ScanReport {
  const { parts, more } = partsOf(folder)
  const { texts, build } = textsOf(folder, parts, more)
  return withBuild(scanSkill(texts), build)
}

/** Merge the scan of texts with findings about the skill's structure. */
export function withBuild(scanned: ScanReport, build: readonly ScanFinding[]): ScanReport {
  if (build.length === 0) return scanned
  const verdict = scanned.verdict === 'dangerous' ? 'dangerous' : 'caution'
  return { verdict, findings: [...scanned.findings, ...build] }
}
