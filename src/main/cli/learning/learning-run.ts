import type { HostClient } from '../../../shared/contract/index.ts'
import type { Proposal, Review } from '../../../shared/contract/learned/learning.ts'
import { showOutcome } from './learned-items.ts'
import { chatNamed, shortId } from '../find-item.ts'
import { oneLine, printLine, printAside } from '../output/terminal-text.ts'
import { TWICE, withClient } from '../open-client.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

const OVER: readonly Review['state'][] = ['done', 'failed', 'dropped']

/** A review to wait for, with its number of attempts when it was requested. */
type Wanted = { id: string; sessionId: string; attempts: number }
type Watched = { review: Review; proposals: Proposal[]; isOver: boolean }

/**
 * Review a chat now, or run all queued reviews, and wait until they end. Reviews run in the host that owns
 * the home folder: the app, or this command while it runs. Resolves to whether every review completed.
 */
export async function learningRun(
  chat: string | undefined,
  { home, json }: { home?: string; json?: true },
): Promise<boolean> {
  using stopping = stopOnSignals()
  try {
    return await withClient(
      home,
      async client => {
        const ended = await reviewNow(client, chat, stopping.signal)
        if (json) printLine(jsonLine(forProgram(ended)))
        else if (ended.length === 0) printLine('No reviews are queued.')
        else for (const each of ended) show(each)
        return ended.every(({ review }) => review.state === 'done')
      },
      // A review that is already queued is not added again.
      TWICE,
    )
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    printAside('Stopped waiting. Unfinished reviews stay queued.')
    return false
  }
}

async function reviewNow(
  client: HostClient,
  chat: string | undefined,
  signal: AbortSignal,
): Promise<Watched[]> {
  const session = chat === undefined ? undefined : await chatNamed(client, chat)
  let wanted: Wanted[] | undefined
  let said = ''
  // Subscribe before requesting, so that no end is missed.
  for await (const event of client['app.watch']({}, { signal })) {
    if (event.type === 'hello') wanted = await ask(client, session?.id)
    else if (event.type !== 'changed' || !event.areas.includes('learning')) continue
    if (!wanted) continue
    const present = await Promise.all(wanted.map(each => readState(client, each)))
    const found = present.filter(each => each !== undefined)
    if (found.every(({ isOver }) => isOver)) return found
    const { held, settings } = await client['learning.activity']({ limit: 1 })
    // Requested reviews run even when learning is off.
    if (settings.mode === 'off') continue
    const isRunning = found.some(({ review }) => review.state === 'running')
    if (held !== null && held !== said && !isRunning) printAside(held)
    said = isRunning ? '' : (held ?? '')
  }
  return []
}

/** Request reviews. Returns the reviews to wait for. */
async function ask(client: HostClient, chat: string | undefined): Promise<Wanted[]> {
  const isWaiting = ({ state }: Review) => !OVER.includes(state)
  if (chat === undefined) {
    const { reviews } = await client['learning.activity']({ limit: 1 })
    await client['learning.review']({})
    return reviews.flatMap(({ id, sessionId, attempts }) =>
      sessionId === null ? [] : [{ id, sessionId, attempts }],
    )
  }
  const before = await client['learning.ofChat']({ sessionId: chat })
  await client['learning.review']({ sessionId: chat })
  const after = await client['learning.ofChat']({ sessionId: chat })
  return after.reviews.flatMap(({ id }) => {
    const known = before.reviews.find(each => each.id === id)
    return !known || isWaiting(known) ? [{ id, sessionId: chat, attempts: known?.attempts ?? 0 }] : []
  })
}

/** Read the state of a review; undefined if it was deleted with its chat. */
async function readState(
  client: HostClient,
  { id, sessionId, attempts }: Wanted,
): Promise<Watched | undefined> {
  const { reviews, proposals } = await client['learning.ofChat']({ sessionId })
  const review = reviews.find(each => each.id === id)
  if (!review) return undefined
  // A failed review is queued again for a much later retry.
  const hasFailed = review.state === 'queued' && review.attempts > attempts && review.outcome !== ''
  return {
    review,
    proposals: proposals.filter(each => each.reviewId === id),
    isOver: hasFailed || OVER.includes(review.state),
  }
}

function show({ review, proposals }: Watched): void {
  printLine(`${showOutcome(review)}${review.state === 'queued' ? ' It will be retried later.' : ''}`)
  for (const { id, headline } of proposals) printLine(`  ${shortId(id)}  ${oneLine(headline)}`)
}

const forProgram = (ended: readonly Watched[]) => ({
  reviews: ended.map(({ review }) => review),
  proposals: ended.flatMap(({ proposals }) => proposals),
})
