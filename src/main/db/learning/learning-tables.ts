import type { MemoryStore } from './memory-tables.ts'
import type { SkillStore, StoredSkillRevision } from './skill-tables.ts'
import type { LearningRule, Proposal, Review } from '../../../shared/contract/learned/learning.ts'
import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import type { Connection } from '../connection.ts'
import type { ForeignSession } from './foreign-tables.ts'

/** A reviewed session of another program, with what is needed to name it after its events are gone. */
export type ForeignSource = Pick<ForeignSession, 'id' | 'agent' | 'folder'> & {
  /** When it was last active. */
  at: number
}

/** A stored review; `fromId` is the last message of the previous review. */
export type ReviewRow = Omit<Review, 'title'> & {
  fromId: number
  startedAt: number | null
  /** Absent for a review of a chat, of a text, or of events from a file. */
  foreign?: ForeignSource
}

/** A stored proposal; `change` is the change that accepting it makes, as JSON of `learning/`. */
export type ProposalRow = Omit<Proposal, 'changed' | 'isStale' | 'trigger' | 'cost' | 'seen' | 'from'> & {
  change: string
}

/** Reviews, proposals and rules (`learning/`). */
export type LearningStore = {
  putReview(review: ReviewRow): void
  review(id: string): ReviewRow | undefined
  /** Return queued and running reviews, oldest first. */
  waitingReviews(): ReviewRow[]
  /** Return the newest reviewed message of a chat; 0 if none. */
  reviewedUpTo(sessionId: string): number
  /** Return ended reviews, newest first. */
  endedReviews(options: { before: number; limit: number }): ReviewRow[]
  reviewsOf(sessionId: string): ReviewRow[]
  /** Whether a session of another program was ever fully reviewed. */
  wasReviewed(foreignId: string): boolean
  /** Count the reviews of other programs' sessions that started since an instant and used tokens. */
  foreignReviews(since: number): number
  putProposals(proposals: readonly ProposalRow[]): void
  proposal(id: string): ProposalRow | undefined
  proposals(where: {
    state?: Proposal['state']
    sessionId?: string
    reviewId?: string
    foreignId?: string
  }): ProposalRow[]
  /** Return decided proposals, newest first. */
  decided(options: { before: number; limit: number }): ProposalRow[]
  openCount(): number
  rules(): LearningRule[]
  putRule(rule: LearningRule): void
  removeRule(id: string, at: number): boolean
  hitRule(id: string): void
  /** Return the revisions of memory and skills by the agent or a review, newest first. */
  learnedMemory(options: { since?: number; before: number; limit: number }): MemoryRevision[]
  learnedSkills(options: { since?: number; before: number; limit: number }): StoredSkillRevision[]
  /** Return when proposals were decided, changes made and reviews ended. */
  tally(since: number): { at: number; what: 'kept' | 'rejected' | 'undone' | 'review' }[]
  /** Return chats with at least `turns` user turns since their last review, idle since `quietSince`. */
  unreviewed(options: {
    turns: number
    quietSince: number
    limit: number
    /** Only chats with one of these origins. */
    origins: readonly string[]
  }): string[]
}

type RawReview = Omit<ReviewRow, 'kinds' | 'cost' | 'foreign'> & {
  kinds: string
  cost: string | null
  foreignId: string | null
  foreignSource: string | null
}
type RawProposal = Omit<ProposalRow, 'evidence' | 'memoryRevisions' | 'skillRevisions'> &
  Record<'evidence' | 'memoryRevisions' | 'skillRevisions', string>

const REVIEW = `id, session_id as sessionId, trigger, kinds, state, up_to_id as upToId, from_id as fromId,
  queued_at as queuedAt, started_at as startedAt, ended_at as endedAt, attempts, outcome, cost, foreign_id as foreignId,
  foreign_source as foreignSource`
const PROPOSAL = `id, review_id as reviewId, session_id as sessionId, kind, op, headline, place, before, after, change,
  evidence, because, state, at, decided_at as decidedAt, memory_revisions as memoryRevisions,
  skill_revisions as skillRevisions`
const LEARNED = `actor in ('agent', 'review') and at > @since and at < @before and undoes is null order by at desc, id desc limit @limit`

