import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Area } from '../../shared/contract/areas.ts'
import type { Settings } from '../../shared/contract/app.ts'
import type { EngineState, Model, ModelOptions } from '../../shared/contract/models/model.ts'
import type { Session, SessionChange } from '../../shared/contract/chats/session.ts'
import type { Answers } from './answers.ts'
import { attemptCall, type Outcome } from './attempt.ts'
import { applyAppEvent, initialHostState, type HostState } from './host-state.ts'
import { whenConnected, type Link } from './link.ts'

/** Page size for the chat list. */
const PAGE = 60
/** Minimum time between two reads of changes, in ms. */
const PACE_MS = 50
/** Maximum number of chats to load for the section of a project or schedule. */
const GROUP_PAGE = 200

export type HostStore = HostState & {
  /** Follow host events until the signal aborts, across reconnects. */
  follow: (signal: AbortSignal) => Promise<void>
  loadMoreSessions: () => Promise<void>
  /** Load the newest chats of a project or a schedule, which may be older than the loaded ones. */
  loadGroup: (of: { projectId: string } | { scheduleId: string }) => Promise<void>
  /** Search chats by title and text, best match first. */
  findSessions: (query: string, signal: AbortSignal) => Promise<Outcome<readonly Session[]>>
  createSession: (change: SessionChange) => Promise<Outcome<Session>>
  /** Optimistic update. If the host rejects it, only its own fields are rolled back. */
  updateSession: (id: string, change: SessionChange) => Promise<Outcome<Session>>
  /** Add the record of an opened chat, which may be too old for the list. */
  knowSession: (session: Session) => void
  removeSession: (id: string) => Promise<Outcome<unknown>>
  restoreSession: (id: string) => Promise<Outcome<Session>>
  loadModels: () => Promise<void>
  /** Read the sub-agents of a chat, once per connection. */
  loadAgents: (sessionId: string) => Promise<void>
  /** Replace the options of a model. Optimistic, like `updateSession`: the next change builds on this one. */
  setModelOptions: (id: string, options: ModelOptions) => Promise<Outcome<Model>>
  /** Optimistic, like `updateSession`. */
  setSettings: (settings: Partial<Settings>) => Promise<Outcome<Settings>>
  /** Turn the offline lock on or off. Optimistic, rolled back if the host rejects it. */
  setLocked: (locked: boolean) => Promise<Outcome<{ locked: boolean }>>
  dismissNotice: (id: string) => Promise<void>
}

