import { setTimeout as sleep } from 'node:timers/promises'
import type { Forgotten } from '../../db/removal/forget-texts.ts'
import type { ForgetStore, HoldingChat } from '../../db/removal/forget-tables.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import type { Memory } from '../open-memory.ts'
import { undatedText } from '../passing/date-entry.ts'
import type { ChangedBy } from '../plan-change.ts'

type Parts = {
  store: ForgetStore
  memory: Pick<Memory, 'view' | 'change' | 'sync'>
  /** The skills that contain one of the texts. */
  skillsHolding(texts: readonly string[]): HoldingSkill[]
  /** Remove the texts from files of the home. Resolves to the files that could not be changed. */
  cleanFiles(job: Forgotten): Promise<Unremoved[]>
  /** Like `cleanFiles`, for backups and for databases that are not in use. */
  cleanCopies(job: Forgotten): Promise<Unremoved[]>
  /** Overwrite the bytes of deleted rows in the current database. */
  cleanPages(): Promise<void>
  report(error: unknown): void
}

type HoldingSkill = { id: string; name: string }

/** A preview of *Forget for good*: what it would remove, and which chats and skills contain it as well. */
type ForgetPlan = { entries: number; texts: string[]; chats: HoldingChat[]; skills: HoldingSkill[] }

/** Forgets memory entries for good. */
export type Forgetting = {
  plan(ids: readonly string[]): ForgetPlan
  /** Forget entries everywhere except in chats. Resolves to the files that could not be changed. */
  forget(ids: readonly string[]): Promise<{ plan: ForgetPlan; left: Unremoved[] } | Refusal>
  close(): Promise<void>
}

const YOU: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }
/** How long to wait before retrying a failure, in ms. */
const RETRY_MS = 10 * 60_000

/**
 * Open the service, and finish a job that a crash interrupted. The order makes every step repeatable: the job
 * is stored, its texts are removed from files, rows and copies, and then the job and leftover bytes are
 * erased.
 */
export function openForgetting(parts: Parts): Forgetting {
  const { store, memory, report } = parts
  const closing = new AbortController()
  let last: Promise<unknown> = store.pending() ? finishSoon() : Promise.resolve()

  function finishSoon(): Promise<void> {
    return finish().then(left => (left.length > 0 ? retryLater() : undefined), failed)
  }

  function failed(error: unknown): Promise<void> | undefined {
    if (closing.signal.aborted) return undefined
    report(error)
    return retryLater()
  }

  async function retryLater(): Promise<void> {
    const { signal } = closing
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
    if (!signal.aborted && store.pending()) await finishSoon()
  }

  /** Remove the entries from the notebook, as if the user removed them. */
  function archive({ ids, texts }: Forgotten): Refusal | undefined {
    const gone = new Set(texts)
    const { entries, waiting } = memory.view()
    const holding = waiting.find(
      ({ kind, theirs, mine }) =>
        kind !== 'copy' &&
        [...theirs.entries, ...mine.entries].some(each => texts.some(text => each.includes(text))),
    )
    // Its texts would become entries again when the file is settled.
    if (holding)
      return {
        refused: `Nothing was forgotten: ${holding.path} waits for your choice and may contain the text too. Settle it first, on the Memory page or with “talaria memory settle”.`,
      }
    const live = entries.filter(each => ids.includes(each.id) || gone.has(each.text))
    if (live.length === 0) return undefined
    const made = memory.change(
      live.map(({ id }) => ({ kind: 'remove', id })),
      YOU,
    )
    return isRefusal(made) ? made : undefined
  }

  async function finish(): Promise<Unremoved[]> {
    const job = store.pending()
    if (!job) return []
    const left: Unremoved[] = []
    if (job.texts.length > 0) {
      const refused = archive(job)
      if (refused) throw new Error(refused.refused)
      store.erase(job)
      memory.sync()
      left.push(...(await parts.cleanFiles(job)))
      await parts.cleanPages()
      left.push(...(await parts.cleanCopies(job)))
      if (left.length > 0) return left
      store.blank()
    }
    await parts.cleanPages()
    store.finish()
    return left
  }

  function planOf(ids: readonly string[]): { job: Forgotten; plan: ForgetPlan } {
    // Proposals, prompts and chats have the text without the date that the entry ends with.
    const said = (texts: readonly string[]) => texts.map(undatedText)
    const whole = store.wholeOf(ids, said(store.wholeOf(ids).texts))
    const texts = [...whole.texts]
    const job = { ids: whole.ids, texts: [...new Set([...texts, ...said(texts)])] }
    const holders = { chats: store.chatsHolding(said(texts)), skills: parts.skillsHolding(said(texts)) }
    return { job, plan: { entries: job.ids.length, texts, ...holders } }
  }

  return {
    plan: ids => planOf(ids).plan,
    async forget(ids) {
      const { job, plan } = planOf(ids)
      if (job.ids.length === 0) return { refused: 'This entry no longer exists.' }
      // An earlier, unfinished job is finished together with this one.
      const before = store.pending()
      const whole = {
        ids: [...new Set([...(before?.ids ?? []), ...job.ids])],
        texts: [...new Set([...(before?.texts ?? []), ...job.texts])],
      }
      store.begin(whole)
      const refused = archive(whole)
      if (refused) {
        if (before) store.begin(before)
        else store.finish()
        return refused
      }
      const work = Promise.resolve(last).then(finish, finish)
      last = work.then(left => void (left.length > 0 && void retryLater()), failed)
      return { plan, left: await work }
    },
    async close() {
      closing.abort()
      await last
    },
  }
}
