import type { LearningEvent, Review } from '../../../shared/contract/learned/learning.ts'
import { isCorrection } from '../../skills/correction.ts'
import { foldText } from '../../lib/words/index-words.ts'

/** Thresholds for reviews, in user turns, loop steps, and calls of one turn; 0 turns a review off. */
export type Nudges = { memory: number; skills: number; turnCalls: number; endTurns: number }

/** A review that should be queued now. */
export type Due = Pick<Review, 'trigger' | 'kinds'> & { session: string }

/** Counts since memory (`turns`) and skills (`steps`) were last used, and since the last review (`said`). */
type Counts = { turns: number; steps: number; said: number }

/** `guided`: a skill guided the previous turn, so a correction concerns that skill. */
type Session = Counts & { guided: boolean; turn: Turn | undefined }
/** The current turn, since the user's message. */
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
  /** Count an event. Returns the reviews that it triggers, whose counters restart at zero. */
  observe(event: LearningEvent): Due[]
  /** Count a past event, whose reviews were queued long ago. */
  replay(event: LearningEvent): void
  counts(session: string): Counts
  /** Whether a turn is in progress. */
  isOpen(session: string): boolean
  /** Reset the counters that a review up to this point covers. */
  reset(session: string, kinds: Review['kinds']): void
  forget(session: string): void
}

/** Endings of a turn without an answer. Such a turn is not counted. */
const UNFINISHED = new Set(['stopped', 'failed'])

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
 * Count events per session. Two counters run in parallel: user turns without a successful use of `memory`,
 * and steps (replies that call tools) without one of `skill_manage`. Steps count double in a turn that
 * overcame an error or started with a correction. Thresholds are checked at the end of a turn. A turn without
 * an answer does not count. `turnCalls` or more calls in a turn trigger a skill review at its end. So does a
 * remark by the user directly after work guided by a skill, unless that turn changed a skill.
 */
export function createCounters(nudges: () => Nudges): Counters {
  const sessions = new Map<string, Session>()

  function sessionOf(id: string): Session {
    const known = sessions.get(id) ?? { turns: 0, steps: 0, said: 0, guided: false, turn: undefined }
    sessions.set(id, known)
    return known
  }

  /** Add up the ended turn. The result says whether the turn alone is worth a review of skills. */
  function endTurn(session: Session, reason = 'done'): { isTelling: boolean } {
    const { turn } = session
    if (!turn) return { isTelling: false }
    const wasGuided = session.guided
    session.guided = turn.usesSkill
    session.turn = undefined
    if (UNFINISHED.has(reason)) {
      session.turns = Math.max(0, session.turns - 1)
      return { isTelling: false }
    }
    session.steps += turn.steps * (turn.hasRecovered || turn.isCorrection ? 2 : 1)
    const isFeedback = wasGuided && (turn.isCorrection || turn.isRemark)
    const { turnCalls } = nudges()
    const hasManyCalls = turnCalls > 0 && turn.calls >= turnCalls
    return { isTelling: (isFeedback || hasManyCalls) && !turn.hasChangedSkills }
  }

  function dueAfter(id: string, session: Session, isTelling: boolean): Due[] {
    const { memory, skills } = nudges()
    const memoryDue = memory > 0 && session.turns >= memory
    const skillsDue = skills > 0 && (session.steps >= skills || isTelling)
    if (!memoryDue && !skillsDue) return []
    const kinds: Due['kinds'] = [
      ...(memoryDue ? ['memory' as const] : []),
      ...(skillsDue ? ['skills' as const] : []),
    ]
    clear(session, kinds)
    return [{ session: id, trigger: skillsDue ? 'skill_nudge' : 'memory_nudge', kinds }]
  }

  /** If an agent never reports the end of a turn, the next user message ends it. */
  function begin(session: Session, text: string): { isTelling: boolean } {
    const ended = endTurn(session)
    session.turns++
    session.said++
    session.turn = { ...freshTurn(), isCorrection: isCorrection(text), isRemark: isRemark(text) }
    return ended
  }

  function count(event: LearningEvent, session: Session): { isTelling: boolean } | undefined {
    if (event.type === 'user_message' && event.steered && session.turn) {
      session.turns++
      session.said++
      return undefined
    }
    if (event.type === 'user_message') {
      const wasOpen = session.turn !== undefined
      const ended = begin(session, event.text)
      return wasOpen ? ended : undefined
    }
    if (event.type === 'turn_end') return session.turn && endTurn(session, event.reason)
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
      if (ended) return dueAfter(event.session, session, ended.isTelling)
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

/** Reset the counters, including the current turn's steps, which were part of the review. */
function clear(session: Session, kinds: Review['kinds']): void {
  if (kinds.includes('memory')) session.turns = 0
  if (kinds.includes('skills')) {
    session.steps = 0
    if (session.turn) Object.assign(session.turn, { steps: 0, calls: 0 })
  }
  session.said = 0
}

/** Maximum length of a remark, in characters. A longer message is a new task. */
const MAX_REMARK_CHARS = 240

/** Words, in six languages, that ask for more of the same or set a lasting rule. */
const ASKING =
  /\b(?:too|also|as well|next time|from now on|in (?:the )?future|always|never|every time|instead|you should|should (?:have|also|always|never)|leave out|don't|do not|auch|ausserdem|nachstes mal|kunftig|ab jetzt|immer|nie|niemals|stattdessen|lass|aussi|egalement|la prochaine fois|desormais|toujours|jamais|plutot|tambien|la proxima vez|siempre|nunca|en vez|anche|pure|la prossima volta|d'ora in poi|sempre|mai|invece|tambem|da proxima vez)\b/

/**
 * Whether a message comments on how the previous work should be done (“include the discussions too”, “next
 * time sort them by date”). Only meaningful directly after such work. Questions never count.
 */
function isRemark(text: string): boolean {
  const said = text.trim()
  if (said.length > MAX_REMARK_CHARS || said.includes('\n\n') || said.endsWith('?')) return false
  return ASKING.test(foldText(said).replace(/[’`´]/g, "'"))
}
