import type { GatewayStore, StoredOutbox } from '../../db/connections/gateway-tables.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { withinTime } from '../../lib/timing.ts'
import { moveTo, readPlace, savePlace } from '../places.ts'
import type { Button, Part, Place, Platform, SendResult } from '../platform.ts'

/** What is sent along with parts. */
export type SendBeside = {
  sessionId?: string | null
  runId?: string | null
  messageId?: number | null
  /** Without a sound. */
  isQuiet?: boolean
  /** Below the last part. */
  buttons?: readonly (readonly Button[])[]
  /** The message that it answers. */
  answers?: string
  /** It grows until its answer is there; `part` is where it stands among the parts of the answer. */
  live?: true
  part?: number
}

/** A row of the outbox. `copy`: it may have arrived already, and says so; `live`: it goes on growing. */
type Body = Pick<SendBeside, 'buttons' | 'answers' | 'live'> & {
  part: Part
  place: Place
  isQuiet: boolean
  copy?: true
}

type Parts = {
  store: GatewayStore
  /** The first wait before something is tried again, in ms. */
  waitMs?: number | undefined
  now(): number
  changed(): void
  report(error: unknown): void
}

type Lane = {
  isBusy: boolean
  work: Promise<void>
  blockedUntil: number
  editAt: number
  timer: NodeJS.Timeout | undefined
}

/** Messages on their way out, each a row before it is sent. */
export type Outbox = ReturnType<typeof openOutbox>

const SECOND_COPY = 'This may be a second copy of a message that you have:'
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 60_000
const GIVE_UP_MS = 24 * 60 * 60_000
const DISK_MS = 2_000
/** How long a host that closes waits for what is being sent. */
const CLOSING_MS = 3_000

/**
 * Send what stands in the outbox, in the order of each place. What certainly did not leave is tried again; what may have arrived is sent
 * once more and says so.
 */
