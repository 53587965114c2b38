import type { Session } from '../../../../shared/contract/chats/session.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import type { Typed } from '../../../ui/fields/typed-texts.ts'

/** The host's state after a save or a sent message. */
type Kept = Pick<Session, 'draft' | 'turnCount'>

export type DraftKeeper = {
  /** Call this with the host's current record of the chat. */
  known(session: Kept): void
  /** Save the unsent text now. */
  save(): Promise<void>
  /** Send a message; the other unsent text becomes the draft in the same step. */
  send<T>(text: string, send: (draft: string) => Promise<Outcome<T>>): Promise<Outcome<T>>
  /** Call this when a message was sent. Returns the draft to show if the visible one may have been sent. */
  told(session: Kept): string | undefined
  /** The current unsent text, for the page's storage; undefined if neither page nor host has any. */
  typed(): Typed | undefined
}

type Parts = {
  /** The unsent parts of this window. */
  unsent(): readonly string[]
  /** Save a draft in the host, with the number of messages sent when it was written. */
  write(draft: string, after: number): Promise<Outcome<Kept>>
}

/**
 * Keeps the draft of a chat in the host. Saves and messages run one at a time, each with the text that is
 * unsent at its turn. The host refuses a draft older than the last message, so sent text never returns as a
 * draft.
 */
export function createDraftKeeper({ unsent, write }: Parts): DraftKeeper {
  let host: Kept = { draft: '', turnCount: 0 }
  /** The draft that is being written to the host. */
  let written = ''
  let sending: readonly string[] = []
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work)
    last = mine
    return mine
  }

  const draftWith = (texts: readonly string[]) =>
    [...texts, ...unsent()].filter(text => text !== '').join('\n\n')

  function known({ draft, turnCount }: Kept) {
    if (turnCount >= host.turnCount) host = { draft, turnCount }
  }

  async function save() {
    const { turnCount } = host
    const draft = draftWith(sending)
    if (draft === host.draft) return
    written = draft
    const answer = await write(draft, turnCount)
    if (!answer.ok) return
    known(answer.value)
    // A message was sent in between, so the host refused. The current unsent text was not part of it.
    if (answer.value.turnCount > turnCount) await save()
  }

  return {
    known,
    save: () => inTurn(save),
    send(text, send) {
      sending = [text]
      return inTurn(async () => {
        const draft = draftWith([])
        const sent = await send(draft)
        sending = []
        if (sent.ok) host = { ...host, draft }
        return sent
      })
    },
    told(session) {
      if (session.turnCount <= host.turnCount) return undefined
      const shown = draftWith([])
      const isUntouched = shown !== '' && shown === host.draft
      known(session)
      return isUntouched ? session.draft : undefined
    },
    typed() {
      const text = draftWith([])
      const onWay = sending.join('\n\n')
      if (text === '' && onWay === '' && host.draft === '') return undefined
      const seen = [...new Set([host.draft, written])].filter(each => each !== '')
      return { text, seen, turns: host.turnCount, ...(onWay !== '' && { sending: onWay }) }
    },
  }
}

/**
 * The draft to show when a chat opens. `own`: the last text of this window; `left`: texts of closed windows;
 * `draft`: the host's draft; `sentLast`: the newest message of the user. Typed text is dropped only if it was
 * sent.
 */
export function draftToShow({
  own,
  left,
  host: { draft, turnCount },
  sentLast,
  isElsewhere,
}: {
  own: Typed | undefined
  left: readonly Typed[]
  host: Kept
  sentLast: string
  /** Whether another open window shows this draft. */
  isElsewhere: (draft: string) => boolean
}): string {
  const unsent = (typed: Typed) => {
    const isSent = typed.sending !== undefined && turnCount > (typed.turns ?? 0)
    const texts = [isSent ? '' : (typed.sending ?? ''), typed.text]
    return texts.filter(text => text !== '' && text.trim() !== sentLast.trim())
  }
  const texts = [...(own ? [own] : []), ...left].flatMap(unsent)
  // A draft that a window started from is part of its text, or was deleted there.
  const isKnown = [...(own ? [own] : []), ...left].some(({ seen = [] }) => seen.includes(draft))
  const isOthers = own !== undefined && isElsewhere(draft)
  const all = isKnown || isOthers ? texts : [...texts, draft]
  return joinTexts(all)
}

/** Join texts in order, without those that another text contains. */
function joinTexts(texts: readonly string[]): string {
  const kept = texts.filter(
    (text, at) =>
      text !== '' &&
      !texts.some((other, i) => i !== at && other.includes(text) && (other !== text || i < at)),
  )
  return kept.join('\n\n')
}
