import { listNames } from '../text/amounts.ts'
import type { CallGround, CallRecord } from '../contract/runs/call-record.ts'

/** The name of the call step that starts calls for models that start none by themselves. */
export const DECIDER = 'decider'

/** The name of the call step that starts the call of a button that the user pressed. */
export const PERSON = 'person'

const CHOSEN: Readonly<Record<string, string>> = {
  [DECIDER]: 'chosen by the decider',
  [PERSON]: 'chosen by you',
}
const CHOOSERS: Readonly<Record<string, string>> = {
  [DECIDER]: 'Chosen by the decider',
  [PERSON]: 'Chosen by you',
}

/** Say who chose a call in place of the model, next to its title; undefined if the model started the call. */
export const sayChooser = ({ begunBy = '' }: Pick<CallRecord, 'begunBy'>): string | undefined =>
  CHOOSERS[begunBy]

/** Say why a call ran or did not run, for its card; empty if unknown. */
export function sayRecord(record: CallRecord): string {
  const said = sayOutcome(record)
  const chosen = CHOSEN[record.begunBy ?? '']
  return chosen === undefined ? said : said === '' ? chosen : `${chosen}; ${said}`
}

function sayOutcome({ decision, cutShort, ...ground }: CallRecord): string {
  if (decision === 'stopped') return 'stopped'
  if (decision === 'not_run') return ground.how === 'enough_asked' ? 'not asked' : 'not run'
  if (decision === 'denied')
    return ground.by === 'user' ? `denied by ${ground.from ?? 'you'}` : `denied: ${ground.why ?? ''}`
  const because = sayGround(ground)
  return cutShort ? `${because}, then stopped` : because
}

/** Say why a call may run. */
export function sayGround({
  by,
  how,
  rules = [],
  why = '',
  from = 'you',
  access,
}: CallGround & Pick<CallRecord, 'access'>): string {
  switch (by) {
    case 'mode':
      return 'full access is on in this chat'
    case 'rule':
      return `allowed by your rule ${listNames(rules)}`
    case 'grant':
      return 'allowed by you for this chat'
    case 'other_agent':
      return 'another agent'
    case 'user':
      if (how === 'always') return 'always allowed by you'
      if (how === 'answer') return `answered by ${from}`
      return access === 'network' ? `allowed by ${from}, with network` : `allowed by ${from}`
    case 'policy':
      return how === undefined ? why : (OF_POLICY[how] ?? why)
    default:
      return why
  }
}

const OF_POLICY: { [K in NonNullable<CallGround['how']>]?: string } = {
  own_process: 'its own background process',
  reads_folder: 'reading in its folder',
  reads_own: 'it changes nothing outside this chat',
  delegates: 'each call of the sub-agent is decided separately',
  only_reads: 'a command that only reads',
  confined_read: 'it runs confined, where it can only read',
  undoable: 'it only changes data of Talaria, and can be undone',
  web: 'it sends only what you wrote in this chat',
  trusted_tool: 'you let this tool run without a question',
}

const ONLY_LOOK = new Set<CallRecord['how']>([
  'reads_folder',
  'reads_own',
  'delegates',
  'only_reads',
  'confined_read',
  'own_process',
  'web',
])

/** Whether a call ran, successfully or not. */
export const hasRun = ({ decision }: CallRecord): boolean => decision === 'ran'

/**
 * Whether a call may have changed something: it ran, and could do more than read or query its own process.
 */
export const mayHaveChanged = (record: CallRecord): boolean =>
  hasRun(record) && !(record.by === 'policy' && ONLY_LOOK.has(record.how))

/** Whether a call was stopped, before it ran or while it did. */
export const wasStopped = ({ decision, cutShort }: CallRecord): boolean =>
  decision === 'stopped' || cutShort === true
