import { listFiles } from './list-files.ts'
import { patchFile } from './patch-file.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { terminal } from './terminal.ts'
import type { Tool } from './tool.ts'
import { writeFile } from './write-file.ts'

/** The tools available to every chat. */
export const coreTools = (config: { timeout_s: number }): Tool[] => [
  terminal(config),
  readFile,
  writeFile,
  patchFile,
  listFiles,
  searchFiles(),
]