export function openOutbox({ store, waitMs = FIRST_WAIT_MS, now, changed, report }: Parts) {
  const platforms = new Map<string, Platform>()
  const lanes = new Map<string, Lane>()
  const closing = new AbortController()
  for (const row of store.openOutbox())
    if (isTorn(row)) store.changeOutbox(row.id, { state: 'failed', problem: TORN, body: '{}' })
    else if (row.state === 'sending') leftSending(row)

  /** A process that ended while it sent does not know whether it arrived. An edit is simply made again. */
  function leftSending(row: StoredOutbox) {
    const body = row.sentId === null ? JSON.stringify({ ...bodyOf(row), copy: true }) : row.body
    store.changeOutbox(row.id, { state: 'waiting', body })
  }

  function laneOf(platform: string, placeKey: string): Lane {
    const key = `${platform}\n${placeKey}`
    const lane = lanes.get(key) ?? {
      isBusy: false,
      work: Promise.resolve(),
      blockedUntil: 0,
      editAt: 0,
      timer: undefined,
    }
    lanes.set(key, lane)
    return lane
  }

  function wake(platform: string, placeKey: string, ms = 0) {
    const lane = laneOf(platform, placeKey)
    if (lane.isBusy || closing.signal.aborted) return
    clearTimeout(lane.timer)
    lane.timer = setTimeout(
      () => {
        lane.work = pump(platform, placeKey, lane).catch(report)
      },
      Math.max(0, ms),
    ).unref()
  }

  async function pump(name: string, placeKey: string, lane: Lane) {
    if (lane.isBusy || closing.signal.aborted) return
    lane.isBusy = true
    let again: number | undefined
    try {
      again = await sendAll(name, placeKey, lane)
    } catch (error) {
      // A full disk: nothing was sent that is not stored as being sent.
      report(error)
      again = DISK_MS
    } finally {
      lane.isBusy = false
    }
    if (again !== undefined) wake(name, placeKey, again)
  }

  /** Send what is due; returns after how many ms to look again. */
  async function sendAll(name: string, placeKey: string, lane: Lane): Promise<number | undefined> {
    while (!closing.signal.aborted) {
      const platform = platforms.get(name)
      if (!platform) return undefined
      const waiting = store
        .openOutbox()
        .filter(each => each.platform === name && each.placeKey === placeKey && each.state === 'waiting')
      const [first] = waiting.filter(each => !bodyOf(each).live)
      const due = [...(first ? [first] : []), ...waiting.filter(each => bodyOf(each).live)]
        .map(row => ({ row, at: Math.max(row.nextAt, lane.blockedUntil, isGrowing(row) ? lane.editAt : 0) }))
        .toSorted((a, b) => a.at - b.at || a.row.id - b.row.id)[0]
      if (!due) return undefined
      if (due.at > now()) return due.at - now()
      await sendRow(platform, due.row, lane)
    }
    return undefined
  }

  async function sendRow(platform: Platform, row: StoredOutbox, lane: Lane) {
    const { place, part, buttons, answers, isQuiet, copy } = bodyOf(row)
    store.changeOutbox(row.id, { state: 'sending', tries: row.tries + 1 })
    const options = {
      isQuiet,
      signal: closing.signal,
      ...(buttons && { buttons }),
      ...(answers !== undefined && { answers }),
    }
    let result: SendResult | undefined
    if (copy) {
      const note = await attempt(() =>
        platform.send(place, platform.compose(SECOND_COPY)[0]!, { isQuiet, signal: closing.signal }),
      )
      if (note.kind !== 'sent' && note.kind !== 'unsure') result = note
    }
    result ??= await attempt(() =>
      row.sentId === null
        ? platform.send(place, part, options)
        : platform.edit(place, row.sentId, part, buttons),
    )
    // After the answer it is only a matter of writing it down; a disk that is full gets time.
    for (;;) {
      try {
        settle(platform, row, result, lane)
        break
      } catch (error) {
        report(error)
        if (closing.signal.aborted) return
        await new Promise(resolve => setTimeout(resolve, DISK_MS).unref())
      }
    }
    changed()
  }

  function settle(platform: Platform, sent: StoredOutbox, result: SendResult, lane: Lane) {
    const row = store.outbox(sent.id)
    if (!row) return
    const isEdit = sent.sentId !== null
    const wait = Math.min(LONGEST_WAIT_MS, waitMs * 2 ** Math.min(sent.tries, 5))
    const later = (problem: string, more: Partial<StoredOutbox> = {}) =>
      now() - row.madeAt > GIVE_UP_MS
        ? store.changeOutbox(row.id, { state: 'failed', problem })
        : store.changeOutbox(row.id, { state: 'waiting', nextAt: now() + wait, problem, ...more })
    switch (result.kind) {
      case 'sent': {
        lane.editAt = now() + platform.limits.editMs
        const sentId = result.messageId || sent.sentId
        const body = bodyOf(row)
        if (row.body !== sent.body) return store.changeOutbox(row.id, { state: 'waiting', sentId })
        // What arrived is in the chat; it need not stand here too.
        return store.changeOutbox(row.id, {
          state: body.live ? 'live' : 'sent',
          sentId,
          problem: '',
          ...(!body.live && { body: '{}' }),
        })
      }
      case 'wait':
        lane.blockedUntil = now() + result.ms
        return store.changeOutbox(row.id, { state: 'waiting', nextAt: lane.blockedUntil })
      case 'unsure':
        if (isEdit) return later(result.why)
        if (bodyOf(row).copy) return store.changeOutbox(row.id, { state: 'unsure', problem: result.why })
        return later(result.why, { body: JSON.stringify({ ...bodyOf(row), copy: true }) })
      case 'not_sent':
        return later(result.why)
      case 'refused':
        // The message to edit may be deleted there.
        if (isEdit)
          return store.changeOutbox(row.id, { state: 'waiting', sentId: null, nextAt: now() + wait })
        return store.changeOutbox(row.id, { state: 'failed', problem: result.why })
      case 'moved':
        movePlace(platform.name, bodyOf(row).place, result.to)
        return store.changeOutbox(row.id, { state: 'waiting' })
      case 'gone':
        failAll(row.platform, row.placeKey, result.why)
    }
  }

  /** A chat got another id: all that waits for it goes there. */
  function movePlace(name: string, place: Place, to: string) {
    const moved = moveTo(place, to)
    store.together(() => {
      for (const each of store.openOutbox())
        if (each.platform === name && each.placeKey === place.key)
          store.changeOutbox(each.id, { body: JSON.stringify({ ...bodyOf(each), place: moved }) })
      store.movePlace(name, place.key, moved.key)
      const row = store.place(name, moved.key)
      if (row) savePlace(store, { ...readPlace(row), place: moved })
    })
    wake(name, moved.key)
  }

  function failAll(name: string, placeKey: string, problem: string) {
    store.together(() => {
      for (const each of store.openOutbox())
        if (each.platform === name && each.placeKey === placeKey)
          store.changeOutbox(each.id, { state: 'failed', problem })
    })
  }

  function put(
    platform: string,
    place: Place,
    parts: readonly Part[],
    { sessionId = null, runId = null, messageId = null, isQuiet = false, ...how }: SendBeside = {},
  ): StoredOutbox[] {
    const rows = store.putOutbox(
      parts.map((part, n) => ({
        platform,
        placeKey: place.key,
        sessionId,
        runId,
        messageId,
        part: (how.part ?? 0) + n,
        madeAt: now(),
        nextAt: now(),
        state: 'waiting',
        body: JSON.stringify({
          part,
          place,
          isQuiet,
          ...(n === parts.length - 1 && how.buttons && { buttons: how.buttons }),
          ...(n === 0 && how.answers !== undefined && { answers: how.answers }),
          ...(how.live && { live: true }),
        } satisfies Body),
      })),
    )
    wake(platform, place.key)
    return rows
  }

  return {
    put,
    /** Say a Markdown text in a place. What looks like a key is blacked out. */
    say(platform: Platform, place: Place, markdown: string, how: SendBeside = {}): StoredOutbox[] {
      return put(platform.name, place, platform.compose(redactText(markdown)), how)
    },
    /** Let what was sent, or is about to be, say something else. `live` ends with what it says last. */
    revise(id: number, part: Part, how: { live: boolean; messageId?: number | null; isQuiet?: boolean }) {
      const row = store.outbox(id)
      if (!row || row.body === '{}') return
      const { live: _live, ...body } = bodyOf(row)
      const next = JSON.stringify({
        ...body,
        part,
        isQuiet: how.isQuiet ?? body.isQuiet,
        ...(how.live && { live: true }),
      } satisfies Body)
      const isSame = body.part.payload === part.payload && row.sentId !== null && row.state === 'live'
      if (isSame && !how.live)
        return store.changeOutbox(id, { state: 'sent', body: '{}', messageId: how.messageId ?? null })
      if (isSame) return
      store.changeOutbox(id, {
        body: next,
        messageId: how.messageId ?? row.messageId,
        ...(row.state === 'live' && { state: 'waiting' as const, nextAt: now() }),
      })
      wake(row.platform, row.placeKey)
    },
    movePlace,
    failAll,
    /** How long a place wants to be left alone, in ms, for those who send by themselves. */
    waitOf: (name: string, placeKey: string) => Math.max(0, laneOf(name, placeKey).blockedUntil - now()),
    /** A place said that it wants to be left alone. */
    block(name: string, placeKey: string, ms: number) {
      laneOf(name, placeKey).blockedUntil = now() + ms
    },
    attach(platform: Platform) {
      platforms.set(platform.name, platform)
      for (const { platform: name, placeKey } of store.openOutbox())
        if (name === platform.name) wake(name, placeKey)
    },
    detach: (name: string) => void platforms.delete(name),
    /** Try what failed or is unsure again. */
    again(id: number) {
      const row = store.outbox(id)
      if (!row || isTorn(row) || (row.state !== 'failed' && row.state !== 'unsure')) return
      const copy = row.state === 'unsure' ? { copy: true as const } : {}
      store.changeOutbox(id, {
        state: 'waiting',
        nextAt: now(),
        madeAt: now(),
        tries: 0,
        problem: '',
        body: JSON.stringify({ ...bodyOf(row), ...copy }),
      })
      wake(row.platform, row.placeKey)
    },
    /** How a row reads for a person. */
    beginningOf: (row: StoredOutbox): string =>
      row.body === '{}' ? '' : bodyOf(row).part.plain.slice(0, 120),
    placeOf: (row: StoredOutbox): string => (row.body === '{}' ? '' : bodyOf(row).place.title),
    /** Send nothing more; what is being sent may still say whether it arrived. */
    async close() {
      closing.abort()
      for (const lane of lanes.values()) clearTimeout(lane.timer)
      await withinTime(CLOSING_MS, Promise.all([...lanes.values()].map(({ work }) => work)))
    },
  }
}

const TORN = 'The message to be sent can no longer be read.'
/** What was not sent has its part and its place; a disk may have lost them. */
function isTorn({ body }: StoredOutbox): boolean {
  const stored = parseJson(body)
  return typeof stored !== 'object' || stored === null || !('part' in stored) || !('place' in stored)
}
const bodyOf = ({ body }: StoredOutbox): Body => JSON.parse(body) as Body
/** Whether a row goes on growing until its answer is there. */
export const isLive = (row: StoredOutbox): boolean => bodyOf(row).live === true
/** An edit of an answer that still grows has to keep to the pace of its messenger. */
const isGrowing = (row: StoredOutbox): boolean => row.sentId !== null

/** Failures of a platform are values; what it throws all the same may have left. */
async function attempt(send: () => Promise<SendResult>): Promise<SendResult> {
  try {
    return await send()
  } catch (error) {
    return { kind: 'unsure', why: error instanceof Error ? error.message : 'It broke off.' }
  }
}
