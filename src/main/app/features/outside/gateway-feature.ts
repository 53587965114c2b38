import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { Model } from '../../../../shared/contract/models/model.ts'
import type { ApprovalMode, Session } from '../../../../shared/contract/chats/session.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { Attachments } from '../../../attachments/open-attachments.ts'
import type { DocumentsFor } from '../../../attachments/sent-documents.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { RunRow } from '../../../db/schedule-tables.ts'
import type { StoredOutbox } from '../../../db/connections/gateway-tables.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { GatewayOptions } from '../../../gateway/gateway-parts.ts'
import { openInbox, type Inbox } from '../../../gateway/messages/open-inbox.ts'
import { openGateway } from '../../../gateway/open-gateway.ts'
import { openRights } from '../../../gateway/open-rights.ts'
import { openOutbox } from '../../../gateway/messages/open-outbox.ts'
import { privatePlaceOf, readPlace } from '../../../gateway/places.ts'
import { describeTelegram } from '../../../gateway/telegram/telegram-kind.ts'
import { fetchFiles } from '../../../gateway/turns/fetch-files.ts'
import { openTurns } from '../../../gateway/turns/open-turns.ts'
import { createCommands } from '../../../gateway/turns/place-commands.ts'
import { createPlaceChats } from '../../../gateway/turns/place-chats.ts'
import type { SpeechServer } from '../../../models/engines/openai/transcribe-speech.ts'
import type { Network } from '../../../net/create-network.ts'
import { redactText } from '../../../untrusted/redact.ts'
import type { Broadcast, Topic } from '../../../lib/topic.ts'
import { SEND_FILE, sendFileTool } from '../../../gateway/send-file-tool.ts'
import { zoneOfComputer } from '../../../lib/time-zone.ts'
import type { Runs } from '../../../runs/runs.ts'
import { refuseOwnFolder, resolveAsked } from '../../../files/workspace.ts'
import type { ChatEvent } from '../chats/chats-feature.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  secrets: Secrets
  network: { isLocked(): boolean; fetchFor: Network['fetchFor'] }
  models: {
    defaultId(): string
    list(): Promise<readonly Model[]>
    speechServer(): SpeechServer | undefined
  }
  chats: { runs: Runs; usualMode(): ApprovalMode; handlers: Pick<HostHandlers, 'branch.undo'> }
  attachments: { attach: Attachments['add']; prepare: DocumentsFor }
  /** Return the path of an attachment's content. */
  contentOf(hash: string): string
  schedules: { tellOrAdd(words: string, place: { folder: string; modelId: string }): Promise<string> }
  chatEvents: Topic<ChatEvent>
  /** Whether this host serves messengers. False for terminal commands, which end too soon. */
  isCarried: boolean
  options: GatewayOptions
  zone?: (() => string) | undefined
  now(): number
  report(error: unknown): void
}

/** How long to wait for the rest of a message, in ms. */
const JOIN_MS = 1_000
/** How often to look for chats that are over, in ms. */
const TICK_MS = 60_000
const SENT_MS = 20_000
const SOON_MS = 5_000
const MOST_WAITED_TRIES = 2

/** Return whether a tool is offered in a chat; `send_file` only in chats of a messenger. */
export const offerSending =
  ({ placeOf }: Pick<Store['gateway'], 'placeOf'>) =>
  (tool: string, { id }: { id: string }): boolean =>
    tool !== SEND_FILE || placeOf(id) !== undefined

/** Return the warning shown when an account is paired while the built-in model answers. */
const noteOfModel = (modelId: string): string =>
  modelId === 'builtin'
    ? 'The built-in model answers there. It can look at files, do sums and remember things, but it cannot hold a conversation. Choose another model for that.'
    : ''

