import type { HostClient } from '../../shared/contract/index.ts'
import type {
  ActivityItem,
  LearnedChange,
  LearningRule,
  LearningSettings,
  LearningWeek,
  Proposal,
  Review,
  ReviewCost,
} from '../../shared/contract/learning.ts'
import { Fault } from '../../shared/rpc.ts'

/** What a fake host has learned, for tests to fill and to look into. */
export type FakeLearning = {
  proposals: () => readonly Proposal[]
  changes: () => readonly LearnedChange[]
  reviews: () => readonly Review[]
  rules: () => readonly LearningRule[]
  settings: () => LearningSettings
  /** Put a proposal there, open unless it is given as decided. */
  propose: (given: Partial<Proposal> & { headline: string }) => Proposal
  /** Something that was saved without waiting. */
  saved: (given: Partial<LearnedChange> & { headline: string }) => LearnedChange
  /** A review, done with nothing worth saving unless it is given otherwise. */
  review: (given?: Partial<Review>) => Review
  rule: (given: Partial<LearningRule> & { text: string }) => LearningRule
  /** Change anything as the host does by itself, and tell the window. */
  change: (id: string, given: Partial<Proposal> | Partial<Review>) => void
  /** Keep reviews from running; null lets them. */
  hold: (why: string | null) => void
  /** What the next undo cannot take back. */
  leave: (sentences: string[]) => void
}

type Names = Extract<keyof HostClient, `learning.${string}`>
export type LearningHandlers = { [K in Names]: (...input: Parameters<HostClient[K]>) => unknown }

export const aCost: ReviewCost = {
  ms: 8_000,
  promptTokens: 3_900,
  reusedTokens: 2_000,
  outputTokens: 200,
  model: 'Built-in demo model',
}

const week = 7 * 86_400_000