/** The shared host state, kept up to date, and the host calls that every page may use. */
export function createHostStore(link: Link, answers: Pick<Answers, 'areOld' | 'take'>): StoreApi<HostStore> {
  const { client } = link
  return createStore<HostStore>((set, get) => {
    const unconfirmed = createUnconfirmed<Session>()
    const openSettings = createUnconfirmed<Settings>()
    const openModels = createUnconfirmed<Model>()
    /** The areas that changed and were not read yet. */
    const due = new Set<Area>()
    let isReading = false
    let modelReads = 0
    /** The project of each chat, as last reported by the host; null also for archived chats. */
    const members = new Map<string, string | null>()
    /** Record the project of a chat; true if the number of chats of a project has changed. */
    const hasMoved = (id: string, session?: Session): boolean => {
      const before = members.get(id) ?? null
      const now = session && !session.archived ? session.projectId : null
      members.set(id, now)
      return before !== now
    }
    /** The last chat of the last page. Chats known from elsewhere may come after it. */
    let end: Session | undefined
    const agentsRead = new Map<string, unknown>()
    const shownSettings = (reported: Settings) => openSettings.shownOf('settings', reported)
    const show = (session: Session) => set(state => applyAppEvent(state, { type: 'session', session }))
    /** Store a session that the host has reported. */
    const put = (session: Session) => show(unconfirmed.shownOf(session.id, session))
    const putModel = (model: Model) =>
      set(({ models }) => ({ models: models.map(each => (each.id === model.id ? model : each)) }))
    const drop = (id: string) => set(state => applyAppEvent(state, { type: 'session_removed', id }))

    async function loadSessions(offset: number) {
      const page = await client['session.list']({ limit: PAGE, offset, archived: 'without' })
      const last = page.sessions.at(-1)
      if (last) end = last
      for (const session of page.sessions) hasMoved(session.id, session)
      const loaded = Object.fromEntries(
        page.sessions.map(session => [session.id, unconfirmed.shownOf(session.id, session)]),
      )
      const gone = offset === 0 ? notIn(page, get().sessions) : []
      for (const id of gone) drop(id)
      set(state => ({
        sessions: { ...state.sessions, ...loaded },
        moreSessions: page.more,
        sessionsLoaded: true,
      }))
    }

    /** Read as many chats again as are in the list. */
    async function reloadSessions() {
      const { length } = Object.values(get().sessions).filter(session => isUpTo(session, end))
      await loadSessions(0)
      for (let offset = PAGE; offset < length && get().moreSessions; offset += PAGE)
        await loadSessions(offset)
    }

    /** Read what changed; changes in the meantime are read together afterwards. */
    async function readChanged(areas: readonly Area[], signal: AbortSignal) {
      for (const area of areas) due.add(area)
      if (isReading) return
      isReading = true
      try {
        while (due.size > 0) {
          const now = new Set(due)
          due.clear()
          answers.areOld([...now])
          await Promise.all([
            pause(PACE_MS, signal),
            now.has('model') && get().loadModels(),
            now.has('session') && attemptCall(reloadSessions()),
          ])
        }
      } finally {
        isReading = false
      }
    }

    async function watch(signal: AbortSignal) {
      for await (const event of client['app.watch']({}, { signal })) {
        // Events before a new greeting were missed; before the first one, no call could succeed.
        if (event.type === 'hello') answers.areOld(get().hello === null ? 'unasked' : undefined)
        const isMoved =
          event.type === 'session'
            ? hasMoved(event.session.id, event.session)
            : event.type === 'session_removed' && hasMoved(event.id)
        if (isMoved) answers.areOld(['project'])
        if (event.type === 'transfers') answers.take('download.list', {}, { transfers: event.transfers })
        // A loaded model takes memory, and the abilities of the engine are known only once it has started.
        if (event.type === 'engine' && hasSettled(event.engine, get().engine)) answers.areOld(['engine'])
        if (event.type === 'session') put(event.session)
        else if (event.type === 'settings' || event.type === 'hello')
          set(state => applyAppEvent(state, { ...event, settings: shownSettings(event.settings) }))
        else set(state => applyAppEvent(state, event))
        if (event.type === 'hello') await Promise.all([loadSessions(0), get().loadModels()])
        if (event.type === 'changed') void readChanged(event.areas, signal)
      }
    }

    return {
      ...initialHostState,

      async follow(signal) {
        while (await whenConnected(link, signal)) {
          const ended = await attemptCall(watch(signal))
          if (signal.aborted) return
          // Back off after the stream ends or the connection drops, to avoid a tight retry loop.
          if (ended.ok || ended.fault.code === 'disconnected') await pause(250, signal)
          else await pause(2_000, signal)
        }
      },

      async loadMoreSessions() {
        const known = Object.values(get().sessions).filter(
          session => !session.archived && isUpTo(session, end),
        )
        if (get().moreSessions) await attemptCall(loadSessions(known.length))
      },

      async loadGroup(of) {
        const page = await attemptCall(
          client['session.list']({ ...of, limit: GROUP_PAGE, archived: 'without' }),
        )
        if (!page.ok) return
        for (const session of page.value.sessions) {
          hasMoved(session.id, session)
          put(session)
        }
      },

      async findSessions(query, signal) {
        const found = await attemptCall(client['session.list']({ query, limit: 50 }, { signal }))
        return found.ok ? { ok: true, value: found.value.sessions } : found
      },

      async createSession(change) {
        const made = await attemptCall(client['session.create'](change))
        // Keep a version that arrived by event: it is newer.
        if (made.ok && !get().sessions[made.value.id]) put(made.value)
        return made
      },

      async updateSession(id, change) {
        const known = get().sessions[id]
        const { draftAfter: _after, ...fields } = change
        const started = known && unconfirmed.begin(id, known, fields)
        if (started) show(started.shown)
        const changed = await attemptCall(client['session.update']({ id, ...change }))
        const before = started?.end()
        if (changed.ok) put(changed.value)
        else if (before && get().sessions[id]) show(before)
        return changed
      },

      knowSession(session) {
        // A version that arrived by event is newer.
        if (!get().sessions[session.id]) put(session)
      },

      async removeSession(id) {
        const removed = await attemptCall(client['session.remove']({ id }))
        if (removed.ok || removed.fault.code === 'not_found') drop(id)
        return removed
      },

      async restoreSession(id) {
        const restored = await attemptCall(client['session.restore']({ id }))
        if (restored.ok) put(restored.value)
        return restored
      },

      async loadAgents(sessionId) {
        const { hello } = get()
        if (hello === null || agentsRead.get(sessionId) === hello) return
        agentsRead.set(sessionId, hello)
        const answer = await attemptCall(client['delegation.ofChat']({ sessionId }))
        if (!answer.ok) return
        const read = Object.fromEntries(answer.value.agents.map(agent => [agent.sessionId, agent]))
        // A version that arrived by event in the meantime is newer.
        set(state => ({ agents: { ...read, ...state.agents } }))
      },

      async loadModels() {
        const turn = ++modelReads
        const list = await attemptCall(client['model.list']({}))
        if (!list.ok || turn !== modelReads) return
        const models = list.value.models.map(each => openModels.shownOf(each.id, each))
        set({ models, defaultModelId: list.value.defaultId })
      },

      async setModelOptions(id, options) {
        const known = get().models.find(each => each.id === id)
        const started = known && openModels.begin(id, known, { options })
        if (started) putModel(started.shown)
        const saved = await attemptCall(client['model.setOptions']({ id, options }))
        const before = started?.end()
        if (saved.ok) putModel(openModels.shownOf(id, saved.value))
        else if (before) putModel(before)
        return saved
      },

      async setSettings(settings) {
        const started = openSettings.begin('settings', get().settings, settings)
        set({ settings: started.shown })
        const saved = await attemptCall(client['app.setSettings'](settings))
        const before = started.end()
        set({ settings: saved.ok ? shownSettings(saved.value) : before })
        return saved
      },

      async setLocked(locked) {
        const before = get().locked
        set({ locked })
        const answer = await attemptCall(client['network.lock']({ locked }))
        set({ locked: answer.ok ? answer.value.locked : before })
        return answer
      },

      async dismissNotice(id) {
        set(state => ({ notices: state.notices.filter(notice => notice.id !== id) }))
        await attemptCall(client['app.dismissNotice']({ id }))
      },
    }
  })
}

