import type { StoredInbox } from '../../db/connections/gateway-tables.ts'
import type { Store } from '../../db/store.ts'
import type { Admission, Contacts, PhoneQuestions } from '../gateway-parts.ts'
import { withinTime } from '../../lib/timing.ts'
import { readInboxRow, readPlace, type InboxRow } from '../places.ts'
import { inAbout, isReadable, joinedRows, senderOf, tornRows } from './arrived-rows.ts'
import type { Outbox } from './open-outbox.ts'
import type { Incoming, IncomingMessage, IncomingPress, Platform } from '../platform.ts'
import type { PlaceCommands } from '../turns/place-commands.ts'
import type { Heard, PlaceTurns } from '../turns/open-turns.ts'

type Parts = {
  store: Pick<Store, 'gateway'>
  contacts: Contacts
  questions: PhoneQuestions
  outbox: Outbox
  turns: Pick<PlaceTurns, 'handle' | 'recover'>
  commands: PlaceCommands
  /** A messenger that is carried now. */
  platformOf(name: string): Platform | undefined
  /** How long is waited for the rest of what somebody writes, in ms. */
  joinMs: number
  now(): number
  changed(): void
  report(error: unknown): void
}

type Told = Extract<Admission, { kind: 'told' }>
type Lane = {
  rows: InboxRow[]
  timer: NodeJS.Timeout | undefined
  isBusy: boolean
  isHeld: boolean
  work: Promise<void>
}

/** What is older runs only when its writer says so once more. */
const STALE_MS = 10 * 60_000
const RETRY_MS = 2_000
/** What is said to somebody who is not heard is said once in so long. */
const TOLD_MS = 60_000
/** How long a host that closes waits for what is being handed on. */
const CLOSING_MS = 3_000

/** Messages on their way in, each a row before it is confirmed to its messenger. */
export type Inbox = ReturnType<typeof openInbox>

