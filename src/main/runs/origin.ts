import type { ApprovalMode, Origin, Session } from '../../shared/contract/chats/session.ts'
import { ORIGIN_RULES, rulesOf, type OriginRules } from '../../shared/origin-rules.ts'
import type { Approval, NewRunEvent } from '../../shared/contract/runs/run.ts'
import type { ExpectedAnswer } from '../json-schema/expected-answer.ts'
import type { Budget } from '../agent/budget.ts'
import type { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import type { ApprovalAnswer, AroundCommand, Permits, TurnPorts } from '../agent/turn-types.ts'

/** How a run is started. Missing values follow from its origin, by the table in `shared/origin-rules.ts`. */
export type RunStart = {
  /** By default, the origin of a message written into the chat. */
  origin?: Origin | undefined
  /** The turn's budget besides the steps in the settings. */
  budget?: Budget | undefined
  /** Grants from before the run, in the form of `grantFor`. */
  grants?: readonly string[] | undefined
  /** The current mode, in place of the chat's. */
  mode?: (() => ApprovalMode) | undefined
  /** Standing rules for this run alone, in addition to the user's. */
  rulesOfRun?: (() => readonly PermissionRule[]) | undefined
  /** Called with what the user allows in this run. Rules from a card are kept here, not as standing rules. */
  allowed?: Permits['allowed']
  /** Answers the questions of the run; `follower` asks the client that follows it. */
  ask?:
    | ((approval: Approval, signal: AbortSignal, follower: TurnPorts['ask']) => Promise<ApprovalAnswer>)
    | undefined
  /** The run yields to answers that somebody waits for, whatever its origin. */
  priority?: 'background' | undefined
  /** Watches the folder around each command of the run. */
  aroundCommand?: AroundCommand | undefined
  /** The form that the last answer must have. */
  expected?: ExpectedAnswer | undefined
  /** Called with each event, in order, after it was stored. */
  onEvent?: ((event: NewRunEvent) => void) | undefined
}

/** A run's start options, and the rules that follow from its origin. */
export type RunTerms = Omit<RunStart, 'origin'> & { origin: Origin; rules: OriginRules }

/** The terms of a run in a chat. */
export function termsOf(
  { origin, temporary }: Pick<Session, 'origin' | 'temporary'>,
  start: RunStart = {},
): RunTerms {
  const own = start.origin ?? ORIGIN_RULES[origin].continuedAs
  return { ...start, origin: own, rules: rulesOf({ origin: own, temporary }) }
}

/** The mode in effect for a run, given the mode of its chat. If nobody answers, asking is pointless. */
export function modeIn({ mode, rules }: RunTerms, ofChat: ApprovalMode): ApprovalMode {
  const now = mode?.() ?? ofChat
  return rules.asks === 'nobody' && now === 'ask' ? 'none' : now
}

/**
 * Who answers the questions of a run: the client that follows it, unless the terms say otherwise. If a turn
 * in a sub-agent's chat was not started by another chat, a user started it and can answer.
 */
export function askIn({ ask, rules }: RunTerms, follower: TurnPorts['ask']): TurnPorts['ask'] {
  if (ask) return (approval, signal) => ask(approval, signal, follower)
  return rules.asks === 'nobody' ? () => Promise.resolve(NOBODY) : follower
}

/** The standing rules that apply in this run: the user's, and those of the run alone. */
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
