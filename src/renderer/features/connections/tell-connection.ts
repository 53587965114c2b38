import type { ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { Connection } from '../../../shared/contract/connections/connect.ts'
import { countOf, formatWhen } from '../../ui/text/format-values.ts'

/**
 * How many days a program may send no events before the user is told. A program in use sends some within
 * days.
 */
const SILENT_DAYS = 7

const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

/**
 * Such as `2 hours ago`, or `just now` within the last minute and for future times, since clocks may be set
 * back.
 * @internal Tests pass their own times.
 */
export function formatAgo(at: number, now: number): string {
  for (const [unit, ms] of UNITS) {
    const count = Math.floor((now - at) / ms)
    if (count >= 1) return relative.format(-count, unit)
  }
  return 'just now'
}

/** The state of a program in two or three words. */
export function tellState({ state, isInstalled }: Connection): string {
  if (state === 'off') return isInstalled ? 'Not connected' : 'Not found on this computer'
  return state === 'changed' ? 'Changed' : 'Connected'
}

/** Whether Talaria learns from the program, so that its script writes events. */
const isLearntFrom = (agent: ConnectedAgent | undefined): boolean =>
  agent?.allowed === true && agent.may.learn

/**
 * Short facts about a program, such as `last event 2 hours ago`, `12 sessions kept` and `3 requests today`.
 */
export function tellFacts(
  { state, lastEventAt, sessions }: Connection,
  agent: ConnectedAgent | undefined,
  now: number,
): string[] {
  const kept = sessions === 0 ? [] : [`${countOf(sessions, 'session', 'sessions')} kept`]
  if (state === 'off') return kept
  const event =
    lastEventAt !== null
      ? [`last event ${formatAgo(lastEventAt, now)}`]
      : isLearntFrom(agent)
        ? ['no events yet']
        : []
  return [...event, ...kept, ...(agent ? tellAsked(agent) : [])]
}

/** Short facts about the requests of a program. */
export function tellAsked({ lastAt, today }: ConnectedAgent): string[] {
  return [
    ...(lastAt === null ? ['no requests yet'] : [`last request ${formatWhen(lastAt)}`]),
    ...(today.requests === 0 ? [] : [`${countOf(today.requests, 'request', 'requests')} today`]),
  ]
}

/** A sentence for a program that Talaria learns from if it has been silent for long; otherwise empty. */
export function tellSilence(
  { title, state, lastEventAt, connectedAt }: Connection,
  agent: ConnectedAgent | undefined,
  now: number,
): string {
  const since = lastEventAt ?? connectedAt
  if (state === 'off' || since === null || !isLearntFrom(agent)) return ''
  const days = Math.floor((now - since) / DAY_MS)
  if (days < SILENT_DAYS) return ''
  return lastEventAt === null
    ? `No events since it was connected ${days} days ago. Either ${title} was not used, or its hooks or extensions are switched off there.`
    : `No events for ${days} days. Either ${title} was not used, or its hooks or extensions are switched off there.`
}
