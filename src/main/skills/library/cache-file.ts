import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { parseJson } from '../../lib/expected-errors.ts'
import { renamePatiently } from '../../lib/durable-files.ts'
import type { FolderNode } from './walk-roots.ts'

/**
 * Format version; files of other versions are ignored. Increase it when `FolderNode` or the data read from a
 * skill changes.
 */
const VERSION = 1

/**
 * The data from the previous process; empty when the file is missing, damaged, or from another version or
 * edition.
 */
export function loadCache(path: string, edition: string): Map<string, FolderNode> {
  const text = read(path)
  const end = text.indexOf('\n')
  const json = text.slice(end + 1)
  if (end < 0 || text.slice(0, end) !== headOf(json, edition)) return new Map()
  const nodes = new Map(parseJson(json) as [string, FolderNode][])
  for (const { entry } of nodes.values()) if (entry) entry.text.more = withoutPrototypes(entry.text.more)
  return nodes
}

/** Save the cache. Losing it is harmless, so the write is not synced. */
export function saveCache(path: string, edition: string, nodes: ReadonlyMap<string, FolderNode>): void {
  const json = JSON.stringify([...nodes])
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.tmp`, `${headOf(json, edition)}\n${json}`, { mode: 0o600 })
  renamePatiently(() => renameSync(`${path}.tmp`, path))
}

const headOf = (json: string, edition: string) =>
  JSON.stringify({ version: VERSION, edition, crc: crc32(json) })

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return ''
  }
}

/**
 * Restore maps without prototypes, so that names such as `constructor` exist only if a skill defines them.
 */
function withoutPrototypes<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) withoutPrototypes(each)
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null)
}
