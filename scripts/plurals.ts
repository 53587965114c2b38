import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// Part of `npm run check`: `src/shared/text/amounts.ts` makes every text that differs between one and
// several. This finds `count === 1 ? 'file' : 'files'` with any two texts, also over several lines.

/** Texts that `=== 1` chooses between although they are no plurals, each with what it is. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/shared/text/amounts.ts': 'the helper itself',
  'src/main/data/export/html-format.ts': 'the heading of a page',
  'src/main/models/formats/grammar/write-numbers.ts':
    'a rule of a grammar, which models are forced to follow',
  'src/main/skills/import/export-skills.ts': 'the name of a file',
  'src/main/files/diff-texts.ts': 'a line number in a diff, which models read',
  'src/renderer/features/skills/skills-state.ts': 'the name of a copy',
}

const TEXT = String.raw`(?:'[^'\n]*'|"[^"\n]*"|${'`'}(?:[^${'`'}$]|\$\{(?:[^{}${'`'}]|${'`'}[^${'`'}]*${'`'})*\}|\$(?!\{))*${'`'})`
const HAND_MADE = new RegExp(String.raw`=== 1\s*\?\s*${TEXT}\s*:\s*${TEXT}`, 'g')

/** The lines of a source that choose between one and several themselves. */
export const handMadePlurals = (text: string): number[] =>
  Array.from(text.matchAll(HAND_MADE), ({ index }) => text.slice(0, index).split('\n').length)

if (process.argv[1] === import.meta.filename) {
  const root = rootFolder()
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.replaceAll(sep, '/')
    if (/\.test\.tsx?$|\/test\//.test(file) || file in ALLOWED) continue
    for (const line of handMadePlurals(readFileSync(join(root, path), 'utf8'))) {
      console.error(`${file}:${line}: use many, byCount, countOf or plural for one and several.`)
      process.exitCode = 1
    }
  }
}
