import type { HostClient } from '../../shared/contract/index.ts'
import type { MemoryEntry, MemoryRevision, MemoryTarget, MemoryView } from '../../shared/contract/memory.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveWorkspace } from '../app/workspace.ts'
import { absolutePath } from './user-paths.ts'
import { withClient } from './open-client.ts'
import { escapeInvisible } from './terminal-text.ts'
import { shortId, showEntries, showRevisions, type Shelf } from './show-memory.ts'

/** Which part of the memory: about the user, general notes, or notes of a folder. */
export type PlaceOptions = { user?: true; notes?: true; project?: string }
type Common = { home?: string; json?: true }

/** Changes to read at once when searching the history. */
const PAGE = 200
/** For calls that are safe to repeat. */
const TWICE = { twice: true }

/** Print the memory: everything, or one place. */
export async function memoryList({ home, json, ...place }: Common & PlaceOptions): Promise<void> {
  const folder = await folderOf(place)
  await withClient(
    home,
    async client => {
      const view = await client['memory.view']({})
      const shelves = shelvesOf(view).filter(shelf => isAsked(shelf, place, folder))
      if (json) {
        const entries = shelves.flatMap(shelf => shelf.entries)
        print(
          JSON.stringify({
            entries,
            capacity: shelves.map(shelf => shelf.capacity),
            projects: view.projects,
          }),
        )
      } else print(showEntries(shelves))
      for (const { path, reason } of view.unreadable) aside(`${path} cannot be read: ${reason}.`)
      if (view.outside.length > 0) aside('A file was changed by another program; the Memory page shows how.')
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
      printChanges(added.revisions, 'Remembered', 'It is remembered already.', json)
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
      printChanges(edited.revisions, 'Changed', 'It says so already.', json)
    },
    TWICE,
  )
}

/** Forget entries; they stay in the archive. */
export async function memoryRemove(ids: string[], { home, json }: Common): Promise<void> {
  await withClient(home, async client => {
    const { entries } = await client['memory.view']({})
    const found = ids.map(id => entryNamed(entries, id).id)
    const removed = await client['memory.remove']({ ids: [...new Set(found)] })
    printChanges(removed.revisions, 'Forgotten', 'Nothing was there.', json)
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
      if (json) print(JSON.stringify({ revisions, more }))
      else {
        print(showRevisions(revisions))
        if (more) aside(`There is more: --limit ${limit * 2}`)
      }
    },
    TWICE,
  )
}

/** Undo changes; without numbers, the newest that is not undone yet. */
export async function memoryUndo(numbers: number[], { home, json }: Common): Promise<void> {
  await withClient(home, async client => {
    const revisionIds = numbers.length > 0 ? numbers : [await newestChange(client)]
    const { revisions } = await client['memory.undo']({ revisionIds })
    if (revisions.length === 0)
      throw new Fault('not_found', 'There is nothing to take back: it was undone already, or never made.')
    printChanges(revisions, 'Taken back', '', json)
  })
}

async function newestChange(client: HostClient): Promise<number> {
  const { revisions } = await client['memory.history']({ limit: PAGE })
  const newest = revisions.find(each => each.undoneBy === null && each.undoes === null)
  if (!newest) throw new Fault('not_found', 'There is no change that could be taken back.')
  return newest.id
}

function printChanges(
  revisions: readonly MemoryRevision[],
  done: string,
  nothing: string,
  json: true | undefined,
): void {
  if (json) return print(JSON.stringify({ revisions }))
  if (revisions.length === 0) return print(nothing)
  for (const { entryId, before, after } of revisions)
    print(`${done}: ${shortId(entryId)}  ${escapeInvisible(after ?? before ?? '')}`)
  aside(`Undo: talaria memory undo ${revisions.map(each => each.id).join(' ')}`)
}

/** Find an entry by its id or the end of it. */
function entryNamed(entries: readonly MemoryEntry[], given: string): MemoryEntry {
  const id = idNamed(
    entries.map(entry => entry.id),
    given,
  )
  const found = entries.find(entry => entry.id === id)
  if (!found) throw new Fault('not_found', `There is no entry ${given}. “talaria memory list” shows them.`)
  return found
}

function idNamed(ids: readonly string[], given: string): string | undefined {
  const found = ids.filter(id => id === given || id.endsWith(given))
  if (found.length > 1 && !found.includes(given))
    throw new Fault('bad_input', `Several entries end with ${given}: ${found.join(', ')}.`)
  return found.includes(given) ? given : found[0]
}

/** The id of an entry that exists or existed. */
async function everNamed(client: HostClient, given: string): Promise<string> {
  const { entries } = await client['memory.view']({})
  const archive = await client['memory.archive']({ limit: PAGE })
  const id = idNamed(
    [...entries, ...archive.entries].map(entry => entry.id),
    given,
  )
  if (id === undefined && !given.startsWith('note_'))
    throw new Fault('not_found', `There is no entry ${given}. “talaria memory list” shows them.`)
  return id ?? given
}

async function folderOf({ user, notes, project }: PlaceOptions): Promise<string | undefined> {
  if ([user, notes, project].filter(each => each !== undefined).length > 1)
    throw new Fault('bad_input', 'Choose one of --user, --notes and --project.')
  return project === undefined ? undefined : resolveWorkspace(absolutePath(project))
}

function shelvesOf({ entries, capacity, projects }: MemoryView): Shelf[] {
  return capacity.map(each => ({
    capacity: each,
    project: projects.find(project => project.id === each.project),
    entries: entries.filter(entry => entry.target === each.target && entry.project === each.project),
  }))
}

function isAsked(
  { capacity, project }: Shelf,
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

const print = (text: string) => void process.stdout.write(`${text}\n`)
const aside = (text: string) => void process.stderr.write(`${text}\n`)
