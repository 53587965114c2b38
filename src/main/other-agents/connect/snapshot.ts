import type { AgentMay } from '../../../shared/contract/connections/agents.ts'
import type { MemoryEntry, MemoryProject } from '../../../shared/contract/learned/memory.ts'
import { redactText } from '../../untrusted/redact.ts'
import type { Snapshot } from './connector.ts'

/** Maximum bytes of one part of a snapshot, and of all folders. Far less is put before a model. */
const MOST_PART = 4_000
const MOST_FOLDERS = 200_000

/** The memory that goes into snapshots. */
export type SharedMemory = { entries: readonly MemoryEntry[]; projects: readonly MemoryProject[] }

/** Make the snapshot for our scripts in a program, by its rights; empty while the offline lock is on. */
export function makeSnapshot(
  { entries, projects }: SharedMemory,
  {
    may,
    isLocked,
    inbox,
    skills,
  }: { may: AgentMay; isLocked: boolean; inbox: string; skills: readonly string[] },
): Snapshot {
  // An entry hidden from models is also hidden from those of other programs.
  const readable = entries
    .filter(({ blocked, archivedAt }) => blocked === null && archivedAt === null)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
  const linesOf = (chosen: readonly MemoryEntry[]) =>
    fit(chosen.map(({ text }) => `- ${redactText(oneLine(text))}`))
  const isUsers = (entry: MemoryEntry) => entry.target === 'user' && entry.project === null
  const folders: Record<string, string> = {}
  if (may.notes && !isLocked) {
    let left = MOST_FOLDERS
    const places = [{ id: null, folder: '' }, ...projects.filter(({ folder }) => folder !== '')]
    for (const { id, folder } of places) {
      const text = linesOf(readable.filter(({ target, project }) => target === 'memory' && project === id))
      left -= Buffer.byteLength(text)
      if (text !== '' && left > 0) folders[folder] = text
    }
  }
  return {
    v: 1,
    learn: may.learn,
    inbox,
    about: may.user && !isLocked ? linesOf(readable.filter(isUsers)) : '',
    folders,
    skills: may.skills && !isLocked ? [...skills] : [],
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function fit(lines: readonly string[]): string {
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > MOST_PART) break
    kept.push(line)
  }
  return kept.join('\n')
}