/** Learning in memory that answers as the real one does; `onChange` is told how much waits after every change. */
export function fakeLearning(onChange: (open: number) => void): {
  learning: FakeLearning
  handlers: LearningHandlers
} {
  const proposals = new Map<string, Proposal>()
  const changes = new Map<string, LearnedChange>()
  const reviews = new Map<string, Review>()
  const rules = new Map<string, LearningRule>()
  let settings: LearningSettings = {
    mode: 'ask',
    memoryNudge: 10,
    skillNudge: 10,
    idleSeconds: 30,
    onlyOnMains: true,
    budgetTokens: 20_000,
    trajectories: false,
  }
  let held: string | null = null
  let left: string[] = []
  let lastId = 0

  const open = () => [...proposals.values()].filter(each => each.state === 'open')
  const changed = () => onChange(open().length)
  const found = (id: string) => {
    const proposal = proposals.get(id)
    if (!proposal) throw new Fault('not_found', 'This proposal does not exist any more.')
    return proposal
  }
  const put = (proposal: Proposal) => void proposals.set(proposal.id, proposal)
  const decide = (proposal: Proposal, given: Partial<Proposal>) =>
    put({ ...proposal, changed: null, isStale: false, decidedAt: Date.now(), ...given })
  const decided = (ids: readonly string[] = []) => ({
    memoryRevisions: ids.map((_, index) => index + 1),
    skillRevisions: [],
  })
  const waiting = () =>
    [...reviews.values()].filter(each => each.state === 'queued' || each.state === 'running')

  const learning: FakeLearning = {
    proposals: () => [...proposals.values()],
    changes: () => [...changes.values()],
    reviews: () => [...reviews.values()],
    rules: () => [...rules.values()],
    settings: () => settings,
    propose(given) {
      const proposal: Proposal = {
        id: `prop-${++lastId}`,
        reviewId: 'review-0',
        sessionId: 'c1',
        kind: 'memory',
        op: 'add',
        place: 'About you',
        before: null,
        after: given.headline,
        changed: null,
        evidence: [],
        trigger: 'memory_nudge',
        because: '',
        state: 'open',
        isStale: false,
        at: Date.now(),
        decidedAt: null,
        memoryRevisions: [],
        skillRevisions: [],
        cost: aCost,
        ...given,
      }
      put(proposal)
      changed()
      return proposal
    },
    saved(given) {
      const change: LearnedChange = {
        id: `change-${++lastId}`,
        at: Date.now(),
        by: 'agent',
        reviewId: null,
        trigger: null,
        sessionId: 'c1',
        messageId: 1,
        memory: [],
        skills: [],
        cost: null,
        ...given,
      }
      changes.set(change.id, change)
      changed()
      return change
    },
    review(given = {}) {
      const review: Review = {
        id: `review-${++lastId}`,
        sessionId: 'c1',
        title: 'Setting up the project',
        trigger: 'session_end',
        kinds: ['memory', 'skills'],
        state: 'done',
        upToId: 2,
        queuedAt: Date.now(),
        endedAt: ['queued', 'running'].includes(given.state ?? '') ? null : Date.now(),
        attempts: 1,
        outcome: 'Nothing worth saving.',
        cost: null,
        ...given,
      }
      reviews.set(review.id, review)
      changed()
      return review
    },
    rule(given) {
      const rule: LearningRule = { id: `rule-${++lastId}`, example: '', at: Date.now(), hits: 0, ...given }
      rules.set(rule.id, rule)
      changed()
      return rule
    },
    change(id, given) {
      const [proposal, review] = [proposals.get(id), reviews.get(id)]
      if (proposal) put({ ...proposal, ...(given as Partial<Proposal>) })
      if (review) reviews.set(id, { ...review, ...(given as Partial<Review>) })
      changed()
    },
    hold(why) {
      held = why
      changed()
    },
    leave(sentences) {
      left = sentences
    },
  }

  /** Cards and lines of what is over, the newest first. */
  function items(): ActivityItem[] {
    return [
      ...[...proposals.values()]
        .filter(each => each.state !== 'open')
        .map((proposal): ActivityItem => ({
          type: 'proposal',
          at: proposal.decidedAt ?? proposal.at,
          proposal,
        })),
      ...[...changes.values()].map((change): ActivityItem => ({ type: 'change', at: change.at, change })),
      ...[...reviews.values()]
        .filter(each => each.endedAt !== null)
        .map((review): ActivityItem => ({ type: 'review', at: review.endedAt!, review })),
    ].toSorted((a, b) => b.at - a.at)
  }

  const isUndone = (change: LearnedChange) =>
    [...change.memory, ...change.skills].some(each => each.undoneBy !== null)

  type Filter = Parameters<HostClient['learning.activity']>[0]['filter']

  function fits(item: ActivityItem, filter: Filter): boolean {
    if (item.type === 'review') return filter === 'all' || filter === 'quiet'
    if (item.type === 'proposal') {
      const { kind, state } = item.proposal
      return {
        memory: kind === 'memory',
        skills: kind === 'skill',
        undone: state === 'undone',
        quiet: false,
        all: true,
      }[filter ?? 'all']
    }
    const { memory, skills } = item.change
    return {
      memory: memory.length > 0,
      skills: skills.length > 0,
      undone: isUndone(item.change),
      quiet: false,
      all: true,
    }[filter ?? 'all']
  }

  type UndoWhat = Parameters<HostClient['learning.undo']>[0]['what']

  function isMeant(what: UndoWhat, item: ActivityItem): boolean {
    if (item.type === 'review') return false
    const { id, reviewId, sessionId } = item.type === 'proposal' ? item.proposal : item.change
    switch (what.by) {
      case 'items':
        return what.ids.includes(id)
      case 'review':
        return reviewId === what.id
      case 'chat':
        return sessionId === what.id
      case 'since':
        return item.at >= what.at
    }
  }

  function undo(item: ActivityItem): number[] {
    if (item.type === 'proposal' && item.proposal.state === 'kept') {
      decide(item.proposal, { state: 'undone' })
      return [1]
    }
    if (item.type !== 'change' || isUndone(item.change)) return []
    const { memory, skills } = item.change
    const undone = <T extends { undoneBy: number | null }>(each: T): T => ({ ...each, undoneBy: 99 })
    changes.set(item.change.id, {
      ...item.change,
      memory: memory.map(undone),
      skills: skills.map(undone),
    })
    return [...memory, ...skills].map(each => each.id)
  }

  function mondayOf(at: number): number {
    const day = new Date(at)
    day.setHours(0, 0, 0, 0)
    day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
    return day.getTime()
  }

  const handlers: LearningHandlers = {
    'learning.activity'({ filter = 'all', before = Infinity, limit = 50 }) {
      const all = items().filter(item => item.at < before && fits(item, filter))
      return {
        waiting: open().toSorted((a, b) => b.at - a.at),
        items: all.slice(0, limit),
        more: all.length > limit,
        reviews: waiting(),
        settings,
        held,
      }
    },
    'learning.ofChat': ({ sessionId }) => ({
      proposals: [...proposals.values()].filter(each => each.sessionId === sessionId),
      reviews: [...reviews.values()].filter(each => each.sessionId === sessionId),
    }),
    'learning.open': () => ({ open: open().length }),
    'learning.keep'({ ids, text }) {
      for (const proposal of ids.map(found)) {
        if (proposal.changed !== null)
          throw new Fault('conflict', 'What this proposal was made for has changed meanwhile.')
        decide(proposal, { state: 'kept', memoryRevisions: [1], ...(text !== undefined && { after: text }) })
      }
      changed()
      return decided(ids)
    },
    'learning.compareAgain'({ id }) {
      const proposal = found(id)
      put({ ...proposal, before: proposal.changed ?? proposal.before, changed: null })
      changed()
      return { proposal: found(id) }
    },
    'learning.reject'({ ids, notAgain = false }) {
      const rejected = ids.map(found)
      for (const proposal of rejected) decide(proposal, { state: 'rejected' })
      const made = notAgain
        ? rejected.map(({ headline }) =>
            learning.rule({ text: `Things like “${headline}”`, example: headline }),
          )
        : []
      changed()
      return { rules: made }
    },
    'learning.undo'({ what }) {
      const done = items()
        .filter(item => isMeant(what, item))
        .flatMap(undo)
      const kept = left
      left = []
      changed()
      return { memoryRevisions: done, skillRevisions: [], left: kept }
    },
    'learning.review'({ sessionId }) {
      if (sessionId !== undefined) learning.review({ sessionId, state: 'queued', trigger: 'you' })
      return { queued: waiting().length }
    },
    'learning.cancel'({ reviewId }) {
      const review = reviews.get(reviewId)
      if (!review) throw new Fault('not_found', 'This review is not waiting any more.')
      reviews.set(reviewId, {
        ...review,
        state: 'dropped',
        endedAt: Date.now(),
        outcome: 'You cancelled it.',
      })
      changed()
      return {}
    },
    'learning.rules': () => ({ rules: [...rules.values()] }),
    'learning.addRule': ({ text }) => ({ rule: learning.rule({ text }) }),
    'learning.removeRule'({ id }) {
      if (!rules.delete(id)) throw new Fault('not_found', 'This rule is gone already.')
      changed()
      return {}
    },
    'learning.settings'(change) {
      settings = { ...settings, ...(change as Partial<LearningSettings>) }
      return settings
    },
    'learning.weeks'({ limit = 52 }) {
      const first = mondayOf(Date.now() - (limit - 1) * week)
      const weeks = new Map<number, LearningWeek>()
      for (const item of items().filter(({ at }) => at >= first)) {
        const from = mondayOf(item.at)
        const counts = weeks.get(from) ?? { from, kept: 0, rejected: 0, undone: 0, reviews: 0 }
        weeks.set(from, counts)
        if (item.type === 'review') counts.reviews++
        else if (item.type === 'change') counts[isUndone(item.change) ? 'undone' : 'kept']++
        else if (item.proposal.state !== 'open' && item.proposal.state !== 'dropped')
          counts[item.proposal.state]++
      }
      return { weeks: [...weeks.values()] }
    },
    'learning.feed': () =>
      (async function* () {
        yield { type: 'done', reviews: 0, proposals: 0 } as const
      })(),
    'learning.trajectories': () =>
      (async function* () {
        yield* [] as { line: string }[]
      })(),
  }
  return { learning, handlers }
}
