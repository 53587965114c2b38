import type { GatewayItem, GatewayPlatform } from '../../shared/contract/connections/gateway.ts'
import { Fault } from '../../shared/rpc.ts'
import type { GatewayStore } from '../db/connections/gateway-tables.ts'
import { isRefusal, parseJson } from '../lib/expected-errors.ts'
import { isThisComputer } from '../lib/network/offline.ts'
import type { Inbox } from './messages/open-inbox.ts'
import type { Outbox } from './messages/open-outbox.ts'
import { tornRows } from './messages/arrived-rows.ts'
import { readInboxRow, readPlace } from './places.ts'
import type { Incoming, Platform, PlatformKind, Standing } from './platform.ts'

type Parts = {
  store: GatewayStore
  kinds: readonly PlatformKind[]
  keys: { get(name: string): string | undefined; set(name: string, value: string | undefined): Promise<void> }
  fetchFor(kind: PlatformKind): typeof fetch
  isLocked(): boolean
  /** Called after a messenger has connected again. */
  connected(platform: Platform): void
  /** Called after a messenger's key and contacts were forgotten. */
  forgotten(name: string): void
  /** Whether this host serves messengers. False for terminal commands, which end too soon. */
  isCarried: boolean
  outbox: Outbox
  inbox(): Inbox
  /** Return the commands that a messenger suggests. */
  commands(): readonly { name: string; help: string }[]
  now(): number
  changed(): void
  report(error: unknown): void
}

type Carried = {
  kind: PlatformKind
  platform: Platform | undefined
  standing: Standing | { state: 'off' | 'no_key' | 'locked' }
  stop: AbortController
  ended: Promise<void>
}

const RESTART_MS = 30_000
const KEPT_MS = 14 * 24 * 60 * 60_000
const MOST_FAILED = 50
/** How long switching on waits for the first state of the connection, in ms. */
const FIRST_MS = 10_000

