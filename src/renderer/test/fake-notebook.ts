import type { HostClient } from '../../shared/contract/index.ts'
import type {
  MemoryActor,
  MemoryEntry,
  MemoryProject,
  MemoryRevision,
  MemoryTarget,
  MemoryView,
  OutsideEdit,
} from '../../shared/contract/memory.ts'
import { Fault } from '../../shared/rpc.ts'

type Place = { target: MemoryTarget; project: string | null }

/** The notebook of a fake host, for tests to fill and to look into. */
export type FakeNotebook = {
  entries: () => readonly MemoryEntry[]
  revisions: () => readonly MemoryRevision[]
  /** Write an entry as somebody did before, with its first revision. */
  add: (entry: Partial<MemoryEntry> & { text: string }) => MemoryEntry
  /** Change an entry as the agent or another window does, and tell the window. */
  change: (id: string, text: string, actor?: MemoryActor) => void
  project: (project: Partial<MemoryProject> & { id: string }) => MemoryProject
  outside: (edit: Partial<OutsideEdit> & { id: string }) => void
  unreadable: (path: string, reason: string) => void
  limits: Record<MemoryTarget, number>
}

type Names = Extract<keyof HostClient, `memory.${string}`>
export type MemoryHandlers = { [K in Names]: (...input: Parameters<HostClient[K]>) => unknown }