/** Take what arrives and hand it on, in the order of each place. Every key is heard once. */
export function openInbox(parts: Parts) {
  const { store, contacts, questions, outbox, turns, commands, now, report } = parts
  const lanes = new Map<string, Lane>()
  const startedAt = now()
  const closing = new AbortController()
  /** When each contact was last told why it is not heard. */
  const told = new Map<string, number>()

  function laneOf(platform: string, placeKey: string): Lane {
    const key = `${platform}\n${placeKey}`
    const lane = lanes.get(key) ?? {
      rows: [],
      timer: undefined,
      isBusy: false,
      isHeld: false,
      work: Promise.resolve(),
    }
    lanes.set(key, lane)
    return lane
  }

  /** Store what arrived with the offset behind it. Strangers leave nothing here. Throws when it cannot be stored. */
  function take(platform: Platform, arrived: readonly Incoming[], offset: string): void {
    const heard = arrived.filter(each => {
      try {
        return isReadable(each) && isHeard(platform, each)
      } catch (error) {
        // What cannot be stored is asked for again; what cannot be read would stand in the way of all that follows.
        if (!(error instanceof TypeError)) throw error
        report(error)
        return false
      }
    })
    const rows = store.gateway.take(
      platform.name,
      heard.map(each => ({
        key: each.key,
        placeKey: each.kind === 'moved' ? each.from : each.place.key,
        at: each.kind === 'message' ? each.at : now(),
        receivedAt: now(),
        body: JSON.stringify(each),
      })),
      offset,
    )
    if (rows.length > 0) parts.changed()
    for (const row of rows) routeSafely(platform, readInboxRow(row))
  }

  /** Whether anything is done with what arrived. Strangers leave nothing here, and get no answer. */
  function isHeard(platform: Platform, each: Incoming): boolean {
    if (each.kind === 'press') return contacts.of(platform, each.from.id) !== undefined
    if (each.kind === 'left') return store.gateway.place(platform.name, each.place.key) !== undefined
    if (each.kind === 'moved') return true
    const { kind } = contacts.admit(platform, each)
    return kind === 'speaks' || kind === 'told'
  }

  /** Say why somebody is not heard: once, however much they write. */
  function tell(platform: Platform, body: IncomingMessage, { contact, text }: Told) {
    if (now() - (told.get(contact.id) ?? -Infinity) < TOLD_MS) return
    told.set(contact.id, now())
    outbox.say(platform, body.place, text, { answers: body.messageId })
  }

  /** Route a row. One that could not be, on a full disk, is routed again. */
  function routeSafely(platform: Platform, row: InboxRow): void {
    route(platform, row).catch((error: unknown) => {
      report(error)
      setTimeout(() => {
        if (!closing.signal.aborted && store.gateway.inbox(row.id)?.state === 'new')
          routeSafely(platform, row)
      }, RETRY_MS).unref()
    })
  }

  async function route(platform: Platform, row: InboxRow): Promise<void> {
    const { body } = row
    switch (body.kind) {
      case 'press':
        settle([row], 'done')
        return platform.answerPress(body.pressId, await pressed(platform, body))
      case 'moved': {
        for (const { place } of store.gateway.places().map(readPlace))
          if (place.chatId === body.from) outbox.movePlace(platform.name, place, body.to)
        contacts.groupMoved(platform, body.from, body.to)
        return settle([row], 'done')
      }
      case 'left':
        outbox.failAll(platform.name, body.place.key, body.why)
        return settle([row], 'done')
      case 'message':
        return message(platform, row, body)
    }
  }

  async function message(platform: Platform, row: InboxRow, body: IncomingMessage) {
    const admission = contacts.admit(platform, body)
    if (admission.kind === 'told') {
      settle([row], 'done')
      return tell(platform, body, admission)
    }
    if (admission.kind !== 'speaks') return settle([row], 'dropped')
    // A command may answer a message; in what is forwarded it is somebody else’s.
    const isTyped = body.files.length === 0 && body.forwarded === undefined
    const command = isTyped ? commands.read(admission.text) : undefined
    if (!command) return add(platform, row)
    settle([row], 'done')
    if (isStale(row)) {
      const ago = inAbout(now() - row.at)
      outbox.say(platform, body.place, `You wrote /${command.name} ${ago} ago. Nothing was done.`)
      return
    }
    const { contact, isQuiet } = admission
    contacts.spend(contact.id, { messages: 1 })
    await commands.run(command, { platform, place: body.place, contact, ...(isQuiet && { isQuiet }) })
  }

  function add(platform: Platform, row: InboxRow) {
    const lane = laneOf(platform.name, row.placeKey)
    lane.rows.push(row)
    soon(platform, lane, parts.joinMs)
  }

  function soon(platform: Platform, lane: Lane, ms: number) {
    if (closing.signal.aborted) return
    clearTimeout(lane.timer)
    lane.timer = setTimeout(() => {
      lane.work = work(platform, lane).catch(report)
    }, ms).unref()
  }

  /** Hand on what waits in a place, one thing after another. */
  async function work(platform: Platform, lane: Lane): Promise<void> {
    if (lane.isBusy) return
    lane.isBusy = true
    lane.isHeld = false
    try {
      while (lane.rows.length > 0 && !lane.isHeld && !closing.signal.aborted) {
        const rows = joinedRows(lane.rows)
        if (!(await handOn(platform, rows))) lane.isHeld = true
        else lane.rows = lane.rows.filter(row => !rows.includes(row))
      }
    } catch (error) {
      // A full disk, say: nothing of it is lost, and it is tried again.
      report(error)
      soon(platform, lane, RETRY_MS)
    } finally {
      lane.isBusy = false
    }
  }

  /** Hand on what belongs together. False where its place is not ready. */
  async function handOn(platform: Platform, rows: readonly InboxRow[]): Promise<boolean> {
    const stale = rows.filter(isStale)
    if (stale.length > 0) {
      askAgain(platform, stale)
      return stale.length === rows.length
        ? true
        : handOn(
            platform,
            rows.filter(row => !stale.includes(row)),
          )
    }
    const heard = hear(platform, rows)
    return heard === undefined || (await turns.handle(heard)) === 'taken'
  }

  /** What rows say together; undefined where nothing of it is heard any more. */
  function hear(platform: Platform, rows: readonly InboxRow[]): Heard | undefined {
    const texts: string[] = []
    let heard: Heard | undefined
    for (const row of rows) {
      if (row.body.kind !== 'message') continue
      const admission = contacts.admit(platform, row.body)
      if (admission.kind !== 'speaks') {
        settle([row], 'dropped')
        if (admission.kind === 'told') tell(platform, row.body, admission)
        continue
      }
      const { place, messageId, forwarded } = row.body
      const files = row.body.files.map(file =>
        forwarded === undefined ? file : { ...file, isOfOthers: true as const },
      )
      const { contact, strangers } = admission
      if (admission.text.trim() !== '') texts.push(admission.text.trim())
      heard = {
        platform,
        place,
        contact,
        rows: [...(heard?.rows ?? []), row],
        text: texts.join('\n'),
        files: [...(heard?.files ?? []), ...files],
        strangers: {
          texts: [...(heard?.strangers.texts ?? []), ...(strangers ? [strangers.text] : [])],
          marks: [...(heard?.strangers.marks ?? []), ...(strangers?.marks ?? [])],
        },
        answers: place.kind === 'private' ? undefined : messageId,
      }
    }
    return heard
  }

  /** What was written long ago, or while this was off, may not be wanted any more. */
  function isStale(row: InboxRow): boolean {
    if (now() - row.at <= STALE_MS) return false
    return row.receivedAt - row.at > STALE_MS || row.receivedAt < startedAt
  }

  function askAgain(platform: Platform, rows: readonly InboxRow[]) {
    const [first] = rows
    if (first?.body.kind !== 'message') return
    const { place, text } = first.body
    const quoted =
      text.trim() === '' ? 'something' : `“${text.trim().slice(0, 200)}${text.length > 200 ? '…' : ''}”`
    const more = rows.length > 1 ? ` and ${rows.length - 1} more` : ''
    store.gateway.together(() => {
      store.gateway.changeInbox(
        rows.map(({ id }) => id),
        { state: 'waiting' },
      )
      outbox.say(
        platform,
        place,
        `You wrote this about ${inAbout(now() - first.at)} ago, while I was not there: ${quoted}${more}.\n\nShall I do it now?`,
        {
          buttons: [
            [
              { text: 'Yes, do it now', data: `in:${first.id}:y` },
              { text: 'No, drop it', data: `in:${first.id}:n` },
            ],
          ],
        },
      )
    })
    parts.changed()
  }

  async function pressed(platform: Platform, press: IncomingPress): Promise<string> {
    const [, id, yes] = /^in:(\d{1,15}):([yn])$/.exec(press.data) ?? []
    if (id === undefined) return questions.press(platform, press)
    const row = store.gateway.inbox(Number(id))
    const body = row && readInboxRow(row).body
    if (!row || row.state !== 'waiting' || body?.kind !== 'message') return 'This has already been decided.'
    const isThere = row.platform === platform.name && row.placeKey === press.place.key
    if (!isThere || body.from.id !== press.from.id) return 'Only the person who wrote this can decide it.'
    decideWaiting(platform, row, yes === 'y')
    return yes === 'y' ? 'It is being done.' : 'It was dropped.'
  }

  /** Let old messages of a place run after all, or drop them. */
  function decideWaiting(platform: Platform, first: StoredInbox, isWanted: boolean) {
    const rows = store.gateway
      .openInbox()
      .filter(
        ({ state, placeKey, platform: name }) =>
          state === 'waiting' && placeKey === first.placeKey && name === first.platform,
      )
      .map(readInboxRow)
      // In a group, what others wrote is theirs to decide.
      .filter(row => senderOf(row) === senderOf(readInboxRow(first)))
    if (!isWanted) return settle(rows, 'dropped')
    store.gateway.changeInbox(
      rows.map(({ id }) => id),
      { state: 'new', at: now(), receivedAt: now() },
    )
    for (const row of rows) add(platform, { ...row, state: 'new', at: now(), receivedAt: now() })
    parts.changed()
  }

  function settle(rows: readonly InboxRow[], state: 'done' | 'dropped') {
    store.gateway.changeInbox(
      rows.map(({ id }) => id),
      { state, body: '{}' },
    )
    parts.changed()
  }

  return {
    take,
    /** Go on with what was not done when the last process ended, or the messenger was switched off. */
    resume(platform: Platform) {
      const mine = store.gateway.openInbox().filter(row => row.platform === platform.name)
      const torn = tornRows(mine)
      // It cannot be read any more, and does not keep the others from being heard.
      if (torn.length > 0)
        store.gateway.changeInbox(
          torn.map(({ id }) => id),
          { state: 'dropped', body: '{}' },
        )
      const open = mine.filter(row => !torn.includes(row))
      turns.recover(platform, open.filter(({ state }) => state === 'taken').map(readInboxRow))
      const known = new Set([...lanes.values()].flatMap(({ rows }) => rows.map(({ id }) => id)))
      for (const row of open)
        if (store.gateway.inbox(row.id)?.state === 'new' && !known.has(row.id))
          routeSafely(platform, readInboxRow(row))
    },
    /** A place may take its next message. */
    wake(name: string, placeKey: string) {
      const platform = parts.platformOf(name)
      const lane = laneOf(name, placeKey)
      lane.isHeld = false
      if (platform && lane.rows.length > 0) soon(platform, lane, 0)
    },
    /** Decide at the computer what becomes of a message. */
    decide(id: number, isWanted: boolean) {
      const row = store.gateway.inbox(id)
      const platform = row && parts.platformOf(row.platform)
      if (!row || !['new', 'waiting'].includes(row.state)) return
      if (row.state === 'new') {
        if (isWanted) return
        for (const lane of lanes.values()) lane.rows = lane.rows.filter(each => each.id !== id)
        settle([readInboxRow(row)], 'dropped')
      } else if (platform) decideWaiting(platform, row, isWanted)
    },
    /** Hand on nothing more. What is being handed on ends first. */
    async close() {
      closing.abort()
      for (const lane of lanes.values()) clearTimeout(lane.timer)
      await withinTime(CLOSING_MS, Promise.all([...lanes.values()].map(({ work: running }) => running)))
    },
  }
}