const hasSettled = (now: EngineState, before: EngineState): boolean =>
  now.phase !== before.phase && !['starting', 'loading', 'busy'].includes(now.phase)

/** Whether a chat comes before another one in the list, or is the same one. */
function isUpTo(session: Session, end: Session | undefined): boolean {
  if (!end || session.pinned !== end.pinned) return end === undefined || session.pinned
  return session.updatedAt > end.updatedAt || (session.updatedAt === end.updatedAt && session.id >= end.id)
}

/** Known chats missing from the first page: they were removed while the window was disconnected. */
function notIn(
  page: { sessions: readonly Session[]; more: boolean },
  known: HostState['sessions'],
): string[] {
  const ids = new Set(page.sessions.map(session => session.id))
  const loose = page.sessions.filter(session => !session.pinned)
  const oldest = page.more ? Math.min(...loose.map(session => session.updatedAt)) : -Infinity
  return Object.values(known)
    .filter(session => !session.archived && !ids.has(session.id) && session.updatedAt > oldest)
    .map(session => session.id)
}

async function pause(ms: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

/** Records of the host, each shown with its pending changes. */
type Unconfirmed<T> = {
  /** The record to show for one that the host has just reported under this id. */
  shownOf: (id: string, reported: T) => T
  /**
   * Add a change to a record. `shown` is the changed record. Call `end` once the host has answered: it drops
   * the change, and returns the record to show if the host refused it.
   */
  begin: (id: string, record: T, change: Partial<T>) => { shown: T; end: () => T }
}

/**
 * Keeps pending changes apart from their records. A refused change therefore rolls back only itself, and a
 * record that the host reports in the meantime does not hide other pending changes.
 */
function createUnconfirmed<T>(): Unconfirmed<T> {
  const open = new Map<string, { confirmed: T; changes: Partial<T>[] }>()
  const show = ({ confirmed, changes }: { confirmed: T; changes: Partial<T>[] }): T =>
    changes.reduce<T>((record, change) => ({ ...record, ...change }), confirmed)

  return {
    shownOf(id, reported) {
      const known = open.get(id)
      if (!known) return reported
      known.confirmed = reported
      return show(known)
    },

    begin(id, record, change) {
      const known = open.get(id) ?? { confirmed: record, changes: [] }
      open.set(id, known)
      known.changes.push(change)
      return {
        shown: show(known),
        end() {
          known.changes = known.changes.filter(each => each !== change)
          if (known.changes.length === 0) open.delete(id)
          return show(known)
        },
      }
    },
  }
}