/** Open the messengers: start, stop and report them. A failure of one does not affect the others. */
export function openGateway(parts: Parts) {
  const { store, kinds, keys, outbox, now, changed, report } = parts
  const carried = new Map<string, Carried>()
  let isClosed = false

  const kindOf = (name: string): PlatformKind => {
    const kind = kinds.find(each => each.name === name)
    if (!kind) throw new Fault('not_found', `There is no messenger called ${name} here.`)
    return kind
  }
  const isOn = ({ name }: PlatformKind): boolean => {
    const value = parseJson(store.platform(name).value)
    return typeof value === 'object' && value !== null && 'on' in value && value.on === true
  }
  const keyOf = ({ keyName }: PlatformKind): string | undefined =>
    keyName === null ? '' : keys.get(keyName)?.trim() || undefined
  const isHeld = (kind: PlatformKind): boolean =>
    parts.isLocked() && !isThisComputer(URL.parse(kind.address())?.hostname ?? '')

  function whyNot(kind: PlatformKind): 'off' | 'no_key' | 'locked' | undefined {
    if (!parts.isCarried) return 'off'
    // Before “off”: a messenger without a key is shown with the steps to connect it.
    if (keyOf(kind) === undefined) return 'no_key'
    if (!isOn(kind)) return 'off'
    return isHeld(kind) ? 'locked' : undefined
  }

  function start(kind: PlatformKind) {
    const why = whyNot(kind)
    const entry: Carried = {
      kind,
      platform: undefined,
      standing: { state: why ?? 'connecting' },
      stop: new AbortController(),
      ended: Promise.resolve(),
    }
    carried.set(kind.name, entry)
    if (why === undefined && !isClosed) entry.ended = carry(entry).catch(report)
    changed()
  }

  async function carry(entry: Carried): Promise<void> {
    const { kind, stop } = entry
    const { signal } = stop
    const platform = await kind.open({ key: keyOf(kind) ?? '', fetch: parts.fetchFor(kind), now })
    if (signal.aborted) return
    entry.platform = platform
    outbox.attach(platform)
    parts.inbox().resume(platform)
    while (!signal.aborted) {
      try {
        await platform.receive({
          offset: store.platform(kind.name).offset,
          take: (arrived: readonly Incoming[], offset: string) => {
            if (!signal.aborted) parts.inbox().take(platform, arrived, offset)
          },
          standing(standing) {
            const before = entry.standing.state
            entry.standing = standing
            if (standing.state === 'connected' && before !== 'connected') {
              outbox.attach(platform)
              platform.offerCommands(parts.commands()).catch(report)
              parts.connected(platform)
            }
            changed()
          },
          signal,
        })
        // It ends on its own if only the user can help.
        if (entry.standing.state === 'failed') return
      } catch (error) {
        report(error)
      }
      if (signal.aborted) return
      entry.standing = {
        state: 'waiting',
        text: `The connection to ${kind.title} was lost.`,
        retryAt: now() + RESTART_MS,
      }
      changed()
      await pause(RESTART_MS, signal)
    }
  }

  async function stop(name: string) {
    const entry = carried.get(name)
    if (!entry) return
    entry.stop.abort()
    outbox.detach(name)
    await entry.ended
  }

  async function restart(kind: PlatformKind) {
    await stop(kind.name)
    if (!isClosed) start(kind)
  }

  function show(kind: PlatformKind): GatewayPlatform {
    const standing = carried.get(kind.name)?.standing ?? { state: whyNot(kind) ?? 'off' }
    const open = store.openInbox().filter(({ platform }) => platform === kind.name)
    const out = store.openOutbox().filter(({ platform }) => platform === kind.name)
    return {
      name: kind.name,
      title: kind.title,
      state: standing.state,
      text: textOf(kind, standing),
      fix: 'fix' in standing ? standing.fix : '',
      me: 'me' in standing ? standing.me : null,
      address: kind.address(),
      retryAt: 'retryAt' in standing ? standing.retryAt : null,
      lastReceivedAt: store.lastReceivedAt(kind.name),
      waitingIn: open.length,
      waitingOut: out.length,
    }
  }

  function listItems(): GatewayItem[] {
    const titles = new Map(
      store.places().map(row => [`${row.platform}\n${row.placeKey}`, readPlace(row).place.title]),
    )
    const titleOf = (row: { platform: string; placeKey: string }) =>
      titles.get(`${row.platform}\n${row.placeKey}`) ?? ''
    const incoming = store.openInbox().flatMap((row): GatewayItem[] => {
      if (row.state === 'taken') return []
      if (tornRows([row]).length > 0) return []
      const { body } = readInboxRow(row)
      const { id, platform, at, sessionId } = row
      const beginning = body.kind === 'message' ? body.text.slice(0, 120) : ''
      const state = row.state === 'waiting' ? ('asks' as const) : ('new' as const)
      return [{ id, way: 'in', platform, place: titleOf(row), at, state, beginning, problem: '', sessionId }]
    })
    const outgoing = [...store.openOutbox(), ...store.failedOutbox(MOST_FAILED)].flatMap(
      (row): GatewayItem[] => {
        const { id, platform, madeAt: at, problem, sessionId, state } = row
        if (state === 'live' || state === 'sent' || state === 'dropped') return []
        const beginning = outbox.beginningOf(row)
        return [{ id, way: 'out', platform, place: titleOf(row), at, state, beginning, problem, sessionId }]
      },
    )
    return [...incoming, ...outgoing].toSorted((a, b) => b.at - a.at)
  }

  return {
    /** Start all messengers that are switched on. */
    open() {
      store.prune(now() - KEPT_MS)
      for (const kind of kinds) start(kind)
    },
    platformOf: (name: string) => carried.get(name)?.platform,
    /** Return a running messenger, with the agent’s own account once it is connected. */
    carried(name: string) {
      const entry = carried.get(name)
      return entry?.platform && entry.standing.state === 'connected'
        ? { platform: entry.platform, me: entry.standing.me }
        : undefined
    },
    showAll: () => kinds.map(show),
    listItems,
    /** Handle that the offline lock was switched on or off. */
    async lockChanged() {
      for (const kind of kinds)
        if (isHeld(kind) !== (carried.get(kind.name)?.standing.state === 'locked')) await restart(kind)
    },
    async connect(name: string, key: string | undefined): Promise<GatewayPlatform> {
      const kind = kindOf(name)
      const given = key === undefined ? undefined : (kind.readKey?.(key) ?? key)
      if (isRefusal(given)) throw new Fault('bad_input', given.refused)
      if (given !== undefined && kind.keyName !== null) await keys.set(kind.keyName, given)
      if (keyOf(kind) === undefined)
        throw new Fault(
          'bad_input',
          `${kind.title} needs the key of your bot. Enter it on the Messengers page, or with “talaria gateway connect”.`,
        )
      store.setPlatform(name, JSON.stringify({ on: true }))
      await restart(kind)
      const until = Date.now() + FIRST_MS
      while (carried.get(name)?.standing.state === 'connecting' && Date.now() < until) await pause(20)
      return show(kind)
    },
    async disconnect(name: string, forget: boolean) {
      const kind = kindOf(name)
      store.setPlatform(name, JSON.stringify({ on: false }))
      await stop(name)
      if (forget) {
        store.forget(name)
        parts.forgotten(name)
        if (kind.keyName !== null) await keys.set(kind.keyName, undefined)
      }
      start(kind)
    },
    async close() {
      isClosed = true
      for (const { stop } of carried.values()) stop.abort()
      await Promise.all([...carried.values()].map(({ ended }) => ended))
    },
  }
}

function textOf(kind: PlatformKind, standing: Carried['standing']): string {
  if ('text' in standing) return standing.text
  if (standing.state === 'locked')
    return `The offline lock is on, so Talaria neither receives from ${kind.title} nor sends to it.`
  return ''
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms).unref()
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
