import type { Session } from '../../../shared/contract/session.ts'
import type { Outcome } from '../../rpc/attempt.ts'

/** The host's state after a save or a sent message. */
type Kept = Pick<Session, 'draft' | 'turnCount'>

export type DraftKeeper = {
  /** The host's current record of the chat. */
  known(session: Kept): void
  /** Save the unsent text now. */
  save(): Promise<void>
  /** Send a message; the other unsent text becomes the draft in the same step. */
  send<T>(text: string, send: (draft: string) => Promise<Outcome<T>>): Promise<Outcome<T>>
  /** A message was sent, here or elsewhere. Returns the draft to show if the visible one was sent too. */
  told(session: Kept): string | undefined
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
    const written = await write(draft, turnCount)
    if (!written.ok) return
    known(written.value)
    // A message was sent in between, so the host refused. The current unsent text was not part of it.
    if (written.value.turnCount > turnCount) await save()
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
  }
}
