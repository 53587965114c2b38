import type { HostClient } from '../../src/shared/contract/index.ts'
import type { LearningEvent, Proposal, Review } from '../../src/shared/contract/learning.ts'
import { until } from './a-home.ts'
import { says, type Case } from './case.ts'

/** Say something in a chat, and wait until the answer is there. */
export async function say(client: HostClient, sessionId: string, text: string): Promise<void> {
  const { runId } = await client['chat.send']({ sessionId, text })
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'error') throw new Error(`The chat failed: ${event.text}`)
}

/** The reviews of a chat, when none waits any more. */
export async function reviewsOf(client: HostClient, sessionId: string): Promise<Review[]> {
  let reviews: Review[] = []
  await until(async () => {
    ;({ reviews } = await client['learning.ofChat']({ sessionId }))
    return reviews.every(each => each.state !== 'queued' && each.state !== 'running')
  })
  return reviews
}

/** A recorded conversation as the events of another agent. */
export function eventsOf({ id, turns }: Case): LearningEvent[] {
  const common = { session: id, at: 0 }
  return turns.flatMap(({ user, reply, calls }): LearningEvent[] => [
    { type: 'user_message', ...common, text: user },
    ...calls.flatMap((call): LearningEvent[] => [
      { type: 'reply', ...common, text: '', calls: 1 },
      { type: 'tool_result', ...common, ...call },
    ]),
    { type: 'reply', ...common, text: reply, calls: 0 },
    { type: 'turn_end', ...common, reason: 'done' },
  ])
}

export const waiting = async (client: HostClient): Promise<Proposal[]> =>
  (await client['learning.activity']({ filter: 'all' })).waiting

/** All that later chats know: the entries of the notebook and the texts of the skills. */
export async function known(client: HostClient): Promise<string[]> {
  const { entries } = await client['memory.view']({})
  const { skills } = await client['skills.list']({})
  const own = skills.filter(skill => skill.origin === 'user' || skill.origin === 'agent')
  const texts = await Promise.all(own.map(async ({ id }) => (await client['skills.get']({ id })).text))
  return [...entries.map(entry => entry.text), ...texts]
}

/** What a person needs for what they do after a review. */
type Scene = {
  client: HostClient
  sessionId: string | undefined
  reviewId: string
  since: number
  kept: string[]
  left: number
}

/** Do what a person does in Activity and on the Memory page. */
export async function act(step: Case['person'][number], scene: Scene): Promise<void> {
  const { client, sessionId, reviewId } = scene
  const ids = (await waiting(client)).map(each => each.id)
  const entryOf = async (text: string) => {
    const { entries } = await client['memory.view']({})
    const entry = entries.find(each => says(each.text, text))
    if (!entry) throw new Error(`There is no entry “${text}”.`)
    return entry
  }
  switch (step.do) {
    case 'keep':
      await client['learning.keep']({ ids })
      scene.kept.push(...ids)
      return
    case 'reword':
      await client['learning.keep']({ ids: ids.slice(0, 1), text: step.text })
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
      const entry = await entryOf(step.from)
      await client['memory.edit']({ id: entry.id, text: step.to, expected: entry.text })
      return
    }
    case 'forget':
      await client['memory.remove']({ ids: [(await entryOf(step.text)).id] })
      return
    case 'conflict': {
      if ((await waiting(client)).every(each => each.changed === null))
        throw new Error('No proposal says that its target changed.')
      const refused = await client['learning.keep']({ ids }).then(
        () => false,
        (error: unknown) => (error as { code?: string }).code === 'conflict',
      )
      if (!refused) throw new Error('A proposal was kept although its target had changed.')
      return
    }
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
