import type { HostClient } from '../../shared/contract/index.ts'
import type { Proposal, Review } from '../../shared/contract/learning.ts'
import { chatNamed, shortId } from './learning-ids.ts'
import { withClient } from './open-client.ts'
import { oneLine, showOutcome } from './show-learning.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Asked twice, a review that waits is the same one. */
const TWICE = { twice: true }
const OVER: readonly Review['state'][] = ['done', 'failed', 'dropped']

/** A review that is waited for, with how often it had been begun when it was asked for. */
type Wanted = { id: string; sessionId: string; attempts: number }
type Watched = { review: Review; proposals: Proposal[]; isOver: boolean }

/**
 * Review a chat now, or all that wait, and wait for the end. The host that owns the home folder does it: a window that is
 * open, or this command, which stays for as long as it takes. Resolves to whether every review came to its end.
 */
export async function learningRun(
  chat: string | undefined,
  { home, json }: { home?: string; json?: true },
): Promise<boolean> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await withClient(
      home,
      async client => {
        const ended = await reviewNow(client, chat, stopping.signal)
        if (json) print(JSON.stringify(forProgram(ended)))
        else if (ended.length === 0) print('No chat waits to be reviewed.')
        else for (const each of ended) show(each)
        return ended.every(({ review }) => review.state === 'done')
      },
      TWICE,
    )
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    aside('Stopped waiting. What was not reviewed waits for the next time.')
    return false
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
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
  // Listening begins before anything is asked for, so that no end is missed.
  for await (const event of client['app.watch']({}, { signal })) {
    if (event.type === 'hello') wanted = await ask(client, session?.id)
    else if (event.type !== 'learning') continue
    if (!wanted) continue
    const present = await Promise.all(wanted.map(each => lookAt(client, each)))
    const found = present.filter(each => each !== undefined)
    if (found.every(({ isOver }) => isOver)) return found
    const { held, settings } = await client['learning.activity']({ limit: 1 })
    // What the person asks for is done although nothing else is.
    if (settings.mode === 'off') continue
    const isRunning = found.some(({ review }) => review.state === 'running')
    if (held !== null && held !== said && !isRunning) aside(held)
    said = isRunning ? '' : (held ?? '')
  }
  return []
}

/** Ask for reviews; which ones have to be waited for comes back. */
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

/** How a review stands; undefined when it went with its chat. */
async function lookAt(client: HostClient, { id, sessionId, attempts }: Wanted): Promise<Watched | undefined> {
  const { reviews, proposals } = await client['learning.ofChat']({ sessionId })
  const review = reviews.find(each => each.id === id)
  if (!review) return undefined
  // One that has failed is put back, and tried again by itself much later.
  const hasFailed = review.state === 'queued' && review.attempts > attempts && review.outcome !== ''
  return {
    review,
    proposals: proposals.filter(each => each.reviewId === id),
    isOver: hasFailed || OVER.includes(review.state),
  }
}

function show({ review, proposals }: Watched): void {
  print(`${showOutcome(review)}${review.state === 'queued' ? ' It is tried again later.' : ''}`)
  for (const { id, headline } of proposals) print(`  ${shortId(id)}  ${oneLine(headline)}`)
}

const forProgram = (ended: readonly Watched[]) => ({
  reviews: ended.map(({ review }) => review),
  proposals: ended.flatMap(({ proposals }) => proposals),
})

const print = (text: string) => void process.stdout.write(`${text}\n`)
const aside = (text: string) => void process.stderr.write(`${text}\n`)
