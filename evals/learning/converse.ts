import type { HostClient } from '../../src/shared/contract/index.ts'
import type { LearningEvent, Review } from '../../src/shared/contract/learned/learning.ts'
import type { Case } from './case.ts'
import { reviewsOf, say, waiting } from './person.ts'
import { newChat } from './prepare-case.ts'
import type { Script } from './scripted-model.ts'

/** The two ways in which the product learns: from its own chats, or from the events of another agent. */
export type Way = Case['ways'][number]

/** The result of a conversation before the person does anything. */
export type Came = {
  sessionId: string | undefined
  reviewId: string
  trigger: string | null
  kinds: readonly string[]
  outcome: string
  questions: number
  since: number
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

/** The reviews of another agent's conversation, newest first. */
async function reviewsOfEvents(client: HostClient): Promise<Review[]> {
  const { items } = await client['learning.activity']({ filter: 'quiet' })
  return items.flatMap(item =>
    item.type === 'review' && item.review.trigger === 'events' ? [item.review] : [],
  )
}

/** Have the conversation as a chat. Due reviews run as the settings say. */
export async function converseInChat(client: HostClient, given: Case, script: Script): Promise<Came> {
  const since = Date.now()
  const asked = script.questions()
  const { id } = await newChat(client)
  for (const turn of given.turns) {
    script.chat(turn)
    await say(client, id, turn.user)
  }
  if (given.ends === 'new_chat') await newChat(client)
  if (given.ends === 'review') await client['learning.review']({ sessionId: id })
  const [review] = await reviewsOf(client, id)
  return {
    sessionId: id,
    reviewId: review?.id ?? '',
    trigger: review?.trigger ?? null,
    kinds: review?.kinds ?? [],
    outcome: review?.outcome ?? '',
    questions: script.questions() - asked,
    since,
  }
}

/** Send the conversation as the events of another agent. */
export async function feedEvents(client: HostClient, given: Case, script: Script): Promise<Came> {
  const since = Date.now()
  const asked = script.questions()
  let trigger: string | null = null
  for await (const step of client['learning.feed']({ events: eventsOf(given) }))
    if (step.type === 'review') trigger ??= step.trigger
  const [proposal] = await waiting(client)
  const review = (await reviewsOfEvents(client)).at(-1)
  return {
    sessionId: undefined,
    reviewId: proposal?.reviewId ?? review?.id ?? '',
    trigger,
    kinds: review?.kinds ?? [],
    outcome: review?.outcome ?? '',
    questions: script.questions() - asked,
    since,
  }
}
