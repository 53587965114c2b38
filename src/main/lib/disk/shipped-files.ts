import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const fromSource = here.endsWith('.ts')

/** The project's root when run from a checkout, the application folder when packaged. */
export function rootFolder(): string {
  let folder = dirname(here)
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`No package.json above ${here}`)
    folder = parent
  }
  return folder
}

/** A file that ships beside the code, such as the built-in model; packaged applications keep them outside the archive. */
export function resourcePath(name: string): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath
  const outside = packaged ? join(packaged, name) : undefined
  return outside && existsSync(outside) ? outside : join(rootFolder(), 'resources', name)
}

/** The folder of the bundled skills. */
export function bundledSkills(): string {
  const packaged = (process as { resourcesPath?: string }).resourcesPath
  const outside = packaged ? join(packaged, 'skills') : undefined
  return outside && existsSync(outside) ? outside : join(rootFolder(), 'skills')
}

/** The folder of the documents that Help shows. */
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
 * The script of a second process or thread: TypeScript when run from source, the built file otherwise. A packaged
 * application keeps these scripts, and all that they import, beside its archive: Electron's documentation promises
 * archives to the main process and to pages, not to worker threads.
 */
export const entryPath = (name: Entry): string =>
  fromSource ? join(rootFolder(), sources[name]) : join(besideArchive(rootFolder()), 'out/main', `${name}.js`)

/** The folder of the character maps of pdf.js, which the build copies; without them Japanese text of a PDF is empty. */
export const characterMaps = (): string =>
  fromSource
    ? join(rootFolder(), 'node_modules/pdfjs-dist/cmaps')
    : join(besideArchive(rootFolder()), 'out/main/cmaps')

/**
 * The folder of the unpacked files of an archive; any other folder stays as it is.
 * @internal The checks of a package look there too.
 */
export const besideArchive = (folder: string): string =>
  folder.endsWith('.asar') ? `${folder}.unpacked` : folder
