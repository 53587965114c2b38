import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const fromSource = here.endsWith('.ts')

/** Return the project's root when run from a checkout, the application folder when packaged. */
export function rootFolder(): string {
  let folder = dirname(here)
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`No package.json above ${here}`)
    folder = parent
  }
  return folder
}

/** Return the path of a shipped file. Packaged applications keep these outside the archive. */
export function resourcePath(name: string): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath
  const outside = packaged ? join(packaged, name) : undefined
  return outside && existsSync(outside) ? outside : join(rootFolder(), 'resources', name)
}

/** Return the folder of the bundled skills. */
export function bundledSkills(): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath
  const outside = packaged ? join(packaged, 'skills') : undefined
  return outside && existsSync(outside) ? outside : join(rootFolder(), 'skills')
}

/** Return the folder of the documents that Help shows. */
export function helpFolder(): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath
  const outside = packaged ? join(packaged, 'docs') : undefined
  return outside && existsSync(outside) ? outside : join(rootFolder(), 'docs')
}

const sources = {
  'engine-process': 'src/main/models/engines/local/process/engine-process.ts',
  'import-worker': 'src/main/chats/import/import-worker.ts',
  'recall-thread': 'src/main/chats/search/recall-thread.ts',
  'search-worker': 'src/main/tools/search/search-worker.ts',
  'data-thread': 'src/main/data/data-thread.ts',
  'text-worker': 'src/main/tools/files/file-job-thread.ts',
  'document-process': 'src/main/documents/document-process.ts',
  'picture-process': 'src/main/pictures/picture-process.ts',
  'read-thread': 'src/main/web/read/read-thread.ts',
  'spool-thread': 'src/main/other-agents/inbox/spool-thread.ts',
  'scan-thread': 'src/main/skills/library/scan-thread.ts',
} as const
/** A script that runs in a separate process or thread. */
export type Entry = keyof typeof sources

/**
 * Return the script of a second process or thread: TypeScript when run from source, otherwise the built file.
 * A packaged application keeps these scripts and their imports beside its archive, because Electron supports
 * archives only in the main process and pages, not in worker threads.
 */
export const entryPath = (name: Entry): string =>
  fromSource ? join(rootFolder(), sources[name]) : join(besideArchive(rootFolder()), 'out/main', `${name}.js`)

/** Return the folder of pdf.js's character maps. Without them, Japanese PDF text is empty. */
export const characterMaps = (): string =>
  fromSource
    ? join(rootFolder(), 'node_modules/pdfjs-dist/cmaps')
    : join(besideArchive(rootFolder()), 'out/main/cmaps')

/**
 * Return the folder of an archive's unpacked files; any other folder unchanged.
 * @internal The checks of a package look there too.
 */
export const besideArchive = (folder: string): string =>
  folder.endsWith('.asar') ? `${folder}.unpacked` : folder
