import type {
  ActivityItem,
  LearnedChange,
  LearningWeek,
  Review,
} from '../../shared/contract/learned/learning.ts'
import { tellSource } from '../../shared/words/agent-names.ts'
import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type { SkillRevision } from '../../shared/contract/learned/skills.ts'
import type { ReviewRow } from '../db/learning/learning-tables.ts'
import type { Store } from '../db/store.ts'
import type { Proposals } from './proposals/proposals.ts'

export type ActivityFilter = 'all' | 'memory' | 'skills' | 'undone' | 'quiet'

type Parts = {
  store: Pick<Store, 'learning' | 'sessions' | 'memory' | 'skills'>
  proposals: Pick<Proposals, 'show'>
}

/** Build the user's view of learning: cards and lines made from proposals, changes and reviews. */
export function createActivity({ store, proposals }: Parts) {
  const titleOf = (sessionId: string | null): string => {
    const session = sessionId === null ? undefined : store.sessions.get(sessionId)
    return session?.title || session?.preview || ''
  }

  const shownReview = ({
    fromId: _fromId,
    startedAt: _startedAt,
    foreign,
    ...review
  }: ReviewRow): Review => ({
    ...review,
    title: foreign ? tellSource(foreign) : titleOf(review.sessionId),
  })

  /**
   * Items before a time, newest first. Items with the same time are never split across pages, so a page may
   * be longer than `limit`.
   */
  function list(options: { filter: ActivityFilter; before: number; limit: number }): {
    items: ActivityItem[]
    more: boolean
  } {
    const { filter, limit } = options
    const items: ActivityItem[] = []
    let { before } = options
    let isEnd = false
    while (!isEnd && !isWhole(items, limit)) {
      const page = pageBefore(before, Math.max(limit, MIN_READ))
      items.push(...page.items.filter(item => fits(item, filter)))
      before = page.from
      isEnd = page.isEnd
    }
    const last = items[limit - 1]
    const shown = last ? items.filter(item => item.at >= last.at) : items
    return { items: shown, more: items.length > shown.length }
  }

  /** A complete page before a time, newest first; the next page starts before its `from`. */
  function pageBefore(
    before: number,
    limit: number,
  ): { items: ActivityItem[]; from: number; isEnd: boolean } {
    // A card has the time of its newest change; its older changes may be much earlier.
    const reach = { before: before + MAX_CARD_SPAN_MS, limit: limit * CHANGES_A_CARD }
    const [decided, memory, skills, reviews] = [
      store.learning.decided({ before, limit }),
      store.learning.learnedMemory(reach),
      store.learning.learnedSkills(reach),
      store.learning.endedReviews({ before, limit }),
    ]
    // A source with more rows is only complete down to its oldest row read.
    const oldest = [
      decided.length < limit ? 0 : decided.at(-1)!.decidedAt!,
      memory.length < reach.limit ? 0 : memory.at(-1)!.at,
      skills.length < reach.limit ? 0 : skills.at(-1)!.at,
      reviews.length < limit ? 0 : reviews.at(-1)!.endedAt!,
    ]
    const horizon = Math.max(...oldest)
    // All rows read have the same time, so nothing on this page is complete: read more.
    if (horizon > 0 && horizon >= before - 1) return pageBefore(before, limit * 10)
    const items: ActivityItem[] = [
      ...proposals.show(decided).map((proposal): ActivityItem => ({
        type: 'proposal',
        at: proposal.decidedAt!,
        proposal,
      })),
      ...changesOf(memory, skills).map((change): ActivityItem => ({ type: 'change', at: change.at, change })),
      ...reviews.map((row): ActivityItem => ({ type: 'review', at: row.endedAt!, review: shownReview(row) })),
    ]
    const inside = items.filter(({ at }) => at < before && at > horizon)
    return { items: inside.toSorted((a, b) => b.at - a.at), from: horizon + 0.5, isEnd: horizon === 0 }
  }

  /** Group the changes of one review, or of one turn, into a card. */
  function changesOf(memory: readonly MemoryRevision[], skills: readonly SkillRevision[]): LearnedChange[] {
    const isKept = keptIn()
    const groups = new Map<string, LearnedChange>()
    const groupFor = (each: MemoryRevision | SkillRevision): LearnedChange => {
      const kind = 'entryId' in each ? 'm' : 's'
      const id = each.reviewId ?? `${each.sessionId ?? ''}:${each.messageId ?? `${kind}${each.id}`}`
      const known = groups.get(id)
      if (known) {
        known.at = Math.max(known.at, each.at)
        return known
      }
      const review = each.reviewId === null ? undefined : store.learning.review(each.reviewId)
      const group: LearnedChange = {
        id,
        at: each.at,
        by: each.actor === 'review' ? 'review' : 'agent',
        reviewId: each.reviewId,
        trigger: review?.trigger ?? null,
        sessionId: each.sessionId,
        messageId: each.messageId,
        headline: '',
        memory: [],
        skills: [],
        cost: review?.cost ?? null,
      }
      groups.set(id, group)
      return group
    }
    for (const each of memory) if (!isKept(each)) groupFor(each).memory.unshift(each)
    for (const each of skills) if (!isKept(each)) groupFor(each).skills.unshift(withoutPlace(each))
    return [...groups.values()].map(group => ({ ...group, headline: headlineOf(group) }))
  }

  /**
   * Create a check for changes that came from an accepted proposal, which has its own card. Looks up each
   * review once.
   */
  function keptIn(): (each: MemoryRevision | SkillRevision) => boolean {
    const byReview = new Map<string, { memory: Set<number>; skills: Set<number> }>()
    const keptBy = (reviewId: string) => {
      const known = byReview.get(reviewId)
      if (known) return known
      const rows = store.learning.proposals({ reviewId })
      const kept = {
        memory: new Set(rows.flatMap(row => row.memoryRevisions)),
        skills: new Set(rows.flatMap(row => row.skillRevisions)),
      }
      byReview.set(reviewId, kept)
      return kept
    }
    return each =>
      each.reviewId !== null && keptBy(each.reviewId)['entryId' in each ? 'memory' : 'skills'].has(each.id)
  }

  /** Totals per week, starting on Mondays, newest first; weeks without activity are left out. */
  function weeks(limit: number, now: number): LearningWeek[] {
    const first = mondayOf(now - (limit - 1) * WEEK_MS)
    const byStart = new Map<number, LearningWeek>()
    const count = (at: number | null, what: 'kept' | 'rejected' | 'undone' | 'reviews') => {
      if (at === null || at < first) return
      const from = mondayOf(at)
      const week = byStart.get(from) ?? { from, kept: 0, rejected: 0, undone: 0, reviews: 0 }
      week[what]++
      byStart.set(from, week)
    }
    for (const { state, decidedAt } of store.learning.decided(EVER))
      if (state === 'kept' || state === 'rejected' || state === 'undone') count(decidedAt, state)
    const isKept = keptIn()
    const undoneAt = (each: MemoryRevision | SkillRevision) =>
      each.undoneBy === null
        ? null
        : (('entryId' in each ? store.memory : store.skills).revision(each.undoneBy)?.at ?? null)
    for (const each of [...store.learning.learnedMemory(EVER), ...store.learning.learnedSkills(EVER)]) {
      if (isKept(each)) continue
      count(each.at, 'kept')
      count(undoneAt(each), 'undone')
    }
    for (const { state, endedAt } of store.learning.endedReviews(EVER))
      if (state === 'done') count(endedAt, 'reviews')
    return [...byStart.values()].toSorted((a, b) => b.from - a.from)
  }

  return { list, weeks, changesOf, shownReview }
}
export type Activity = ReturnType<typeof createActivity>

