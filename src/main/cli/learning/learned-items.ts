import { styleText } from 'node:util'
import { tellSource } from '../../../shared/words/agent-names.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  ActivityItem,
  LearnedChange,
  LearnedFrom,
  LearningRule,
  LearningSettings,
  Proposal,
  Review,
} from '../../../shared/contract/learned/learning.ts'
import { shortId } from '../find-item.ts'
import { oneLine, dayOf, escapeInvisible, many, momentOf } from '../output/terminal-text.ts'

type Filter = NonNullable<Parameters<HostClient['learning.activity']>[0]['filter']>

/** Page size of a read. */
const PAGE = 200

/** Everything that was learned, newest first. */
export async function* everyItem(client: HostClient, filter: Filter): AsyncGenerator<ActivityItem> {
  for (let before: number | undefined; ;) {
    const { items, more } = await client['learning.activity']({
      filter,
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    yield* items
    before = items.at(-1)?.at
    if (!more || before === undefined) return
  }
}

const INDENT = '    '
/**
 * Maximum number of lines to show of a text in a list. For a longer text, only the number of lines is shown.
 */
const LINES = 4

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const signed = (sign: string, text: string | null) =>
  text === null ? [] : linesOf(text).map(line => `${INDENT}${sign} ${escapeInvisible(line)}`)

const DEEDS: Record<Proposal['op'], string> = {
  add: 'add to',
  edit: 'change in',
  remove: 'remove from',
  create: 'create',
  delete: 'delete',
}

const TRIGGERS: Record<Proposal['trigger'], string> = {
  memory_nudge: 'after some messages',
  skill_nudge: 'after some steps',
  compaction: 'before older messages were summarised',
  session_end: 'at the end of a chat',
  you: 'because you asked',
  events: 'from the work of another agent',
  text: 'from a text that you named',
  chat: 'by the agent in a chat with full access',
}

/** The open proposals as text. */
export const showWaiting = (waiting: readonly Proposal[]): string =>
  [`Waiting (${waiting.length})`, ...waiting.map(each => showProposal(each, LINES))].join('\n')

/**
 * Describe a proposal with its change, evidence and reason. A change of more than `most` lines is only
 * counted.
 */
export function showProposal(proposal: Proposal, most = Number.POSITIVE_INFINITY): string {
  const {
    id,
    headline,
    op,
    place,
    before,
    after,
    changed,
    evidence,
    because,
    isStale,
    trigger,
    state,
    from,
  } = proposal
  const change = [...signed('-', before), ...signed('+', after)]
  const isPlain = before === null && after === headline && !headline.includes('\n')
  const shown = isPlain
    ? []
    : change.length <= most
      ? change
      : [`${INDENT}${many(change.length, 'line')}: talaria learning show ${shortId(id)}`]
  const notes = [
    ...(state === 'open' ? [] : [`It was ${STATES[state]}.`]),
    ...(because === '' ? [] : [oneLine(because)]),
    ...(changed === null ? [] : ['Its target has changed since.']),
    ...(isStale ? ['It is more than thirty days old.'] : []),
  ]
  return [
    `  ${shortId(id)}  ${oneLine(headline)}`,
    `${INDENT}${dim(`${DEEDS[op]} ${oneLine(place)}, ${from ? sourceText(from) : TRIGGERS[trigger]}`)}`,
    ...shown,
    ...evidence.map(
      ({ quote, nearest }) =>
        `${INDENT}${dim(`${nearest ? 'Not an exact quote; the closest words are: ' : ''}“${oneLine(quote)}”`)}`,
    ),
    ...notes.map(note => `${INDENT}${note}`),
  ].join('\n')
}

/**
 * The source of a finding in another program, such as “from Claude Code, folder /home/ada/shop, 2026-11-28”.
 */
const sourceText = (from: LearnedFrom): string => `from ${oneLine(tellSource(from))}, ${dayOf(from.at)}`

const STATES: Record<Proposal['state'], string> = {
  open: 'waiting',
  kept: 'kept',
  rejected: 'rejected',
  undone: 'undone',
  dropped: 'dropped',
}

/** Learned items, one line each. */
export const showItems = (items: readonly ActivityItem[]): string => items.map(showItem).join('\n')

function showItem(item: ActivityItem): string {
  const [id, what, text] = wordsOf(item)
  return `  ${momentOf(item.at)}  ${shortId(id)}  ${what.padEnd(8)}  ${oneLine(text)}`
}

function wordsOf(item: ActivityItem): readonly [id: string, what: string, text: string] {
  switch (item.type) {
    case 'proposal':
      return [item.proposal.id, STATES[item.proposal.state], item.proposal.headline]
    case 'change':
      return [item.change.id, isUndone(item.change) ? 'undone' : 'saved', item.change.headline]
    case 'review':
      return [item.review.id, 'reviewed', showOutcome(item.review)]
  }
}

/** Whether a change was undone completely. */
export const isUndone = ({ memory, skills }: LearnedChange): boolean =>
  [...memory, ...skills].every(each => each.undoneBy !== null)

/** The result of a review. */
export const showOutcome = ({ title, outcome, state }: Review): string =>
  `${title === '' ? '' : `${oneLine(title)}: `}${oneLine(outcome) || state}`

/** The rules, with how often each has blocked something. */
export const showRules = (rules: readonly LearningRule[]): string =>
  rules.map(showRule).join('\n') || 'There are no rules.'

const showRule = ({ id, text, hits }: LearningRule): string =>
  `${shortId(id)}  ${oneLine(text)}${hits === 0 ? '' : dim(`  (blocked ${hits})`)}`

/** The settings, with the names used on the command line. */
export const showSettings = (settings: LearningSettings): string =>
  Object.entries(settings)
    .map(
      ([name, value]) =>
        `${commandName(name).padEnd(16)}${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`,
    )
    .join('\n')

/** Convert `memoryNudge` to `memory-nudge`. */
export const commandName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
