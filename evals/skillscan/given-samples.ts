import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { isSkillFile } from '../../src/main/skills/files/main-file.ts'
import { fail, readRows } from '../command-line.ts'
import type { Sample } from './scan-samples.ts'

/**
 * The skills at a path: skill folders with all their files, single Markdown files, or the lines of a .jsonl
 * file.
 */
export function givenSamples(given: string): Sample[] {
  const path = resolve(given)
  try {
    if (!statSync(path).isDirectory())
      return path.endsWith('.jsonl') ? lineSamples(path) : [singleFile(path, dirname(path))]
    const found = inFolder(path, path)
    return found.length > 0 ? found : fail(`There is no skill in ${given}.`)
  } catch (error) {
    return fail(`${given} cannot be read: ${(error as Error).message}`)
  }
}

function inFolder(folder: string, root: string): Sample[] {
  const names = readdirSync(folder).toSorted()
  const skill = names.find(isSkillFile)
  if (skill !== undefined)
    return [{ file: labelOf(join(folder, skill), root), name: basename(folder), content: { folder } }]
  return names.flatMap(name => {
    const path = join(folder, name)
    if (name.startsWith('.') && name !== '.agents' && name !== '.claude') return []
    if (statSync(path).isDirectory()) return inFolder(path, root)
    return name.endsWith('.md') && name !== 'README.md' ? [singleFile(path, root)] : []
  })
}

const singleFile = (path: string, root: string): Sample => ({
  file: labelOf(path, root),
  name: basename(path, '.md'),
  content: [{ path: 'SKILL.md', bytes: readFileSync(path) }],
})

const LineRow = z.looseObject({ text: z.string().min(1), file: z.string().optional() })

/** The `text` of each line as the SKILL.md of a separate folder. */
export const lineSamples = (path: string): Sample[] =>
  readRows(path, LineRow).map(({ text, file }, at) => ({
    file: file ?? `${basename(path)}:${at + 1}`,
    name: `line-${at + 1}`,
    content: [{ path: 'SKILL.md', bytes: Buffer.from(text) }],
  }))

/**
 * The path that labels use: from the last folder named malicious or benign, else relative to the given
 * folder's parent.
 */
function labelOf(path: string, root: string): string {
  const parts = path.split(sep)
  const at = parts.findLastIndex(part => part === 'malicious' || part === 'benign')
  return at > 0 ? parts.slice(at).join('/') : relative(dirname(root), path).split(sep).join('/')
}