/** A notebook in memory that answers as the real one does; `onChange` is told after every change. */
export function fakeNotebook(onChange: () => void): { notebook: FakeNotebook; handlers: MemoryHandlers } {
  let entries: MemoryEntry[] = []
  const revisions: MemoryRevision[] = []
  const projects: MemoryProject[] = []
  let outside: OutsideEdit[] = []
  const unreadable: MemoryView['unreadable'] = []
  const limits = { user: 400, memory: 600 }
  let switches = { useInChats: true, learnFromChats: true }
  let lastId = 0

  const now = () => entries.filter(entry => entry.archivedAt === null)
  const isIn = (entry: Place, place: Place) =>
    entry.target === place.target && entry.project === place.project
  const placeName = ({ target, project }: Place) => (project === null ? target : `${target}:${project}`)
  const lengthOf = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + text.length, 0) + Math.max(0, texts.length - 1) * 3

  function log(
    entry: MemoryEntry,
    op: MemoryRevision['op'],
    [before, after]: readonly [string | null, string | null],
    actor: MemoryActor = 'you',
    undoes: number | null = null,
  ): MemoryRevision {
    const { id: entryId, target, project, sessionId, messageId } = entry
    const hasSource = actor === 'agent' || op === 'add'
    const from = hasSource ? { sessionId, messageId } : { sessionId: null, messageId: null }
    const revision: MemoryRevision = {
      id: revisions.length + 1,
      entryId,
      target,
      project,
      op,
      before,
      after,
      actor,
      ...from,
      reviewId: null,
      at: actor === 'agent' ? entry.createdAt : Date.now(),
      undoes,
      undoneBy: null,
    }
    revisions.push(revision)
    // What is taken back stands again when that is taken back in turn.
    let by: MemoryRevision = revision
    for (let isUndone = true; by.undoes !== null; isUndone = !isUndone) {
      const undone = revisions.find(each => each.id === by.undoes)!
      undone.undoneBy = isUndone ? by.id : null
      by = undone
    }
    return revision
  }
  const put = (entry: MemoryEntry) => {
    entries = entries.some(each => each.id === entry.id)
      ? entries.map(each => (each.id === entry.id ? entry : each))
      : [...entries, entry]
    return entry
  }
  const write = (id: string, change: Partial<MemoryEntry>) => {
    const entry = entries.find(each => each.id === id)
    if (!entry) throw new Fault('conflict', 'This entry is not in the notebook any more.')
    return put({ ...entry, updatedAt: Date.now(), ...change })
  }
  const present = (id: string) => {
    const entry = now().find(each => each.id === id)
    if (!entry) throw new Fault('conflict', 'This entry is not in the notebook any more.')
    return entry
  }

  const add: FakeNotebook['add'] = given => {
    const entry = put({
      id: given.id ?? `note_${++lastId}`,
      target: 'user',
      project: null,
      origin: 'you',
      sessionId: null,
      messageId: null,
      createdAt: Date.now() + lastId,
      updatedAt: Date.now(),
      locked: false,
      uses: 0,
      lastUsedAt: null,
      archivedAt: null,
      blocked: null,
      ...given,
    })
    log(entry, 'add', [null, entry.text], entry.origin)
    return entry
  }

  function mustFit(place: Place, texts: readonly string[]) {
    const length = lengthOf(texts)
    const limit = limits[place.target]
    if (length <= limit) return
    throw new Fault('bad_input', `Not saved: this would take ${length} of ${limit} characters.`)
  }
  const textsIn = (place: Place) =>
    now()
      .filter(entry => isIn(entry, place))
      .map(entry => entry.text)

  /** Every change answers with what it wrote, and everybody is told. */
  function changing(act: () => readonly MemoryRevision[]): { revisions: readonly MemoryRevision[] } {
    const revisions = act()
    onChange()
    return { revisions }
  }

  const remove = (id: string, undoes: number | null = null) => {
    const entry = present(id)
    return log(write(id, { archivedAt: Date.now() }), 'remove', [entry.text, null], 'you', undoes)
  }
  const bringBack = (id: string, text: string, undoes: number | null = null) => {
    const was = now().find(entry => entry.id === id)
    const entry = write(id, { text, archivedAt: null })
    return log(entry, was ? 'edit' : 'restore', [was?.text ?? null, text], 'you', undoes)
  }
  const move = (id: string, { target, project }: Place, undoes: number | null = null) => {
    const was = present(id)
    const entry = write(id, { target, project })
    return log(entry, 'move', [placeName(was), placeName(entry)], 'you', undoes)
  }
  const lock = (id: string, locked: boolean, undoes: number | null = null) => {
    const { text } = write(present(id).id, { locked })
    return log(present(id), locked ? 'lock' : 'unlock', [text, text], 'you', undoes)
  }

  function undo(revisionId: number): readonly MemoryRevision[] {
    const revision = revisions.find(each => each.id === revisionId)
    if (!revision || revision.undoneBy !== null) return []
    const { op, entryId, before } = revision
    if (op === 'add' || op === 'restore') return [remove(entryId, revisionId)]
    if (op === 'lock' || op === 'unlock') return [lock(entryId, op === 'unlock', revisionId)]
    if (op !== 'move') return [bringBack(entryId, before ?? '', revisionId)]
    const [target, project = null] = (before ?? '').split(':')
    return [move(entryId, { target: target as MemoryTarget, project }, revisionId)]
  }

  const view = (): MemoryView => {
    const places: Place[] = [
      { target: 'user', project: null },
      { target: 'memory', project: null },
      ...projects.map(({ id }): Place => ({ target: 'memory', project: id })),
    ]
    return {
      entries: now(),
      capacity: places.map(place => {
        const own = now().filter(entry => isIn(entry, place))
        const loose = own.filter(entry => !entry.locked).toSorted((a, b) => a.updatedAt - b.updatedAt)
        const used = lengthOf(own.map(entry => entry.text))
        const [limit, tokens] = [limits[place.target], Math.ceil(used / 4)]
        return { ...place, used, limit, tokens, firstToGo: loose.slice(0, 3).map(entry => entry.id) }
      }),
      projects: [...projects],
      outside: [...outside],
      unreadable: [...unreadable],
      ...switches,
      archived: entries.length - now().length,
    }
  }

  const handlers: MemoryHandlers = {
    'memory.view': view,
    'memory.archive'({ query = '', limit = 50, offset = 0 }) {
      const found = entries
        .filter(entry => entry.archivedAt !== null)
        .filter(entry => entry.text.toLowerCase().includes(query.trim().toLowerCase()))
        .toSorted((a, b) => b.archivedAt! - a.archivedAt!)
      return { entries: found.slice(offset, offset + limit), more: found.length > offset + limit }
    },
    'memory.history'({ entryId, sessionId, before = Infinity, limit = 50 }) {
      const found = revisions
        .filter(each => each.id < before)
        .filter(each => entryId === undefined || each.entryId === entryId)
        .filter(each => sessionId === undefined || each.sessionId === sessionId)
        .toReversed()
      return { revisions: found.slice(0, limit), more: found.length > limit }
    },
    'memory.add': ({ target, project = null, text, source }) =>
      changing(() => {
        mustFit({ target, project }, [...textsIn({ target, project }), text])
        if (textsIn({ target, project }).includes(text)) return []
        const from = { sessionId: source?.sessionId ?? null, messageId: source?.messageId ?? null }
        add({ target, project, text, ...from })
        return revisions.slice(-1)
      }),
    'memory.edit': ({ id, text, expected }) =>
      changing(() => {
        const entry = present(id)
        if (entry.text !== expected) throw new Fault('conflict', 'This entry was changed meanwhile.')
        const others = textsIn(entry).filter(each => each !== expected)
        if (others.includes(text)) throw new Fault('bad_input', `“${text}” is there already.`)
        mustFit(entry, [...others, text])
        return [log(write(id, { text }), 'edit', [entry.text, text])]
      }),
    'memory.remove': ({ ids }) => changing(() => ids.map(id => remove(id))),
    'memory.lock': ({ ids, locked }) =>
      changing(() => ids.filter(id => present(id).locked !== locked).map(id => lock(id, locked))),
    'memory.move': ({ ids, target, project = null }) =>
      changing(() =>
        ids.filter(id => !isIn(present(id), { target, project })).map(id => move(id, { target, project })),
      ),
    'memory.restore': ({ revisionId, version = 'after' }) =>
      changing(() => {
        const revision = revisions.find(each => each.id === revisionId)
        const text = revision?.[version]
        if (!revision || text == null) throw new Fault('bad_input', 'This version does not exist.')
        return [bringBack(revision.entryId, text)]
      }),
    'memory.undo': ({ revisionIds }) =>
      changing(() => revisionIds.toSorted((a, b) => b - a).flatMap(id => undo(id))),
    'memory.preview'({ workspace }) {
      const project = projects.find(each => each.folder === workspace)?.id
      const lines = (title: string, own: readonly MemoryEntry[]) =>
        own.length === 0 ? [] : [`## ${title}`, ...own.map(entry => `- ${entry.text}`)]
      const text = [
        ...lines(
          'About the user',
          now().filter(entry => entry.target === 'user'),
        ),
        ...lines(
          'Your notes',
          now().filter(entry => isIn(entry, { target: 'memory', project: null })),
        ),
        ...lines(
          'Your notes about this folder',
          now().filter(entry => entry.project === (project ?? '')),
        ),
      ].join('\n')
      return { text, tokens: Math.ceil(text.length / 4) }
    },
    'memory.resolve': ({ id, keep }) =>
      changing(() => {
        const edit = outside.find(each => each.id === id)
        outside = outside.filter(each => each.id !== id)
        if (keep === 'theirs' || !edit) return []
        const theirs = revisions.filter(each => each.actor === 'file' && each.undoneBy === null)
        return theirs.toReversed().flatMap(each => undo(each.id))
      }),
    'memory.setSwitches': change =>
      changing(() => {
        switches = { ...switches, ...(change as typeof switches) }
        return []
      }) && {},
    'memory.forgetAll': () => changing(() => now().map(({ id }) => remove(id))),
    'memory.ofChat': ({ sessionId }) => ({
      entries: now().filter(entry => entry.sessionId === sessionId),
    }),
  }

  const notebook: FakeNotebook = {
    entries: now,
    revisions: () => revisions,
    add(entry) {
      const added = add(entry)
      onChange()
      return added
    },
    change(id, text, actor = 'agent') {
      const was = present(id)
      log(write(id, { text }), 'edit', [was.text, text], actor)
      onChange()
    },
    project(given) {
      const project = { name: given.id, folder: `/home/ada/${given.id}`, ...given }
      projects.push(project)
      return project
    },
    outside(edit) {
      const place: Place = { target: 'user', project: null }
      const path = '/home/ada/.talaria/memories/USER.md'
      outside.push({ ...place, path, at: Date.now(), before: '', after: '', ...edit })
      onChange()
    },
    unreadable: (path, reason) => void unreadable.push({ path, reason }),
    limits,
  }
  return { notebook, handlers }
}
