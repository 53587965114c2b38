import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '../src/main/cli/program.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { writeCommands } from './reference/write-commands.ts'
import { writeSettings } from './reference/write-settings.ts'

// `npm run reference` generates the pages on commands and settings in `docs/reference`, so that they cannot
// differ from the product.

/** The generated files: for each path from the root, the text that belongs there. */
export const referenceFiles = (): Readonly<Record<string, string>> => ({
  'docs/reference/command-line.md': writeCommands(createProgram()),
  'docs/reference/settings.md': writeSettings(),
})

if (process.argv[1] === import.meta.filename)
  for (const [path, text] of Object.entries(referenceFiles())) {
    const file = join(rootFolder(), path)
    const isNew = read(file) !== text
    if (isNew) writeFileSync(file, text)
    console.log(`${path}: ${isNew ? 'written' : 'nothing changed'}`)
  }

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