/** Reviews, proposals and learning rules. */
export function createLearningStore(
  { db, durably }: Connection,
  revisions: {
    memory: Pick<MemoryStore, 'revision'>
    skills: Pick<SkillStore, 'revision'>
  },
): LearningStore {
  const putReview = db.prepare(`
    insert into reviews (id, session_id, trigger, kinds, state, up_to_id, from_id, queued_at, started_at, ended_at, attempts,
      outcome, cost, foreign_id, foreign_source)
    values (@id, @sessionId, @trigger, @kinds, @state, @upToId, @fromId, @queuedAt, @startedAt, @endedAt, @attempts, @outcome,
      @cost, @foreignId, @foreignSource)
    on conflict (id) do update set kinds = excluded.kinds, state = excluded.state, up_to_id = excluded.up_to_id,
      started_at = excluded.started_at, ended_at = excluded.ended_at, attempts = excluded.attempts,
      outcome = excluded.outcome, cost = excluded.cost`)
  const review = db.prepare<[string], RawReview>(`select ${REVIEW} from reviews where id = ?`)
  const waiting = db.prepare<[], RawReview>(
    `select ${REVIEW} from reviews where state in ('queued', 'running') order by queued_at, id`,
  )
  const upTo = db.prepare<[string], { id: number | null }>(
    `select max(up_to_id) as id from reviews where session_id = ? and state in ('done', 'queued', 'running')`,
  )
  const ended = db.prepare<[number, number], RawReview>(
    `select ${REVIEW} from reviews where ended_at < ? order by ended_at desc, id desc limit ?`,
  )
  const ofChat = db.prepare<[string], RawReview>(
    `select ${REVIEW} from reviews where session_id = ? order by queued_at, id`,
  )
  const putProposal = db.prepare(`
    insert into proposals (id, review_id, session_id, kind, op, headline, place, before, after, change, evidence, because,
      state, at, decided_at, memory_revisions, skill_revisions)
    values (@id, @reviewId, @sessionId, @kind, @op, @headline, @place, @before, @after, @change, @evidence, @because, @state,
      @at, @decidedAt, @memoryRevisions, @skillRevisions)
    on conflict (id) do update set headline = excluded.headline, before = excluded.before, after = excluded.after,
      change = excluded.change, state = excluded.state, decided_at = excluded.decided_at,
      memory_revisions = excluded.memory_revisions, skill_revisions = excluded.skill_revisions`)
  const proposal = db.prepare<[string], RawProposal>(`select ${PROPOSAL} from proposals where id = ?`)
  const reviewedForeign = db.prepare<[string], { n: number }>(
    `select count(*) as n from reviews where foreign_id = ? and state = 'done'`,
  )
  const foreignSince = db.prepare<[number], { n: number }>(
    `select count(*) as n from reviews where foreign_id is not null and started_at > ? and (state = 'running' or cost is not null)`,
  )
  const proposals = db.prepare<
    [Record<'state' | 'sessionId' | 'reviewId' | 'foreignId', string | null>],
    RawProposal
  >(`
    select ${PROPOSAL} from proposals where (@state is null or state = @state)
      and (@sessionId is null or session_id = @sessionId) and (@reviewId is null or review_id = @reviewId)
      and (@foreignId is null or review_id in (select id from reviews where foreign_id = @foreignId))
    order by at, id`)
  const decided = db.prepare<[number, number], RawProposal>(
    `select ${PROPOSAL} from proposals where decided_at < ? order by decided_at desc, id desc limit ?`,
  )
  const open = db.prepare<[], { n: number }>(`select count(*) as n from proposals where state = 'open'`)
  const rules = db.prepare<[], LearningRule>(
    'select id, text, example, at, hits from learning_rules where removed_at is null order by at',
  )
  const putRule = db.prepare<[LearningRule]>(
    'insert into learning_rules (id, text, example, at, hits) values (@id, @text, @example, @at, @hits)',
  )
  const removeRule = db.prepare<[number, string]>(
    'update learning_rules set removed_at = ? where id = ? and removed_at is null',
  )
  const hitRule = db.prepare<[string]>('update learning_rules set hits = hits + 1 where id = ?')
  const learnedMemory = db.prepare<[object], { id: number }>(
    `select id from memory_revisions where ${LEARNED}`,
  )
  const learnedSkills = db.prepare<[object], { id: number }>(
    `select id from skill_revisions where ${LEARNED}`,
  )
  const tally = db.prepare<
    [{ since: number }],
    { at: number; what: 'kept' | 'rejected' | 'undone' | 'review' }
  >(`
    select decided_at as at, state as what from proposals
      where decided_at > @since and state in ('kept', 'rejected', 'undone')
    union all
    select at, case when undoes is null then 'kept' else 'undone' end from memory_revisions
      where actor in ('agent', 'review') and at > @since
    union all
    select at, case when undoes is null then 'kept' else 'undone' end from skill_revisions
      where actor in ('agent', 'review') and at > @since
    union all
    select ended_at, 'review' from reviews where ended_at > @since and state = 'done'`)
  const unreviewed = db.prepare<
    [{ turns: number; quietSince: number; limit: number; origins: string }],
    { id: string }
  >(`
    select s.id from sessions s
    where s.deleted_at is null and s.temporary = 0 and s.origin in (select value from json_each(@origins)) and s.updated_at < @quietSince and s.turn_count >= @turns
      and (select count(*) from messages m where m.session_id = s.id and m.role = 'user' and m.active = 1 and m.id >
        coalesce((select max(r.up_to_id) from reviews r where r.session_id = s.id), 0)) >= @turns
    order by s.updated_at desc limit @limit`)

  return {
    putReview: row => durably(() => void putReview.run(rawReview(row))),
    review: id => whole(review.get(id)),
    waitingReviews: () => waiting.all().map(reviewOf),
    reviewedUpTo: sessionId => upTo.get(sessionId)?.id ?? 0,
    endedReviews: ({ before, limit }) => ended.all(before, limit).map(reviewOf),
    reviewsOf: sessionId => ofChat.all(sessionId).map(reviewOf),
    putProposals: rows => durably(() => rows.forEach(row => putProposal.run(rawProposal(row)))),
    proposal(id) {
      const row = proposal.get(id)
      return row && proposalOf(row)
    },
    wasReviewed: foreignId => reviewedForeign.get(foreignId)!.n > 0,
    foreignReviews: since => foreignSince.get(since)!.n,
    proposals: ({ state = null, sessionId = null, reviewId = null, foreignId = null }) =>
      proposals.all({ state, sessionId, reviewId, foreignId }).map(proposalOf),
    decided: ({ before, limit }) => decided.all(before, limit).map(proposalOf),
    openCount: () => open.get()!.n,
    rules: () => rules.all(),
    putRule: rule => durably(() => void putRule.run(rule)),
    removeRule: (id, at) => durably(() => removeRule.run(at, id)).changes > 0,
    hitRule: id => durably(() => void hitRule.run(id)),
    learnedMemory: ({ since = 0, before, limit }) =>
      learnedMemory
        .all({ since, before, limit })
        .map(({ id }): MemoryRevision => revisions.memory.revision(id)!),
    learnedSkills: ({ since = 0, before, limit }) =>
      learnedSkills.all({ since, before, limit }).map(({ id }) => revisions.skills.revision(id)!),
    tally: since => tally.all({ since }),
    unreviewed: options =>
      unreviewed.all({ ...options, origins: JSON.stringify(options.origins) }).map(row => row.id),
  }
}

