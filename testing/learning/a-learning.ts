import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LearningEvent, Review } from '../../src/shared/contract/learned/learning.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'
import { scriptedEngine, type ScriptedReply } from '../models/scripted.ts'
import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { openMemory } from '../../src/main/memory/open-memory.ts'
import { openSkills } from '../../src/main/skills/open-skills.ts'
import { aFolder, open } from '../db/a-store.ts'
import type { ReviewRow } from '../../src/main/db/learning/learning-tables.ts'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import type { ProposedChange } from '../../src/main/learning/proposals/proposed-change.ts'
import { proposeFromChat } from '../../src/main/learning/proposals/propose-from-chat.ts'
import { openLearning } from '../../src/main/learning/open-learning.ts'
import type { ReviewInput } from '../../src/main/learning/reviews/run-review.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'

type LearningConfig = ReturnType<Parameters<typeof openLearning>[0]['settings']>

// For tests: the learning service with a real store, memory and library, and a scripted model.

const DEFAULTS: LearningConfig = {
  mode: 'ask',
  memory_nudge: 10,
  skill_nudge: 10,
  turn_calls: 5,
  end_turns: 6,
  end_minutes: 15,
  idle_seconds: 0,
  only_on_mains: false,
  budget_tokens: 20_000,
  review_steps: 8,
  foreign_reviews_a_day: 20,
}

