import { relative, sep } from 'node:path'
import type { MemoryEntry, MemoryRevision } from '../../shared/contract/learned/memory.ts'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import { fileErrorCode, reasonOf, isRefusal } from '../lib/expected-errors.ts'
import type { NewRevision } from '../db/learning/memory-tables.ts'
import type { Store } from '../db/store.ts'
import {
  planChange,
  type ChangedBy,
  type LoggedStep,
  type MemoryRefusal,
  type MemoryStep,
  type PlannedChange,
} from './plan-change.ts'
import { isIn, placeName, pathOf, writeNotes, type Place, formatNotes, parseNotes } from './note-files.ts'
import type { MemoryLimits } from './note-limits.ts'
import { compareNotes, joinEdits, twinPlaces } from './outside/outside-edits.ts'
import { openWaiting, whyLeftAlone, type WaitingFiles } from './outside/open-waiting.ts'
import { readNotes } from './outside/read-notes.ts'
import { copyBeside, refuseDestroying } from './protect-file.ts'

/** The notebook: its files, and the records about them in the store, kept in sync. */
export type Notebook = {
  /** Import edits by other programs. Returns in how many ms to check again, if that is known. */
  sync(): number | undefined
  /** All entries in file order. */
  entries(): MemoryEntry[]
  /** Unreadable files: path to reason. */
  unreadable(): ReadonlyMap<string, string>
  /** Files that wait for the user's choice. Their last good version stays in use. */
  waiting: WaitingFiles
  places(): Place[]
  /** Replace a file's contents with these entries. A copy of the old contents is kept beside it. */
  accept(place: Place, texts: readonly string[], by: ChangedBy): Changed | MemoryRefusal
  /** Make a change, all or nothing. Once this returns, the change survives a power cut. */
  change(steps: readonly LoggedStep[], by: ChangedBy): Changed | MemoryRefusal
  /** The reason why a change would be refused, without making it; undefined if it would succeed. */
  check(steps: readonly MemoryStep[], by: ChangedBy): MemoryRefusal | undefined
}

/** A completed change. `same` counts steps without an effect. */
type Changed = { revisions: MemoryRevision[]; same: number }

type Parts = {
  home: string
  store: Store['memory']
  limits: () => MemoryLimits
  now: () => number
  /** Called after an edit by another program was imported. */
  onOutside: () => void
  /** Reads a notebook file; replaced in tests that count. */
  read?: typeof readNotes
  /** Writes a notebook file; replaced in tests of full disks. */
  write?: typeof writeNotes
}

/** A change in progress, stored until it is complete. */
type Pending = {
  files: { path: string; before: string; after: string }[]
  entries: MemoryEntry[]
  revisions: NewRevision[]
}

const WAITS = 'What waits is completed as soon as there is room.'
const BY_FILE: ChangedBy = { actor: 'file', sessionId: null, messageId: null, reviewId: null }

