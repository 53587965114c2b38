import type { HostClient } from '../../src/shared/contract/index.ts'
import type { Proposal, Review } from '../../src/shared/contract/learned/learning.ts'
import { until } from './a-home.ts'
import { says, type Case } from './case.ts'

/** Send a message in a chat, and wait for the answer. */
export async function say(client: HostClient, sessionId: string, text: string): Promise<void> {
  const { runId } = await client['chat.send']({ sessionId, text })
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'error') throw new Error(`The chat failed: ${event.text}`)
}

/** Wait until no review of a chat is pending. Returns all of them. */
export async function reviewsOf(client: HostClient, sessionId: string): Promise<Review[]> {
  let reviews: Review[] = []
  await until(async () => {
    ;({ reviews } = await client['learning.ofChat']({ sessionId }))
    return reviews.every(each => each.state !== 'queued' && each.state !== 'running')
  })
  return reviews
}

/** The pending proposals, as Activity shows them. */
export const waiting = async (client: HostClient): Promise<Proposal[]> =>
  (await client['learning.activity']({ filter: 'all' })).waiting

/** Everything that later chats know: the entries of the notebook and the texts of the skills. */
export async function known(client: HostClient): Promise<string[]> {
  const { entries } = await client['memory.view']({})
  const { skills } = await client['skills.list']({})
  const own = skills.filter(skill => skill.origin === 'user' || skill.origin === 'agent')
  const texts = await Promise.all(own.map(async ({ id }) => (await client['skills.get']({ id })).text))
  return [...entries.map(entry => entry.text), ...texts]
}

/** What a person needs for their actions after a review. */
export type Scene = {
  client: HostClient
  sessionId: string | undefined
  reviewId: string
  since: number
  /** The cards as the person last saw them. */
  shown: Proposal[]
  kept: string[]
  left: number
}

/** Act as a person in Activity and on the Memory page. They decide about the cards as they see them. */
export async function actInActivity(step: Case['person'][number], scene: Scene): Promise<void> {
  const { client, sessionId, reviewId } = scene
  if (step.do !== 'conflict') scene.shown = await waiting(client)
  const { shown } = scene
  const ids = shown.map(each => each.id)
  switch (step.do) {
    case 'keep':
      await keepShown(client, shown)
      scene.kept.push(...ids)
      return
    case 'reword':
      await keepShown(client, shown.slice(0, 1), step.text)
      scene.kept.push(ids[0]!)
      return
    case 'reject':
      await client['learning.reject']({ ids, notAgain: step.notAgain })
      return
    case 'undo': {
      const { left } = await client['learning.undo']({ what: await whatOf(step.by, scene) })
      scene.left += left.length
      return
    }
    case 'edit': {
      const entry = await entryOf(client, step.from)
      await client['memory.edit']({ id: entry.id, text: step.to, expected: entry.text })
      return
    }
    case 'forget':
      await client['memory.remove']({ ids: [(await entryOf(client, step.text)).id] })
      return
    case 'conflict':
      return seeConflict(client, shown)
    case 'compare':
      for (const id of ids) await client['learning.compareAgain']({ id })
      return
    case 'review': {
      if (sessionId === undefined) throw new Error(`Only a chat can be reviewed again, not ${reviewId}.`)
      await client['learning.review']({ sessionId })
      await reviewsOf(client, sessionId)
    }
  }
}

/** Keep cards as they were shown, each identified by its hash. */
const keepShown = (client: HostClient, shown: readonly Proposal[], text?: string) =>
  client['learning.keep']({
    ids: shown.map(each => each.id),
    seen: Object.fromEntries(shown.map(({ id, seen }) => [id, seen])),
    ...(text !== undefined && { text }),
  })

/**
 * Check that keeping is refused, both for the card from before the change and for the card that reports the
 * change.
 */
async function seeConflict(client: HostClient, before: readonly Proposal[]): Promise<void> {
  const now = await waiting(client)
  if (now.every(each => each.changed === null)) throw new Error('No proposal says that its target changed.')
  for (const shown of [before, now]) {
    const said = await keepShown(client, shown).then(
      () => undefined,
      (error: unknown) => error as { code?: string; message?: string },
    )
    if (said === undefined) throw new Error('A proposal was kept although its target had changed.')
    if (said.code !== 'conflict') throw new Error(`Keeping was refused for another reason: ${said.message}`)
  }
}

async function entryOf(client: HostClient, text: string) {
  const { entries } = await client['memory.view']({})
  const entry = entries.find(each => says(each.text, text))
  if (!entry) throw new Error(`There is no entry “${text}”.`)
  return entry
}

async function whatOf(by: 'items' | 'review' | 'chat' | 'since', scene: Scene) {
  const { client, sessionId, reviewId, since, kept } = scene
  switch (by) {
    case 'items': {
      const { items } = await client['learning.activity']({ filter: 'all' })
      const cards = items.flatMap(item => (item.type === 'change' ? [item.change.id] : []))
      return { by, ids: [...kept, ...cards] }
    }
    case 'review':
      return { by, id: reviewId }
    case 'chat':
      if (sessionId === undefined) throw new Error('The events of another agent are no chat.')
      return { by, id: sessionId }
    case 'since':
      return { by, at: since }
  }
}
