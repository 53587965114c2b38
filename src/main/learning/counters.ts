import type { LearningEvent, Review } from '../../shared/contract/learning.ts'
import { isCorrection } from '../skills/evidence.ts'
import { isRemark } from './remarks.ts'

/** When a review is due, in user turns and in steps of the loop; 0 is never. */
export type Nudges = { memory: number; skills: number; endTurns: number }

/** A review that is due now. */
export type Due = Pick<Review, 'trigger' | 'kinds'> & { session: string }

/** What has come together in one session. `turns` and `steps` since memory and skills were used, `said` since the last review. */
export type Counts = { turns: number; steps: number; said: number }

/** `guided`: the turn before was guided by a skill, which a correction then is about. */
type Session = Counts & { guided: boolean; turn: Turn | undefined }
/** What happened since the person spoke. */
type Turn = {
  steps: number
  calls: number
  hasFailed: boolean
  hasRecovered: boolean
  isCorrection: boolean
  isRemark: boolean
  hasChangedSkills: boolean
  usesSkill: boolean
}

export type Counters = {
  /** Count an event; what is due because of it comes back, and counts from zero again. */
  observe(event: LearningEvent): Due[]
  /** Count an event of the past, for which whatever was due is long queued. */
  replay(event: LearningEvent): void
  counts(session: string): Counts
  /** Whether a turn is under way. */
  isOpen(session: string): boolean
  /** What was counted up to here is part of a review, so these count from zero. */
  reset(session: string, kinds: Review['kinds']): void
  forget(session: string): void
}

/** A turn with so many calls is work from which a procedure can be learned. */
const MANY_CALLS = 5

const freshTurn = (): Turn => ({
  steps: 0,
  calls: 0,
  hasFailed: false,
  hasRecovered: false,
  isCorrection: false,
  isRemark: false,
  hasChangedSkills: false,
  usesSkill: false,
})

/**
 * Count what happens, by session. Two counters run side by side: user turns without a successful use of `memory`, and steps
 * (replies that call tools) without one of `skill_manage`; the steps of a turn with five or more calls, with an error that
 * was overcome, or that began with a correction, count double. They are looked at when a turn ends. What a person says of
 * the work of a skill right after it makes a review of skills due at once, unless the skill was changed there and then.
 */
export function createCounters(nudges: () => Nudges): Counters {
  const sessions = new Map<string, Session>()

  function sessionOf(id: string): Session {
    const known = sessions.get(id) ?? { turns: 0, steps: 0, said: 0, guided: false, turn: undefined }
    sessions.set(id, known)
    return known
  }

  /** Add up the turn that ends; says whether a skill led it astray. */
  function endTurn(session: Session): { misled: boolean } {
    const { turn } = session
    if (!turn) return { misled: false }
    const isTelling = turn.calls >= MANY_CALLS || turn.hasRecovered || turn.isCorrection
    session.steps += turn.steps * (isTelling ? 2 : 1)
    const isFeedback = session.guided && (turn.isCorrection || turn.isRemark)
    session.guided = turn.usesSkill
    session.turn = undefined
    return { misled: isFeedback && !turn.hasChangedSkills }
  }

  function dueAfter(id: string, session: Session, misled: boolean): Due[] {
    const { memory, skills } = nudges()
    const memoryDue = memory > 0 && session.turns >= memory
    const skillsDue = skills > 0 && (session.steps >= skills || misled)
    if (!memoryDue && !skillsDue) return []
    const kinds: Due['kinds'] = [
      ...(memoryDue ? ['memory' as const] : []),
      ...(skillsDue ? ['skills' as const] : []),
    ]
    clear(session, kinds)
    return [{ session: id, trigger: skillsDue ? 'skill_nudge' : 'memory_nudge', kinds }]
  }

  /** Who forgets to say that a turn has ended ends it by speaking again. */
  function begin(session: Session, text: string): { misled: boolean } {
    const ended = endTurn(session)
    session.turns++
    session.said++
    session.turn = { ...freshTurn(), isCorrection: isCorrection(text), isRemark: isRemark(text) }
    return ended
  }

  function count(event: LearningEvent, session: Session): { misled: boolean } | undefined {
    if (event.type === 'user_message') {
      const wasOpen = session.turn !== undefined
      const ended = begin(session, event.text)
      return wasOpen ? ended : undefined
    }
    if (event.type === 'turn_end') return session.turn && endTurn(session)
    if (event.type === 'session_end') return undefined
    const turn = (session.turn ??= freshTurn())
    if (event.type === 'reply') {
      if (event.calls > 0) turn.steps++
      return undefined
    }
    turn.calls++
    if (!event.ok) turn.hasFailed = true
    else if (turn.hasFailed) turn.hasRecovered = true
    if (event.ok && event.name === 'memory') session.turns = 0
    if (event.ok && event.name === 'skill_view') turn.usesSkill = true
    if (event.ok && event.name === 'skill_manage') {
      session.steps = 0
      turn.steps = 0
      turn.hasChangedSkills = true
    }
    return undefined
  }

  return {
    observe(event) {
      const session = sessionOf(event.session)
      const ended = count(event, session)
      if (ended) return dueAfter(event.session, session, ended.misled)
      const { endTurns } = nudges()
      if (event.type !== 'session_end' || endTurns === 0 || session.said < endTurns) return []
      clear(session, ['memory', 'skills'])
      return [{ session: event.session, trigger: 'session_end', kinds: ['memory', 'skills'] }]
    },
    replay: event => void count(event, sessionOf(event.session)),
    counts(id) {
      const { turns, steps, said } = sessionOf(id)
      return { turns, steps, said }
    },
    isOpen: id => sessions.get(id)?.turn !== undefined,
    reset: (id, kinds) => clear(sessionOf(id), kinds),
    forget: id => void sessions.delete(id),
  }
}

/** Steps of the turn that is under way are a part of what was reviewed. */
function clear(session: Session, kinds: Review['kinds']): void {
  if (kinds.includes('memory')) session.turns = 0
  if (kinds.includes('skills')) {
    session.steps = 0
    if (session.turn) session.turn.steps = 0
  }
  session.said = 0
}