/** Messengers: answer contacts from the chats of this computer. */
export function gatewayFeature(needs: Needs) {
  const { store, feed, chats, options, now, report } = needs
  const { runs } = chats
  const changed = () => feed.tell('gateway')
  const outbox = openOutbox({ store: store.gateway, waitMs: options.waitMs, now, changed, report })
  const places = createPlaceChats({
    home: needs.home,
    store,
    defaultModel: needs.models.defaultId,
    usualMode: chats.usualMode,
    isRunning: runs.isRunning,
    chatEnded: sessionId => needs.chatEvents.publish({ type: 'chat_ended', sessionId }),
    zone: needs.zone ?? (() => zoneOfComputer().zone),
    now,
  })
  const gateway = openGateway({
    store: store.gateway,
    kinds: options.platforms ?? [describeTelegram(() => needs.config.current.gateway.telegram_address)],
    keys: needs.secrets,
    fetchFor: ({ title, isPoll }) =>
      needs.network.fetchFor({ purpose: 'messenger', subject: `${title}, your bot`, isPoll }),
    isLocked: needs.network.isLocked,
    isCarried: needs.isCarried,
    outbox,
    inbox: () => inbox,
    commands: () => commands.list(),
    connected: platform => void rights.questions.endLeft(platform).catch(report),
    forgotten: name => rights.forget(name),
    now,
    changed,
    report,
  })
  /** Return the current speech server. */
  function speech() {
    const server = needs.models.speechServer()
    if (!server) return undefined
    const fetch = needs.network.fetchFor({ purpose: 'messenger', subject: `${server.name}, a voice note` })
    return {
      name: server.name,
      async transcribe(bytes: Uint8Array, mime: string, signal: AbortSignal) {
        const { transcribeSpeech } = await import('../../../models/engines/openai/transcribe-speech.ts')
        return transcribeSpeech(server, { bytes, mime }, fetch, signal)
      },
    }
  }
  const rights = (options.rights ?? openRights)({
    store,
    outbox,
    carried: gateway.carried,
    async folderOf(given) {
      const folder = await resolveAsked(given)
      refuseOwnFolder(needs.home, folder)
      return folder
    },
    note: () => noteOfModel(needs.models.defaultId()),
    changed,
    now,
    report,
  })
  const { contacts, questions } = rights
  const turns = openTurns({
    store,
    contacts,
    questions,
    outbox,
    chats: places,
    runs,
    fetchFiles: (given, signal) =>
      fetchFiles(
        {
          attach: (session, name, bytes) =>
            needs.attachments.attach(session, {
              kind: 'bytes',
              name,
              base64: Buffer.from(bytes).toString('base64'),
            }),
          speech: speech(),
        },
        given,
        signal,
      ),
    prepare: (session: Session, hashes, message) =>
      needs.attachments.prepare(session, hashes, { message, hasTools: true }),
    free: (platform, placeKey) => inbox.wake(platform, placeKey),
    now,
    changed,
    report,
  })
  const commands = createCommands({
    store,
    outbox,
    questions,
    turns,
    chats: places,
    isRunning: runs.isRunning,
    listModels: needs.models.list,
    async undo(sessionId) {
      const { text } = await chats.handlers['branch.undo'](
        { sessionId, stopRun: true },
        new AbortController().signal,
      )
      return text
    },
    schedule: needs.schedules.tellOrAdd,
    now,
  })
  const inbox: Inbox = openInbox({
    store,
    contacts,
    questions,
    outbox,
    turns,
    commands,
    platformOf: gateway.platformOf,
    joinMs: options.joinMs ?? JOIN_MS,
    now,
    changed,
    report,
  })
  const tick = () => {
    try {
      places.endOld()
    } catch (error) {
      report(error)
    }
  }
  const timer = needs.isCarried ? setInterval(tick, TICK_MS).unref() : undefined
  // After the launch, so that no window waits for it.
  const first = setImmediate(() => {
    if (needs.isCarried) gateway.open()
  })
  needs.config.onChange(path => {
    if (path === 'network.offline') gateway.lockChanged().catch(report)
  })

  // A turn that was started in the window can also end in such a chat.
  const unsubscribe = needs.chatEvents.subscribe(event => {
    if (event.type !== 'run' || event.event.type !== 'turn_end') return
    const place = store.gateway.placeOf(event.sessionId)
    if (place) setImmediate(() => inbox.wake(place.platform, place.placeKey))
  })

  /** Send a text to a contact's private chat; undefined if there is none. */
  function sayTo(contactId: string, text: string, sessionId: string | null = null) {
    const known = privatePlaceOf(store.gateway, contactId)
    // A paired contact that has not written yet has a private chat too.
    const accounts = contacts.get(contactId)?.accounts ?? []
    for (const name of [...(known ? [known.platform] : []), ...accounts.map(each => each.platform)]) {
      const platform = gateway.platformOf(name)
      if (!platform) continue
      const place = known?.platform === name ? known.place : contacts.privatePlace(contactId, platform)
      if (place) return outbox.say(platform, place, text, { sessionId })
    }
    return undefined
  }

  /** Return the messenger place where a chat is answered. */
  function placeOf(sessionId: string) {
    const row = store.gateway.placeOf(sessionId)
    const platform = row && gateway.platformOf(row.platform)
    return row && platform && { platform, place: readPlace(row).place }
  }
  const tool = sendFileTool({
    receiverOf(sessionId) {
      const at = placeOf(sessionId)
      return at && { name: `${at.place.title} (${at.platform.title})`, most: at.platform.limits.sendBytes }
    },
    attachedAs(sessionId, name) {
      const found = store.attachments.ofPath(sessionId).find(each => each.name === name)
      return found && needs.contentOf(found.hash)
    },
    async send(sessionId, { name, bytes, caption }) {
      const at = placeOf(sessionId)
      if (!at) return { problem: 'The messenger is not connected.', unsure: false }
      const file = { name, mime: 'application/octet-stream', bytes, caption: redactText(caption) }
      const result = await at.platform.sendFile(at.place, file)
      if (result.kind === 'sent') return 'sent'
      if (result.kind === 'wait')
        return {
          problem: `${at.platform.title} asks Talaria to wait ${Math.ceil(result.ms / 1000)} seconds.`,
          unsure: false,
        }
      if (result.kind === 'moved') return { problem: 'The chat has moved. Try again.', unsure: false }
      return { problem: result.why, unsure: result.kind === 'unsure' }
    },
  })

  return {
    tool,
    /** Tell the user of this computer the result of a scheduled run. */
    tellOfRun({ name, run, answer }: { name: string; run: RunRow; answer: string }) {
      const { state, text, sessionId } = run
      const what = state === 'done' ? answer : `It did not run as planned. ${text}`
      const you = rights.shown().contacts.filter(({ relation }) => relation === 'you')
      for (const { id } of you) if (sayTo(id, `**${name}**\n\n${what}`, sessionId)) return
    },
    tick,
    handlers: {
      'gateway.state': () => ({
        platforms: gateway.showAll(),
        ...rights.shown(),
        items: gateway.listItems(),
        isCarried: needs.isCarried,
      }),
      'gateway.connect': ({ platform, key }) => gateway.connect(platform, key),
      async 'gateway.disconnect'({ platform, forget }) {
        await gateway.disconnect(platform, forget)
        return {}
      },
      async 'gateway.send'({ contactId, text }) {
        const rows = sayTo(contactId, text)
        if (!rows)
          throw new Fault(
            'bad_input',
            'This contact has no private chat on a connected messenger. The contact has to write first.',
          )
        const states = () => rows.flatMap(({ id }) => store.gateway.outbox(id) ?? [])
        const until = Date.now() + SENT_MS
        /** Return whether to wait: a messenger may ask for a short pause, but may also be unreachable. */
        const isSoon = ({ state, tries, nextAt }: StoredOutbox) =>
          state === 'waiting' && tries <= MOST_WAITED_TRIES && nextAt - now() < SOON_MS
        const isOpen = (row: StoredOutbox) => row.state === 'sending' || row.tries === 0 || isSoon(row)
        while (Date.now() < until && states().some(isOpen))
          await new Promise(resolve => setTimeout(resolve, 20))
        const problem = states().find(each => each.problem !== '')?.problem ?? ''
        const has = (state: string) => states().some(each => each.state === state)
        const state = has('failed')
          ? 'failed'
          : has('unsure')
            ? 'unsure'
            : has('waiting')
              ? 'waiting'
              : 'sent'
        return { state, problem }
      },
      'gateway.item'({ way, id, what }) {
        if (way === 'in') inbox.decide(id, what === 'again')
        else if (what === 'again') outbox.again(id)
        else store.gateway.changeOutbox(id, { state: 'dropped', body: '{}' })
        changed()
        return {}
      },
      ...rights.handlers,
      async 'gateway.change'(change, signal) {
        const changed = await rights.handlers['gateway.change'](change, signal)
        // A chat keeps the folder and memory it began with, so end the ones that had more.
        const isLess = change.folder !== undefined || change.readsMemory === false
        if (isLess) {
          await turns.stopOf(change.id)
          places.endOf(change.id)
        }
        return changed
      },
      async 'gateway.remove'({ id }, signal) {
        const left = store.gateway.places().filter(({ contactId }) => contactId === id)
        const removed = await rights.handlers['gateway.remove']({ id }, signal)
        // Stop the contact's runs and fail its waiting messages.
        for (const row of left)
          if (readPlace(row).place.kind === 'private')
            outbox.failAll(row.platform, row.placeKey, 'This contact was removed.')
        await turns.stopOf(id)
        return removed
      },
    } satisfies Partial<HostHandlers>,
    async close() {
      clearInterval(timer)
      clearImmediate(first)
      unsubscribe()
      turns.close()
      await inbox.close()
      await outbox.close()
      rights.close()
      await gateway.close()
    },
  }
}
