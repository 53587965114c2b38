import type {
  EarlierSession,
  EarlierSessions,
  LearnStep,
  ReadProgram,
} from '../../../shared/contract/learned/learning.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { ForeignStore } from '../../db/learning/foreign-tables.ts'
import type { LearningStore } from '../../db/learning/learning-tables.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { redactIn, redactText } from '../../untrusted/redact.ts'
import { letOthersRun } from '../../lib/timing.ts'
import { readSessionFile } from './read-session.ts'
import { listSessionFiles, READERS, type SessionFile, type UserPlaces } from './session-places.ts'
import { eventsOfSession, type SessionEvent, trimEvent } from './session-steps.ts'

type Parts = {
  foreign: Pick<ForeignStore, 'get' | 'events' | 'add'>
  learning: Pick<LearningStore, 'wasReviewed'>
  places: UserPlaces
  budget(): EarlierSessions['budget']
  /** Throw a `bad_input` Fault while learning from other programs is off. */
  checkIsOn(): void
  /** Review imported sessions. */
  review(ids: readonly string[], modelId: string | undefined, signal: AbortSignal): AsyncIterable<LearnStep>
  /** Called after sessions were imported. */
  onChange(): void
  now(): number
}

const DAY_MS = 24 * 60 * 60_000
/** Maximum number of files to read for one list; most may hold nothing that a user said. */
const MOST_READ = 2_000
/** Maximum number of files to name as left out or cut. */
const MOST_LEFT = 20
/** Maximum number of events and bytes to store of one session, newest first. */
const MOST_EVENTS = 4_000
const MOST_BYTES = 300_000
const BEGINNING = 80

type Whole = { folder: string; model: string; events: SessionEvent[]; isCut: boolean }

/**
 * Earlier sessions in other programs' own files: list them for the user, then import them as if reported
 * live. Skips sessions that were reported live, or imported and unchanged since.
 */
export function earlierSessions({
  foreign,
  learning,
  places,
  budget,
  checkIsOn,
  review,
  onChange,
  now,
}: Parts) {
  const idOf = (program: ReadProgram, file: SessionFile) => `${program}:${file.id}`

  async function read(
    program: ReadProgram,
    file: SessionFile,
    signal: AbortSignal,
  ): Promise<Whole | Refusal> {
    const session = await readSessionFile(file.path, READERS[program].parser(), signal)
    if (isRefusal(session)) return session
    const events = eventsOfSession(idOf(program, file), session)
    return { folder: session.folder, model: session.model, events, isCut: session.isCut }
  }

  /** Return the ids of the stored events of a session; undefined if it must not be imported. */
  function storedOf(id: string): ReadonlySet<string> | undefined {
    const known = foreign.get(id)
    // Without events it was too old or too large to keep.
    if (!known) return learning.wasReviewed(id) ? undefined : new Set()
    const ids = known.isImported ? foreign.events(id).map(({ eventId }) => eventId) : []
    // A session that is now reported live has other ids for its new events.
    return ids.length > 0 && ids.every(each => each.startsWith('file:')) ? new Set(ids) : undefined
  }

  /** Return whether a file may hold anything new, by its modification time. */
  const mayBeNew = (id: string, { changedAt }: SessionFile): boolean => {
    const known = foreign.get(id)
    return known ? known.isImported && changedAt > known.lastAt : !learning.wasReviewed(id)
  }

  async function list(
    { program, days, limit }: Parameters<HostHandlers['learning.earlier']>[0],
    signal: AbortSignal,
  ): Promise<EarlierSessions> {
    const since = days === undefined ? 0 : now() - days * DAY_MS
    const all = await listSessionFiles(program, places, signal)
    const files = all.filter(({ changedAt }) => changedAt >= since)
    const sessions: EarlierSession[] = []
    const left: EarlierSessions['left'] = []
    let [leftCount, known, count] = [0, 0, 0]
    const leave = (file: SessionFile, why: string) => {
      if (++leftCount <= MOST_LEFT) left.push({ name: file.id, why })
    }
    let isWhole = all.length === files.length
    for (const file of files) {
      if (sessions.length >= limit || count >= MOST_READ) {
        isWhole = false
        break
      }
      signal.throwIfAborted()
      const id = idOf(program, file)
      if (!mayBeNew(id, file)) {
        known++
        continue
      }
      count++
      const whole = await read(program, file, signal)
      if (isRefusal(whole)) {
        leave(file, whole.refused)
        continue
      }
      const stored = storedOf(id)
      const fresh = stored && whole.events.filter(({ eventId }) => !stored.has(eventId))
      const said = (fresh ?? []).flatMap(({ event }) => (event.type === 'user_message' ? [event] : []))
      if (stored === undefined || (stored.size > 0 && said.length === 0)) known++
      else if (said.length > 0) {
        if (whole.isCut) leave(file, 'its end, behind 100 MB')
        sessions.push({
          id,
          folder: whole.folder,
          at: Math.min(now(), fresh!.at(-1)!.event.at || file.changedAt),
          questions: said.length,
          begins: redactText(said[0]!.text).replaceAll(/\s+/g, ' ').slice(0, BEGINNING).toWellFormed(),
          hasGoneOn: stored.size > 0,
        })
      }
    }
    const place = READERS[program].place(places)
    return { place, sessions, known, left, leftCount, more: !isWhole, budget: budget() }
  }

  /** Store the new events of a session. Returns whether there were any. */
  async function take(program: ReadProgram, file: SessionFile, signal: AbortSignal): Promise<boolean> {
    const id = idOf(program, file)
    const whole = await read(program, file, signal)
    const stored = storedOf(id)
    if (isRefusal(whole) || stored === undefined) return false
    const events: SessionEvent[] = []
    let bytes = 0
    // Newest first, because a long session loses its oldest ones.
    for (const { eventId, event } of whole.events.slice(-MOST_EVENTS).toReversed()) {
      signal.throwIfAborted()
      await letOthersRun()
      const at = Math.min(now(), event.at || file.changedAt)
      const kept = { eventId, event: trimEvent({ ...redactIn(event), at }) }
      bytes += Buffer.byteLength(JSON.stringify(kept.event))
      if (bytes > MOST_BYTES) break
      events.unshift(kept)
    }
    const begins = events.findIndex(({ event }) => event.type === 'user_message')
    if (begins < 0) return false
    const { folder, model } = whole
    const session = { id, agent: program, folder, model, isImported: true }
    return foreign.add(session, events.slice(begins)) > 0
  }

  async function* learn(
    { program, ids, modelId }: Parameters<HostHandlers['learning.readEarlier']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<LearnStep> {
    checkIsOn()
    const wanted = new Set(ids)
    const files = await listSessionFiles(program, places, signal)
    const taken: string[] = []
    for (const file of files) {
      const id = idOf(program, file)
      if (wanted.has(id) && (await take(program, file, signal))) taken.push(id)
    }
    if (taken.length > 0) onChange()
    yield* review(taken, modelId, signal)
  }

  return {
    handlers: {
      'learning.earlier': list,
      'learning.readEarlier': learn,
    } satisfies Partial<HostHandlers>,
  }
}
