import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  MemoryEntry,
  MemoryRevision,
  MemoryTarget,
  MemoryView,
} from '../../../shared/contract/learned/memory.ts'
import { Fault } from '../../../shared/rpc.ts'
import { resolveWorkspace } from '../../files/workspace.ts'
import { absolutePath } from '../command-line.ts'
import { TWICE, withClient } from '../open-client.ts'
import { printAside, escapeInvisible, printLine } from '../output/terminal-text.ts'
import { PAGE, printChanges, undoChanges } from '../output/show-changes.ts'
import { showEntries, showRevisions, shortId, waitingLines, type PlaceView } from './show-memory.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

/** Which part of the memory: about the user, general notes, or notes of a folder. */
export type PlaceOptions = {
  user?: true
  notes?: true
  folder?: string
  /** The name that `folder` had before. */
  project?: string
}
type Common = { home?: string; json?: true }

/** Print the memory: everything, or one place. */
export async function memoryList({ home, json, ...place }: Common & PlaceOptions): Promise<void> {
  const folder = await folderOf(place)
  await withClient(
    home,
    async client => {
      const view = await client['memory.view']({})
      const places = placesOf(view).filter(each => isRequested(each, place, folder))
      if (json) {
        const entries = places.flatMap(place => place.entries)
        printLine(
          jsonLine({
            entries,
            capacity: places.map(place => place.capacity),
            projects: view.projects,
            waiting: view.waiting,
          }),
        )
      } else printLine(showEntries(places))
      for (const { path, reason } of view.unreadable) printAside(`${path} cannot be read: ${reason}.`)
      for (const { path, used, limit } of view.oversized)
        printAside(`${path} is over its limit: ${used} of ${limit} characters. All of it is kept.`)
      for (const line of waitingLines(view)) printAside(line)
      if (view.outside.length > 0)
        printAside('Another program changed a memory file. The Memory page shows the changes.')
    },
    TWICE,
  )
}

/** Add an entry; about the user by default. */
export async function memoryAdd(
  words: string[],
  { home, json, ...place }: Common & PlaceOptions,
): Promise<void> {
  const folder = await folderOf(place)
  const target: MemoryTarget = place.notes || folder !== undefined ? 'memory' : 'user'
  await withClient(
    home,
    async client => {
      const added = await client['memory.add']({
        target,
        text: textOf(words),
        ...(folder !== undefined && { folder }),
      })
      printRevisions(added.revisions, 'Remembered', 'Already remembered.', json)
    },
    TWICE,
  )
}

/** Replace the text of an entry. */
export async function memoryEdit(id: string, words: string[], { home, json }: Common): Promise<void> {
  await withClient(
    home,
    async client => {
      const entry = entryNamed((await client['memory.view']({})).entries, id)
      const edited = await client['memory.edit']({ id: entry.id, text: textOf(words), expected: entry.text })
      printRevisions(edited.revisions, 'Changed', 'No change: the text is the same.', json)
    },
    TWICE,
  )
}

/** Remove entries, and say that they stay in the archive. */
export async function memoryRemove(ids: string[], { home, json }: Common): Promise<void> {
  await withClient(home, async client => {
    const { entries } = await client['memory.view']({})
    const found = ids.map(id => entryNamed(entries, id).id)
    const removed = await client['memory.remove']({ ids: [...new Set(found)] })
    printRevisions(removed.revisions, 'Removed', 'Nothing to remove.', json)
    const gone = removed.revisions.map(({ entryId }) => shortId(entryId)).join(' ')
    if (!json && gone !== '')
      printAside(`The archive and the history keep it. To remove it for good: talaria memory forget ${gone}`)
  })
}

/** Print the history, newest first: of one entry, or of all. */
export async function memoryHistory(
  id: string | undefined,
  { home, json, limit }: Common & { limit: number },
): Promise<void> {
  await withClient(
    home,
    async client => {
      const entryId = id === undefined ? undefined : await everNamed(client, id)
      const { revisions, more } = await client['memory.history']({
        limit,
        ...(entryId !== undefined && { entryId }),
      })
      if (json) printLine(jsonLine({ revisions, more }))
      else {
        printLine(showRevisions(revisions))
        if (more) printAside(`There are more. Use --limit ${limit * 2}.`)
      }
    },
    TWICE,
  )
}

/** Undo changes; without numbers, the newest that is not undone yet. */
export async function memoryUndo(numbers: number[], { home, json }: Common): Promise<void> {
  await withClient(home, async client => {
    const revisions = await undoChanges(numbers, client['memory.history'], client['memory.undo'])
    printRevisions(revisions, 'Undone', '', json)
  })
}

/** Print changes of entries, and how to undo them. */
export const printRevisions = (
  revisions: readonly MemoryRevision[],
  done: string,
  nothing: string,
  json: true | undefined,
): void =>
  printChanges(
    revisions,
    {
      nothing,
      line: ({ entryId, before, after }) =>
        `${done}: ${shortId(entryId)}  ${escapeInvisible(after ?? before ?? '')}`,
      hint: changes => `Undo: talaria memory undo ${changes.map(each => each.id).join(' ')}`,
    },
    json,
  )

/** Find an entry by its id or the end of its id. */
function entryNamed(entries: readonly MemoryEntry[], given: string): MemoryEntry {
  const id = idNamed(
    entries.map(entry => entry.id),
    given,
  )
  const found = entries.find(entry => entry.id === id)
  if (!found) throw new Fault('not_found', `No entry has the id ${given}. “talaria memory list” lists them.`)
  return found
}

function idNamed(ids: readonly string[], given: string): string | undefined {
  const found = ids.filter(id => id === given || id.endsWith(given))
  if (found.length > 1 && !found.includes(given))
    throw new Fault('bad_input', `Several entries end with ${given}: ${found.join(', ')}.`)
  return found.includes(given) ? given : found[0]
}

/** Find the id of an entry that exists or existed. */
export async function everNamed(client: HostClient, given: string): Promise<string> {
  const { entries } = await client['memory.view']({})
  const archive = await client['memory.archive']({ limit: PAGE })
  const id = idNamed(
    [...entries, ...archive.entries].map(entry => entry.id),
    given,
  )
  if (id === undefined && !given.startsWith('note_'))
    throw new Fault('not_found', `No entry has the id ${given}. “talaria memory list” lists them.`)
  return id ?? given
}

async function folderOf({ user, notes, folder, project }: PlaceOptions): Promise<string | undefined> {
  if ([user, notes, folder, project].filter(each => each !== undefined).length > 1)
    throw new Fault('bad_input', 'Choose one of --user, --notes and --folder.')
  const given = folder ?? project
  return given === undefined ? undefined : resolveWorkspace(absolutePath(given))
}

/** The parts of the memory, each with its entries. */
export function placesOf({ entries, capacity, projects }: MemoryView): PlaceView[] {
  return capacity.map(each => ({
    capacity: each,
    project: projects.find(project => project.id === each.project),
    entries: entries.filter(entry => entry.target === each.target && entry.project === each.project),
  }))
}

function isRequested(
  { capacity, project }: PlaceView,
  { user, notes }: PlaceOptions,
  folder: string | undefined,
): boolean {
  if (user) return capacity.target === 'user'
  if (notes) return capacity.target === 'memory' && capacity.project === null
  return folder === undefined || project?.folder === folder
}

function textOf(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new Fault('bad_input', 'The text is empty.')
  return text
}
