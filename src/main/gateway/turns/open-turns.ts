import type { Attachment } from '../../../shared/contract/chats/attachments.ts'
import type { AssistantMessage, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { EndReason, RunEvent } from '../../../shared/contract/runs/run.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../db/store.ts'
import { redactText } from '../../untrusted/redact.ts'
import type { Runs } from '../../runs/runs.ts'
import type { RunStart } from '../../runs/origin.ts'
import type { Contacts, KnownContact, PhoneQuestions } from '../gateway-parts.ts'
import { isLive, type Outbox } from '../messages/open-outbox.ts'
import {
  isUserAlone,
  readInboxRow,
  readPlace,
  rememberPlace,
  savePlace,
  type InboxRow,
  type KnownPlace,
} from '../places.ts'
import type { Place, Platform } from '../platform.ts'
import { startOfContact } from '../contacts/start-of-contact.ts'
import type { FetchedFiles, HeardFile } from './fetch-files.ts'
import type { PlaceChats } from './place-chats.ts'
import { streamAnswer } from './stream-answer.ts'

/** A contact's message in a place, joined from messages that arrived together. */
export type Heard = {
  platform: Platform
  place: Place
  contact: KnownContact
  rows: readonly InboxRow[]
  text: string
  strangers: { texts: string[]; marks: StrangersMark[] }
  files: readonly HeardFile[]
  /** The id of the message that is answered. */
  answers: string | undefined
}

/** The parts of a message that come from its attachments. */
type Prepared = { attachments: Attachment[]; documents?: string; marks: StrangersMark[] }

type Parts = {
  store: Store
  contacts: Contacts
  questions: PhoneQuestions
  outbox: Outbox
  chats: PlaceChats
  runs: Pick<Runs, 'send' | 'watch' | 'steer' | 'stopIn' | 'isRunning'>
  fetchFiles(
    given: { platform: Platform; session: Session; files: readonly HeardFile[] },
    signal: AbortSignal,
  ): Promise<FetchedFiles>
  prepare(session: Session, hashes: readonly string[], message: string): Promise<Prepared>
  /** Announce that a place can take its next message. */
  free(platform: string, placeKey: string): void
  now(): number
  changed(): void
  report(error: unknown): void
}

const TYPING_MS = 4_500
const RETRY_MS = 2_000
const BROKEN_OFF =
  '_This was interrupted, and nothing of it is repeated automatically. Write “go on” to continue._'
const ENDS: Partial<Record<EndReason, string>> = {
  stopped: '_Stopped._',
  budget_exhausted: '_Talaria reached the step limit for this turn. Write “go on” to continue._',
  tool_calls_invalid: '_The model kept making tool calls that could not run._',
}

/** Turns that start on messengers: one per place; the answer is in the outbox before the message is done. */
export type PlaceTurns = ReturnType<typeof openTurns>

/** Open the turns of messengers. */
export function openTurns(parts: Parts) {
  const { store, contacts, questions, outbox, chats, runs, now, report } = parts
  const closing = new AbortController()
  /** The followed runs and their contacts. Only the same contact may steer a run, which has its rights. */
  const followed = new Map<string, { contactId: string; sessionId: string }>()

  /** Let a message be answered, or add it to the running turn. `later`: the place is not ready for it. */
  async function handle(heard: Heard): Promise<'taken' | 'later'> {
    const { platform, place, contact, rows } = heard
    chats.endOld()
    const answered =
      heard.files.length === 0 && heard.strangers.texts.length === 0
        ? questions.reply({ platform, place, contact }, heard.text)
        : undefined
    if (answered !== undefined) {
      done(rows, 'done')
      if (answered !== '') outbox.say(platform, place, answered)
      return 'taken'
    }
    const known = rememberPlace(store.gateway, {
      platform: platform.name,
      place,
      contactId: contact.id,
      at: store.gateway.place(platform.name, place.key)?.lastAt ?? now(),
    })
    const running = chats.ownChat(known)
    if (running && runs.isRunning(running.id)) return steer(heard, running)
    const { session, tell } = chats.chatFor(known, contact)
    const fetched = await parts.fetchFiles({ platform, session, files: heard.files }, closing.signal)
    if (closing.signal.aborted || runs.isRunning(session.id)) return 'later'
    const strangers = {
      texts: [...heard.strangers.texts, ...fetched.strangers.texts],
      marks: [...heard.strangers.marks, ...fetched.strangers.marks],
    }
    const whole = { ...heard, strangers }
    const text = [heard.text, ...fetched.said].filter(Boolean).join('\n\n') || wordless(whole)
    try {
      const message = [text, ...fetched.notes].join('\n\n')
      const prepared =
        fetched.hashes.length === 0
          ? { attachments: [], marks: [] }
          : await parts.prepare(session, fetched.hashes, message)
      if (runs.isRunning(session.id)) return 'later'
      if (!contacts.spend(contact.id, { messages: 1 })) {
        done(rows, 'dropped')
        outbox.say(platform, place, 'You have used up your messages for today. Write again tomorrow.')
        return 'taken'
      }
      begin(whole, session, message, prepared)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'busy' || error.code === 'not_ready') return 'later'
      done(rows, 'dropped')
      outbox.say(platform, place, isUserAlone(heard) ? error.message : FAILED, { sessionId: session.id })
      return 'taken'
    }
    if (tell !== '') outbox.say(platform, place, tell, { sessionId: session.id, isQuiet: true })
    touch(platform.name, place)
    return 'taken'
  }

  /** Start the turn. Row and message are stored together, so that a crash leaves both or neither. */
  function begin(heard: Heard, session: Session, text: string, prepared: Prepared) {
    const { platform, place, contact, rows, strangers } = heard
    const documents = [...strangers.texts, ...(prepared.documents === undefined ? [] : [prepared.documents])]
    const ids = rows.map(({ id }) => id)
    let runId = ''
    let wasSent = false
    try {
      store.gateway.together(() => {
        const sent = runs.send(session.id, text, {
          ...(prepared.attachments.length > 0 && { attachments: prepared.attachments }),
          ...(documents.length > 0 && { documents: documents.join('\n\n') }),
          marks: [...strangers.marks, ...prepared.marks],
          start: startOf(heard, session, () => runId),
        })
        wasSent = true
        runId = sent.runId
        const messageId = store.messages.page(session.id, { limit: 1 }).messages[0]?.id ?? null
        store.gateway.changeInbox(ids, { state: 'taken', sessionId: session.id, messageId })
      })
    } catch (error) {
      // Nothing was stored, so nothing may run.
      if (wasSent) runs.stopIn(session.id).catch(report)
      throw error
    }
    follow({ platform, place, contact, rows, runId, sessionId: session.id, answers: heard.answers }).catch(
      report,
    )
  }

  /** Return how to start a contact's turn: its rights, and who is asked. */
  function startOf(heard: Heard, { id, approval: before }: Session, runId: () => string): RunStart {
    const { origin, mode, budget } = startOfContact(
      heard,
      contacts,
      () => store.sessions.get(id)?.approval ?? before,
    )
    return {
      origin,
      mode,
      budget,
      ask: (approval, signal, follower) =>
        questions.ask({ ...heard, runId: runId(), sessionId: id }, approval, signal, follower),
    }
  }

  async function steer(heard: Heard, session: Session): Promise<'taken' | 'later'> {
    const { platform, place, contact, rows, text } = heard
    const runId = store.sessions.get(session.id)?.activeRunId
    if (!runId || followed.get(runId)?.contactId !== contact.id) return 'later'
    if (text === '' || heard.files.length > 0 || heard.strangers.texts.length > 0) return 'later'
    const ids = rows.map(({ id }) => id)
    let isTaken = false
    for (const row of rows)
      store.gateway.changeInbox([row.id], {
        state: 'taken',
        sessionId: session.id,
        body: JSON.stringify({ ...row.body, offered: text }),
      })
    for await (const { taken } of runs.steer(runId, text, closing.signal)) isTaken = taken
    if (!isTaken) {
      if (!closing.signal.aborted) store.gateway.changeInbox(ids, { state: 'new', sessionId: null })
      return 'later'
    }
    contacts.spend(contact.id, { messages: 1 })
    done(rows, 'done')
    touch(platform.name, place)
    return 'taken'
  }

  type Followed = Pick<Heard, 'platform' | 'place' | 'contact' | 'rows'> & {
    runId: string
    sessionId: string
    answers: string | undefined
  }

  /** Follow a run to its end. Its output is in the outbox before its messages are done. */
  async function follow(run: Followed): Promise<void> {
    const { platform, place, runId, sessionId, rows } = run
    followed.set(runId, { contactId: run.contact.id, sessionId })
    const stream = streamAnswer({ store: store.gateway, outbox, ...run })
    const typing = setInterval(() => void showTyping(run), TYPING_MS).unref()
    void showTyping(run)
    let failure = ''
    let reason: EndReason | undefined
    let hasAnswered = false
    const isKnown = () => contacts.get(run.contact.id) !== undefined
    function take(event: RunEvent) {
      // A former contact gets nothing more.
      if (!isKnown()) return
      if (event.type === 'text_delta') stream.add(event.text)
      else if (event.type === 'retry' || event.type === 'was_thought') stream.reset()
      else if (event.type === 'approval_resolved') parts.free(platform.name, place.key)
      else if (event.type === 'warning' && isUserAlone(run))
        outbox.say(platform, place, `_${event.text}_`, { sessionId, runId, isQuiet: true })
      else if (event.type === 'error')
        failure = isUserAlone(run) ? `${event.text} ${event.fix}`.trim() : FAILED
      else if (event.type === 'turn_end') reason = event.reason
      else if (event.type === 'message' && event.message.role === 'assistant') {
        const { message } = event
        if (message.void) return stream.reset()
        if (message.text.trim() !== '') hasAnswered = true
        stream.finish(message)
      }
    }
    let isCut = false
    try {
      for await (const event of runs.watch(runId, 0, closing.signal)) take(event)
    } catch (error) {
      report(error)
      isCut = true
    } finally {
      clearInterval(typing)
    }
    if (closing.signal.aborted) {
      // The host is closing: the next start settles the rest.
      stream.leave()
      return
    }
    if (isCut || reason === undefined) {
      // A full disk lost the end of the run: what was stored counts.
      stream.leave()
      while (runs.isRunning(sessionId) && !closing.signal.aborted) await pause(RETRY_MS)
      await untilStored(() =>
        recover(
          platform,
          rows.flatMap(({ id }) => takenRow(id)),
        ),
      )
    } else {
      const said = failure || (ENDS[reason] ?? (hasAnswered ? '' : '_There was no answer._'))
      await untilStored(() =>
        store.gateway.together(() => {
          if (isKnown()) stream.end()
          else stream.leave()
          if (said !== '' && isKnown()) outbox.say(platform, place, said, { sessionId, runId })
          done(rows, 'done')
        }),
      )
    }
    followed.delete(runId)
    touch(platform.name, place)
    parts.free(platform.name, place.key)
  }

  /** Run work that must be stored, retrying while the disk is full. */
  async function untilStored(work: () => void): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        return work()
      } catch (error) {
        report(error)
        await pause(RETRY_MS)
      }
    }
  }

  function takenRow(id: number): InboxRow[] {
    const row = store.gateway.inbox(id)
    return row?.state === 'taken' ? [readInboxRow(row)] : []
  }

  async function showTyping({ platform, place, sessionId }: Followed) {
    if (store.sessions.get(sessionId)?.waiting) return
    await platform.showTyping(place).catch(() => undefined)
  }

  function touch(platform: string, place: Place) {
    const row = store.gateway.place(platform, place.key)
    if (row) savePlace(store.gateway, { ...readPlace(row), lastAt: now() })
    parts.changed()
  }

  /** Mark rows as done, and drop their content, which is now in the chat. */
  function done(rows: readonly Pick<InboxRow, 'id'>[], state: 'done' | 'dropped') {
    store.gateway.changeInbox(
      rows.map(({ id }) => id),
      { state, body: '{}' },
    )
    parts.changed()
  }

  /** Settle what had started when the last process ended: send what was answered, and run nothing twice. */
  function recover(platform: Platform, rows: readonly InboxRow[]): void {
    const bySession = Map.groupBy(rows, ({ sessionId }) => sessionId ?? '')
    for (const [sessionId, taken] of bySession) {
      const history = store.sessions.get(sessionId) ? store.messages.history(sessionId, {}) : []
      const offered = taken.filter(({ messageId }) => messageId === null)
      for (const row of offered) {
        const text = row.body.offered
        const was = history.some(
          each => each.role === 'user' && each.steered && each.text === text && each.at >= row.receivedAt,
        )
        if (was) done([row], 'done')
        else store.gateway.changeInbox([row.id], { state: 'new', sessionId: null })
      }
      const begun = taken.filter(({ messageId }) => messageId !== null)
      const [first] = begun
      if (!first || first.body.kind !== 'message') continue
      const { place } = first.body
      const at = history.findIndex(({ id }) => id === first.messageId)
      const turn = history.slice(at + 1)
      const answers = turn.filter(
        (each): each is AssistantMessage =>
          each.role === 'assistant' && !each.void && each.text.trim() !== '',
      )
      const last = turn.at(-1)
      const isWhole = last?.role === 'assistant' && last.calls.length === 0 && !last.interrupted && !last.void
      store.gateway.together(() => {
        let live = liveOf(sessionId)
        for (const { id, text } of answers) {
          if (store.gateway.isPut(sessionId, id)) continue
          const composed = platform.compose(redactText(text))
          for (const [n, part] of composed.entries()) {
            const row = live[n]
            if (row !== undefined) outbox.revise(row, part, { live: false, messageId: id })
            else
              outbox.put(platform.name, place, [part], { sessionId, messageId: id, part: n, isQuiet: n > 0 })
          }
          live = live.slice(composed.length)
        }
        for (const row of live) store.gateway.changeOutbox(row, { state: 'sent', body: '{}' })
        if (!isWhole) outbox.say(platform, place, BROKEN_OFF, { sessionId })
        done(begun, 'done')
      })
    }
  }

  const liveOf = (sessionId: string): number[] =>
    store.gateway
      .openOutbox()
      .filter(row => row.sessionId === sessionId && row.messageId === null && isLive(row))
      .map(({ id }) => id)

  return {
    handle,
    recover,
    /** Stop the run in a place. False if there is none. */
    async stop(place: KnownPlace): Promise<boolean> {
      const session = chats.ownChat(place)
      if (!session || !runs.isRunning(session.id)) return false
      await runs.stopIn(session.id)
      return true
    },
    /** Stop the runs that a contact started, in all places. */
    async stopOf(contactId: string): Promise<void> {
      const mine = [...followed.values()].filter(each => each.contactId === contactId)
      await Promise.all(mine.map(({ sessionId }) => runs.stopIn(sessionId)))
    },
    close: () => closing.abort(),
  }
}

/** A failure names addresses and files of the user, so other contacts get this text. */
const FAILED = 'That did not work. The computer’s user can see there what went wrong.'

/** Return the text for a message without words, such as a forwarded one. */
function wordless({ files, strangers }: Heard): string {
  if (strangers.texts.length > 0) return 'I forwarded this.'
  return files.length > 0 ? 'See what I attached.' : '…'
}

const pause = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