const rawReview = ({ foreign, ...row }: ReviewRow) => ({
  ...row,
  foreignId: foreign?.id ?? null,
  foreignSource: foreign === undefined ? null : JSON.stringify(foreign),
  kinds: JSON.stringify(row.kinds),
  cost: row.cost && JSON.stringify(row.cost),
})

const whole = (row: RawReview | undefined) => row && reviewOf(row)

const reviewOf = ({ kinds, cost, foreignId: _foreignId, foreignSource, ...row }: RawReview): ReviewRow => ({
  ...row,
  ...(foreignSource !== null && { foreign: JSON.parse(foreignSource) as ForeignSource }),
  kinds: JSON.parse(kinds) as ReviewRow['kinds'],
  cost: cost === null ? null : (JSON.parse(cost) as ReviewRow['cost']),
})

const rawProposal = (row: ProposalRow): RawProposal => ({
  ...row,
  evidence: JSON.stringify(row.evidence),
  memoryRevisions: JSON.stringify(row.memoryRevisions),
  skillRevisions: JSON.stringify(row.skillRevisions),
})

const proposalOf = ({ evidence, memoryRevisions, skillRevisions, ...row }: RawProposal): ProposalRow => ({
  ...row,
  evidence: JSON.parse(evidence) as ProposalRow['evidence'],
  memoryRevisions: JSON.parse(memoryRevisions) as number[],
  skillRevisions: JSON.parse(skillRevisions) as number[],
})