/** A SKILL.md that passes the checks. */
export const skillText = (name: string, steps: readonly string[] = ['Begin.', 'End.']): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when the user asks for ${name}.\n---\n\n${steps.map(each => `- ${each}\n\n`).join('')}`

export const AGENT = { actor: 'agent', sessionId: null, messageId: null, reviewId: null } as const
export const YOU = { ...AGENT, actor: 'you' } as const

export type Replies = (prompt: Prompt) => ScriptedReply
/** The model finds nothing. */
export const NOTHING = JSON.stringify({ worth: false, facts: [], procedure: '' })
/** The model finds something, makes these calls, and finishes. */
export function finds(...calls: { name: string; arguments: Record<string, unknown> }[]): Replies {
  return prompt => {
    const last = prompt.messages.at(-1)!
    if (last.text.includes('Answer with one JSON object'))
      return JSON.stringify({ worth: true, facts: ['something'], procedure: 'something' })
    const begin = prompt.messages.findLastIndex(each => each.role === 'user')
    const call = calls[prompt.messages.slice(begin).filter(each => each.role === 'assistant').length]
    return call ? [{ call }] : 'Done.'
  }
}
export const remember = (content: string, target = 'user') => ({
  name: 'memory',
  arguments: { target, action: 'add', content },
})

/** Everything that learning needs, in a temporary folder that is removed on dispose. */
export function aLearning(
  given: { settings?: Partial<LearningConfig>; replies?: Replies; mayLearn?: Review['kinds'] } = {},
) {
  const folder = aFolder()
  let time = 1_800_000_000_000
  const now = () => ++time
  const { store } = open(folder.path, now)
  const settings = { ...DEFAULTS, ...given.settings }
  const reported: unknown[] = []
  const report = (error: unknown) => void reported.push(error)
  const count = (text: string) => text.length
  const memory = openMemory({
    home: folder.path,
    store: store.memory,
    limits: () => ({ user: 1_000, memory: 1_000 }),
    now,
    count,
    onChange: () => {},
  })
  const bundled = join(folder.path, 'bundled')
  mkdirSync(bundled)
  const skills = openSkills({
    home: folder.path,
    bundled,
    store,
    edition: 'test',
    settings: () => ({ folders: [], trusted_projects: [], allowed_links: [], trusted_publishers: [] }),
    toolsets: () => [],
    count,
    now,
    onChange: () => {},
    report,
  })
  const model = { replies: given.replies ?? ((): ScriptedReply => NOTHING) }
  const engine = scriptedEngine({ replies: prompt => model.replies(prompt), strategy: 'structured' })
  const subject = (sessionId: string, messages: readonly Message[]): ReviewInput => ({
    messages,
    turn: {
      sessionId,
      workspace: folder.path,
      home: folder.path,
      engine,
      strategy: structuredStrategy,
      system: 'You are a test.',
      registry: createRegistry([]),
      tools: [],
      contextTokens: 8_192,
      maxIterations: 20,
    },
  })
  let isBusy = false
  const openAgain = () =>
    openLearning({
      store,
      memory,
      ...skills,
      settings: () => settings,
      inputFor: async what =>
        'review' in what
          ? subject(what.review.sessionId!, store.messages.history(what.review.sessionId!))
          : subject('events', what.messages),
      ...(given.mayLearn && { mayLearn: () => given.mayLearn! }),
      isBusy: () => isBusy,
      isOnMains: () => false,
      cap: async (_call, result) => result,
      onChange: () => {},
      now,
      report,
    })
  let learning = openAgain()

  return {
    store,
    memory,
    ...skills,
    settings,
    engine,
    reported,
    now,
    subject,
    /** The editor of an agent that proposes while it answers. */
    proposing: proposeFromChat({ store, memory, ...skills, now }),
    get learning() {
      return learning
    },
    model,
    busy: (is: boolean) => (isBusy = is),
    later: (ms: number) => (time += ms),
    /** Restart, as after the end of the process. */
    async restart() {
      await learning.close()
      learning = openAgain()
    },
    aChat: (): string =>
      store.sessions.create({ modelId: 'm', workspace: folder.path, approval: 'ask', origin: 'terminal' }).id,
    /** Send a message in a chat and answer it, with the events of a real run. */
    say(sessionId: string, text: string): number {
      const user = store.messages.append({ role: 'user', sessionId, at: now(), text })
      learning.observe({ type: 'user_message', session: sessionId, at: user.at, text, id: user.id })
      const at = now()
      store.messages.append({
        role: 'assistant',
        sessionId,
        at,
        text: 'All right.',
        reasoning: '',
        calls: [],
        interrupted: false,
        model: 'm',
      })
      learning.observe({ type: 'reply', session: sessionId, at, text: 'All right.', calls: 0 })
      learning.observe({ type: 'turn_end', session: sessionId, at, reason: 'done' })
      return user.id
    },
    reviews: (sessionId: string) => learning.ofChat(sessionId).reviews,
    waiting: () => learning.activity({ filter: 'all', limit: 50 }).waiting,
    entries: () => memory.view().entries.map(entry => entry.text),
    remember(text: string, by: typeof YOU | typeof AGENT = AGENT): string {
      const outcome = memory.change([{ kind: 'add', target: 'user', project: null, text }], by)
      if (isRefusal(outcome)) throw new Error(outcome.refused)
      return outcome.revisions[0]!.entryId
    },
    async [Symbol.asyncDispose]() {
      await learning.close()
      await skills.close()
      store.close()
      folder[Symbol.dispose]()
    },
  }
}

/** A stored review. */
export const aReview = (given: Partial<ReviewRow> = {}): ReviewRow => ({
  id: 'review_1',
  sessionId: null,
  trigger: 'you',
  kinds: ['memory', 'skills'],
  state: 'done',
  upToId: 0,
  fromId: 0,
  queuedAt: 1,
  startedAt: 1,
  endedAt: 2,
  attempts: 1,
  outcome: '1 proposed.',
  cost: null,
  ...given,
})

/** A change that a review proposes. */
export const aCandidate = (change: ProposedChange, before: string | null = null) => ({
  change,
  headline: 'text' in change ? change.text : 'A change',
  place: 'About you',
  before,
  after: 'text' in change ? change.text : null,
  because: '',
})

/** Events of one session, in short form. */
export const happened = (
  session: string,
  ...what: (
    | { said: string }
    | { replied: number }
    | { ran: string; ok?: boolean }
    | { ended: string }
    | 'turn_end'
    | 'session_end'
  )[]
): LearningEvent[] =>
  what.map((each): LearningEvent => {
    const common = { session, at: 0 }
    if (each === 'turn_end') return { type: 'turn_end', ...common, reason: 'done' }
    if (each === 'session_end') return { type: 'session_end', ...common }
    if ('ended' in each) return { type: 'turn_end', ...common, reason: each.ended }
    if ('said' in each) return { type: 'user_message', ...common, text: each.said }
    if ('replied' in each) return { type: 'reply', ...common, text: '', calls: each.replied }
    return { type: 'tool_result', ...common, name: each.ran, arguments: {}, ok: each.ok ?? true, text: '' }
  })