/** Open the notebook of a home folder, and complete a change that a crash interrupted. */
export function openNotebook(parts: Parts): Notebook {
  const { home, store, limits, now, onOutside, read = readNotes, write = writeNotes } = parts
  const broken = new Map<string, string>()
  const waiting = openWaiting({ now, history: store.history })
  finishPending()

  function places(): Place[] {
    return [
      { target: 'user', project: null },
      { target: 'memory', project: null },
      ...store.projects().map(({ id }): Place => ({ target: 'memory', project: id })),
    ]
  }

  function finishPending(): void {
    const kept = store.pending()
    if (kept === undefined) return
    const { files, entries, revisions } = JSON.parse(kept) as Pending
    for (const { path: noted, before, after } of files) {
      const path = pathHere(noted)
      const found = read(path)
      // If another program has written the file in the meantime, its version stays and is imported later.
      if ('text' in found && found.text === before && before !== after) write(path, after)
    }
    store.commit({
      entries,
      revisions,
      files: files.map(({ path, after }) => ({ path: pathHere(path), content: after })),
    })
  }

  /** The current path of a file recorded before the home was moved; the old path must not be written to. */
  function pathHere(path: string): string {
    const names = (each: string) => each.split(/[/\\]/).slice(-4)
    const isSame = (place: Place) => {
      const below = relative(home, pathOf(home, place)).split(sep)
      return names(path).slice(-below.length).join('/') === below.join('/')
    }
    const place = places().find(isSame)
    return place ? pathOf(home, place) : path
  }

  /** Set for a change that was rolled back but whose record could not be deleted. */
  let isGivenUp = false

  /** Complete or drop a change that a full disk interrupted. Returns whether nothing is pending. */
  function completePending(): boolean {
    if (store.pending() === undefined) return true
    try {
      if (isGivenUp) store.giveUp()
      else finishPending()
      isGivenUp = false
      return true
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return false
    }
  }

  /** Whether duplicates left by older versions have been searched for. */
  let isTidy = false

  function sync(): number | undefined {
    if (!completePending()) return undefined
    let isNew = false
    const twins = isTidy ? [] : twinPlaces(store.entries())
    isTidy = true
    for (const place of places()) {
      const path = pathOf(home, place)
      const found = read(path)
      if (isRefusal(found)) {
        isNew ||= broken.get(path) !== found.refused
        broken.set(path, found.refused)
        continue
      }
      const isMended = broken.delete(path)
      const content = store.file(path) ?? ''
      const { waits, isNews } = waiting.judge(place, path, found, { content, count: countOf(place) })
      isNew ||= isMended || isNews
      if (waits) continue
      const isOther = found.text !== content || twins.includes(placeName(place))
      if (isOther) importEdit(place, path, found.text)
      isNew ||= isOther
    }
    if (isNew) onOutside()
    return waiting.lookAgainIn()
  }

  const countOf = (place: Place): number => store.entries().filter(entry => isIn(entry, place)).length

  function accept(place: Place, texts: readonly string[], by: ChangedBy): Changed | MemoryRefusal {
    if (!completePending()) return { refused: `Not saved: the disk is full. ${WAITS}` }
    const path = pathOf(home, place)
    const content = formatNotes(texts)
    const { text = '' } = waiting.of(path) ?? {}
    if (text !== '' && text !== content) copyBeside({ path, text }, { now, write })
    const failure = writeAll([{ path, before: text, after: content }])
    if (failure !== undefined) return { refused: failure }
    waiting.settle(path)
    return { revisions: importEdit(place, path, content, by), same: 0 }
  }

  /**
   * Import a file that another program changed: every difference from our entries becomes a revision. Of
   * duplicates the first stays. An entry with the text of an archived one restores that one.
   */
  function importEdit(place: Place, path: string, content: string, by = BY_FILE): MemoryRevision[] {
    const at = now()
    const before = store.file(path) ?? ''
    const ours = store.entries().filter(entry => isIn(entry, place))
    const texts = [...new Set(parseNotes(content))]
    const {
      kept: same,
      edited,
      removed,
      added,
    } = compareNotes(
      ours.map(entry => entry.text),
      texts,
    )
    const entries: MemoryEntry[] = []
    const revisions: NewRevision[] = []
    const log = (entry: MemoryEntry, op: NewRevision['op'], was: string | null, is: string | null) => {
      entries.push(entry)
      revisions.push({
        entryId: entry.id,
        ...place,
        op,
        before: was,
        after: is,
        ...by,
        at,
        undoes: null,
      })
    }
    for (const [was, is] of edited)
      log({ ...ours[was]!, text: texts[is]!, updatedAt: at }, 'edit', ours[was]!.text, texts[is]!)
    for (const was of removed)
      log({ ...ours[was]!, archivedAt: at, updatedAt: at }, 'remove', ours[was]!.text, null)
    for (const is of added) {
      const old = store.archivedTwin(place, texts[is]!)
      if (old) log({ ...old, archivedAt: null, updatedAt: at }, 'restore', null, old.text)
      else log(newEntry(place, texts[is]!, at), 'add', null, texts[is]!)
    }
    const isFirst = store.file(path) === undefined && ours.length === 0
    const isQuiet = isFirst || revisions.length === 0 || content === before || by !== BY_FILE
    const earlier = waiting.isOften(place) ? store.outside().filter(each => each.path === path) : []
    const { target, project } = place
    const edit = { id: newId('edit', now), target, project, path, at, before, after: content }
    const outside = isQuiet ? [] : [joinEdits(edit, earlier)]
    const kept = store.commit({ entries, revisions, files: [{ path, content }], outside })
    if (!isQuiet) for (const { id } of earlier.slice(1)) store.resolveOutside(id, at)
    remember(place, [
      ...[...same, ...edited].map(([was, is]) => [ours[was]!.id, is] as const),
      ...added.map((is, index) => [entries[edited.length + removed.length + index]!.id, is] as const),
    ])
    return kept
  }

  /** Position of each entry in its file, by id. Entries without a known position are in order of creation. */
  const orders = new Map<string, Map<string, number>>()
  const remember = (place: Place, order: readonly (readonly [string, number])[]) =>
    void orders.set(placeName(place), new Map(order))

  function entries(): MemoryEntry[] {
    const all = store.entries()
    return places().flatMap(place => {
      const own = all.filter(entry => isIn(entry, place))
      const order = orders.get(placeName(place)) ?? orderOfFile(place, own)
      const at = (entry: MemoryEntry) => order.get(entry.id) ?? Number.MAX_SAFE_INTEGER
      return own.toSorted((a, b) => at(a) - at(b))
    })
  }

  function orderOfFile(place: Place, own: readonly MemoryEntry[]): Map<string, number> {
    const texts = parseNotes(store.file(pathOf(home, place)) ?? '')
    const order = new Map(
      own.map(entry => [entry.id, texts.indexOf(entry.text)] as const).filter(([, at]) => at >= 0),
    )
    orders.set(placeName(place), order)
    return order
  }

  function change(steps: readonly LoggedStep[], by: ChangedBy): Changed | MemoryRefusal {
    sync()
    if (store.pending() !== undefined) return { refused: `Not saved: the disk is full. ${WAITS}` }
    const archived = (id: string) => store.entry(id)
    const before = entries()
    const draft = planChange(before, steps, by, { limits: limits(), now: now(), archived })
    if (isRefusal(draft)) return draft
    if (draft.revisions.length === 0) return { revisions: [], same: draft.same }

    const touched = places().filter(place => textOf(before, place) !== textOf(draft.entries, place))
    const left = touched.map(place => waiting.of(pathOf(home, place))).find(each => each !== undefined)
    if (left) return { refused: whyLeftAlone(left) }
    const unread = touched.map(place => pathOf(home, place)).find(path => broken.has(path))
    if (unread !== undefined) {
      return {
        refused: `${unread} cannot be read (${broken.get(unread)}), so it is left alone. Repair or move it first.`,
      }
    }
    const files = touched.map(place => {
      const path = pathOf(home, place)
      return { path, before: store.file(path) ?? '', after: textOf(draft.entries, place) }
    })
    const { changed, revisions } = draft
    const guarded = protect(draft, before, by)
    if (guarded) return guarded
    const kept = commitPending({ files, entries: changed, revisions })
    if (isRefusal(kept)) return kept
    for (const place of touched) {
      const own = draft.entries.filter(entry => isIn(entry, place))
      remember(
        place,
        own.map((entry, at) => [entry.id, at] as const),
      )
    }
    return { revisions: kept.revisions, same: draft.same }
  }

  /** Refuse the change if an agent may only add to the file; see `refuseDestroying`. */
  function protect({ revisions }: PlannedChange, before: readonly MemoryEntry[], { actor }: ChangedBy) {
    if (actor !== 'agent' && actor !== 'review') return undefined
    for (const place of places()) {
      if (!revisions.some(each => each.op !== 'add' && isIn(each, place))) continue
      const path = pathOf(home, place)
      const file = { path, text: store.file(path) ?? '', limit: limits()[place.target] }
      const texts = before.filter(entry => isIn(entry, place)).map(entry => entry.text)
      const refused = refuseDestroying(file, texts, { now, write })
      if (refused) return refused
    }
    return undefined
  }

  /** Carry out a drafted change. On refusal everything is as before. */
  function commitPending(pending: Pending): { revisions: MemoryRevision[] } | MemoryRefusal {
    const { files, entries, revisions } = pending
    isGivenUp = false
    const begun = orRefusal(() => store.begin(JSON.stringify(pending)))
    if (begun) return begun
    const failure = writeAll(files)
    if (failure !== undefined) {
      giveUp()
      return { refused: failure }
    }
    let kept: MemoryRevision[] = []
    const refused = orRefusal(() => {
      kept = store.commit({
        entries,
        revisions,
        files: files.map(({ path, after }) => ({ path, content: after })),
      })
    })
    if (!refused) return { revisions: kept }
    const undone = files.map(({ path, before, after }) => ({ path, before: after, after: before }))
    if (writeAll(undone) === undefined) {
      giveUp()
      return refused
    }
    return {
      refused: `The disk is full. ${files[0]?.path} has the change already, the history has not. ${WAITS}`,
    }
  }

  function giveUp(): void {
    isGivenUp = true
    completePending()
  }

  /** Write all files. On failure, restore those already written and return the reason. */
  function writeAll(files: Pending['files']): string | undefined {
    const written: Pending['files'] = []
    for (const file of files) {
      try {
        write(file.path, file.after)
        written.push(file)
      } catch (error) {
        const code = fileErrorCode(error)
        for (const { path, before } of written) write(path, before)
        return `Not saved: ${file.path} cannot be written (${reasonOf(code)}). What was there is unchanged.`
      }
    }
    return undefined
  }

  /** The reason why a change would be refused, without making it. */
  function check(steps: readonly MemoryStep[], by: ChangedBy): MemoryRefusal | undefined {
    sync()
    const archived = (id: string) => store.entry(id)
    const before = entries()
    const draft = planChange(before, steps, by, { limits: limits(), now: now(), archived })
    return isRefusal(draft) ? draft : protect(draft, before, by)
  }

  return { sync, entries, unreadable: () => broken, waiting, places, accept, change, check }
}

/** The store's error as a refusal; undefined on success. */
function orRefusal(work: () => void): MemoryRefusal | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { refused: `Not saved: ${error.message}` }
  }
}

const textOf = (entries: readonly MemoryEntry[], place: Place): string =>
  formatNotes(entries.filter(entry => isIn(entry, place)).map(entry => entry.text))

const newEntry = ({ target, project }: Place, text: string, at: number): MemoryEntry => ({
  id: newId('note', () => at),
  target,
  project,
  text,
  origin: 'file',
  sessionId: null,
  messageId: null,
  createdAt: at,
  updatedAt: at,
  locked: false,
  uses: 0,
  lastUsedAt: null,
  archivedAt: null,
  blocked: null,
})
