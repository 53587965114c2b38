import type { ApprovalMode, Origin, Session } from '../../shared/contract/chats/session.ts'
import { ORIGIN_RULES, rulesOf, type OriginRules } from '../../shared/origin-rules.ts'
import type { Approval, NewRunEvent } from '../../shared/contract/runs/run.ts'
import type { ExpectedAnswer } from '../json-schema/expected-answer.ts'
import type { Budget } from '../agent/budget.ts'
import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import type { ApprovalAnswer, AroundCommand, Permits, TurnPorts } from '../agent/turn-types.ts'

/** How a run is started. What is left out follows from its origin, by the table in `shared/origin-rules.ts`. */
export type RunStart = {
  /** By default that of somebody who writes into the chat. */
  origin?: Origin | undefined
  /** What the turn may use at most, beside the steps of the settings. */
  budget?: Budget | undefined
  /** Rules that were allowed before the run, in the form of `grantFor`. */
  grants?: readonly string[] | undefined
  /** The mode at this moment, in place of the chat's. */
  mode?: (() => ApprovalMode) | undefined
  /** Standing rules that hold for this run alone, beside those of the user. */
  rulesOfRun?: (() => readonly PermissionRule[]) | undefined
  /** Hears what the user allows in this run. Rules that a card offers are kept here, not among the standing ones. */
  allowed?: Permits['allowed']
  /** Answers the questions of the run; `follower` asks whoever follows it. */
  ask?:
    | ((approval: Approval, signal: AbortSignal, follower: TurnPorts['ask']) => Promise<ApprovalAnswer>)
    | undefined
  /** It gives way to answers that somebody waits for, whatever its origin. */
  priority?: 'background' | undefined
  /** Looks at the folder around each command of the run. */
  aroundCommand?: AroundCommand | undefined
  /** The form that its last answer must have. */
  expected?: ExpectedAnswer | undefined
  /** Called with each event, in order, after it was stored. */
  onEvent?: ((event: NewRunEvent) => void) | undefined
}

/** What a run is started with, and what follows from its origin. */
export type RunTerms = Omit<RunStart, 'origin'> & { origin: Origin; rules: OriginRules }

/** The terms of a run in a chat. */
export function termsOf(
  { origin, temporary }: Pick<Session, 'origin' | 'temporary'>,
  start: RunStart = {},
): RunTerms {
  const own = start.origin ?? ORIGIN_RULES[origin].continuedAs
  return { ...start, origin: own, rules: rulesOf({ origin: own, temporary }) }
}

/** The mode that holds in a run whose chat has this mode. Where nobody answers, asking is pointless. */
export function modeIn({ mode, rules }: RunTerms, ofChat: ApprovalMode): ApprovalMode {
  const now = mode?.() ?? ofChat
  return rules.asks === 'nobody' && now === 'ask' ? 'none' : now
}

/**
 * Who answers the questions of a run: whoever follows it, unless its terms say otherwise. A turn in the chat of a sub-agent that
 * no other chat has started was started by a person, who is there.
 */
export function askIn({ ask, rules }: RunTerms, follower: TurnPorts['ask']): TurnPorts['ask'] {
  if (ask) return (approval, signal) => ask(approval, signal, follower)
  return rules.asks === 'nobody' ? () => Promise.resolve(NOBODY) : follower
}

/** The standing rules of the user that hold in this run, with those that hold in it alone. */
export function rulesIn<R extends NonNullable<Permits['rules']>>(
  { rulesOfRun, rules }: RunTerms,
  standing: R,
): R {
  if (!rulesOfRun && !rules.ignoresAllowRules) return standing
  const kept = () =>
    rules.ignoresAllowRules
      ? standing.current().filter(({ effect }) => effect !== 'allow')
      : standing.current()
  return { ...standing, current: () => [...kept(), ...(rulesOfRun?.() ?? [])] }
}

const NOBODY: ApprovalAnswer = { decision: 'deny', note: 'Nobody is here to allow it.', unanswered: true }
