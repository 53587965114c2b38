import { mkdirSync, readdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of backups inside a home folder, created when it is missing. */
export function backupFolder(home: string): string {
  const folder = join(home, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Remove the oldest files whose names begin with `prefix`, until `count` are left. */
export function keepNewest(folder: string, prefix: string, count: number): void {
  const files = readdirSync(folder)
    .filter(name => name.startsWith(prefix))
    .map(name => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1))
  for (const { path } of files.slice(count)) unlinkSync(path)
}

/** A time for a file name: `20261121T081547`. */
export const fileTime = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
