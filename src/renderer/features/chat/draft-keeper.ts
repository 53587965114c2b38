import type { Session } from '../../../shared/contract/session.ts'
import type { Outcome } from '../../rpc/attempt.ts'

/** What a save or a sent message leaves behind in the host. */
type Kept = Pick<Session, 'draft' | 'turnCount'>

export type DraftKeeper = {
  /** The chat as the host has it now. */
  known(session: Kept): void
  /** Save what is unsent at the moment. */
  save(): Promise<void>
  /** Send a message; what is unsent beside it becomes the draft in the same step. Until then it is part of the draft. */
  send<T>(text: string, send: (draft: string) => Promise<Outcome<T>>): Promise<Outcome<T>>
  /** A message was sent, here or elsewhere. The draft to show now, when the shown one was sent along. */
  told(session: Kept): string | undefined
}

type Parts = {
  /** What waits in this window to be sent, part by part. */
  unsent(): readonly string[]
  /** Save a draft in the host, written when so many messages had been sent. */
  write(draft: string, after: number): Promise<Outcome<Kept>>
}

/**
 * Keeps the draft of a chat in the host. Saves and messages go one after the other, each with what is unsent when its turn
 * comes, and the host refuses a draft that is older than the last message. So what was sent never comes back as a draft.
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
    // A message came in between, so the host refused. What is unsent now was not part of it.
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
