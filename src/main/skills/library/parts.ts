import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { SkillPart } from '../../../shared/contract/skills.ts'
import { withFile } from './read-inside.ts'
import { realFolder, walkSkill } from './walk-skill.ts'

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
  if (path === 'SKILL.md' || path === 'skill.md') return 'skill'
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
export function partsOf(folder: string): { parts: SkillPart[]; bytes: number; more: boolean } {
  const { files, more } = walkSkill(folder)
  const parts = files.map(({ path, bytes }): SkillPart => ({ path, bytes, kind: kindOf(path) }))
  return { parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0), more }
}

/** The digest of a skill's content: over the paths and bytes of all its parts. */
export function digestOf(folder: string): string {
  const hash = createHash('sha256')
  const real = realFolder(folder)
  const { files, more } = walkSkill(real)
  for (const { path } of files) {
    hash.update(`${Buffer.byteLength(path)}:${path}:`)
    // Unreadable files have a fixed marker. The digest changes once they become readable.
    hash.update(digestOfFile(join(real, path)) ?? 'unreadable')
  }
  if (more) hash.update('more')
  return hash.digest('hex')
}

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
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
