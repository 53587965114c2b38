import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Connection } from '../../src/main/store/connection.ts'
import type { Store } from '../../src/main/store/types.ts'
import type { ServedFile } from './protocol.ts'

/** Where seeds go: the folders of a host, and its database through a connection of the test's own. */
export type Place = {
  home: string
  workspace: string
  /** The folder of the skills that ship, empty unless a test fills it. */
  bundled: string
  store: Store
  /** What the host finds at its servers on this computer. */
  served: Served
  /** For what no function of the store writes, such as a chat with a given id. */
  db: Connection['db']
}

/** The servers of one host on loopback, as far as a test decides what they have. */
export type Served = {
  modelUrl: string
  filesUrl: string
  listModels(models: readonly object[]): void
  putFile(file: ServedFile): void
}

/** Write files below a folder; null removes one. */
export function write(folder: string, files: Record<string, string | null>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (text === null) rmSync(path, { force: true })
    else writeFileSync(path, text)
  }
}

/** The text of a file below a folder, or null where there is none. */
export function read(folder: string, name: string): string | null {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