const WEEK_MS = 7 * 24 * 60 * 60_000
const EVER = { before: Number.MAX_SAFE_INTEGER, limit: 1_000_000 }
/** Minimum number of rows to read from each source at once. */
const MIN_READ = 100
const CHANGES_A_CARD = 5
/** Upper bound on the time between the first and last change of one turn or review. */
const MAX_CARD_SPAN_MS = 6 * 60 * 60_000

/** Whether the items beyond `limit` all have the same time as the last one within it. */
const isWhole = (items: readonly ActivityItem[], limit: number): boolean =>
  items.length > limit && items.at(-1)!.at < items[limit - 1]!.at

function mondayOf(at: number): number {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
  return day.getTime()
}

function fits(item: ActivityItem, filter: ActivityFilter): boolean {
  if (item.type === 'review') {
    // A review with results has its own cards; a line is only for those without.
    return filter === 'quiet' || (filter === 'all' && isQuiet(item.review))
  }
  switch (filter) {
    case 'all':
      return true
    case 'quiet':
      return false
    case 'memory':
      return item.type === 'proposal' ? item.proposal.kind === 'memory' : item.change.memory.length > 0
    case 'skills':
      return item.type === 'proposal' ? item.proposal.kind === 'skill' : item.change.skills.length > 0
    case 'undone':
      return item.type === 'proposal'
        ? item.proposal.state === 'undone'
        : [...item.change.memory, ...item.change.skills].some(each => each.undoneBy !== null)
  }
}

const isQuiet = ({ outcome, state }: Review): boolean =>
  state !== 'done' || !/(?<!\d)\d+ (saved|proposed)/.test(outcome)

function headlineOf({ memory, skills }: LearnedChange): string {
  const texts = [
    ...memory.map(({ before, after }) => after ?? `Forgot: ${before ?? ''}`),
    ...skills.map(({ name, op }) =>
      op === 'create'
        ? `New skill “${name}”`
        : op === 'delete'
          ? `Deleted skill “${name}”`
          : `Skill “${name}” changed`,
    ),
  ]
  return texts.length > 1 ? `${texts[0]} and ${texts.length - 1} more` : (texts[0] ?? '')
}

function withoutPlace(
  revision: SkillRevision & { skillId?: string; archive?: string | null },
): SkillRevision {
  const { skillId: _skillId, archive: _archive, ...shown } = revision
  return shown
}
