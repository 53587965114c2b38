import type { ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { Connection } from '../../../shared/contract/connections/connect.ts'
import { countOf, formatWhen } from '../../ui/text/format-values.ts'

/** A program that is used sends events within some days. After this many without one, the user is told. */
const SILENT_DAYS = 7

const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' })

/**
 * `2 hours ago`, or `just now` within the last minute; also for a time ahead, since clocks are set back.
 * @internal Tests give it moments.
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

/** Whether its script writes events at all. */
const isLearntFrom = (agent: ConnectedAgent | undefined): boolean =>
  agent?.allowed === true && agent.may.learn

/** What is known of a program, in short parts: `last event 2 hours ago`, `12 sessions kept`, `today 3 requests`. */
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
        ? ['no event yet']
        : []
  return [...event, ...kept, ...(agent ? tellAsked(agent) : [])]
}

/** What a program asked, in short parts. */
export function tellAsked({ lastAt, today }: ConnectedAgent): string[] {
  return [
    ...(lastAt === null ? ['has not asked yet'] : [`last asked ${formatWhen(lastAt)}`]),
    ...(today.requests === 0 ? [] : [`today ${countOf(today.requests, 'request', 'requests')}`]),
  ]
}

/** Whether a program that is learnt from has been silent for long, as a sentence; empty when it has not. */
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
    ? `No event for ${days} days, and none since it was connected: ${title} was not used, or its hooks or extensions are switched off there.`
    : `No event for ${days} days: ${title} was not used, or its hooks or extensions are switched off there.`
}
