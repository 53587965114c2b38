import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Connection } from '../../src/main/db/connection.ts'
import type { Store } from '../../src/main/db/store.ts'
import type { ServedFile } from './protocol.ts'

/** Where seeds write: the folders of a host, and a separate connection to its database. */
export type Place = {
  home: string
  workspace: string
  /** The folder of bundled skills, empty unless a test fills it. */
  bundled: string
  readonly store: Store
  /** The local servers of the host. */
  served: Served
  /** For rows that no store function can write, such as a chat with a given id. */
  readonly db: Connection['db']
  setClock(now: number): void
  /** Register a function to call before the database is closed, for background work on it. */
  onClose(close: () => void): void
}

/** The contents of the local servers of one host, set by a test. */
export type Served = {
  modelUrl: string
  filesUrl: string
  listModels(models: readonly object[]): void
  putFile(file: ServedFile): void
}

/** Write files below a folder; null deletes one. */
export function write(folder: string, files: Record<string, string | null>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (text === null) rmSync(path, { force: true })
    else writeFileSync(path, text)
  }
}

/** The text of a file below a folder; null if it does not exist. */
export function read(folder: string, name: string): string | null {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
