import type { HostClient } from '../../../shared/contract/index.ts'
import { LearningSettings, type Proposal } from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import {
  everyItem,
  commandName,
  showItems,
  showProposal,
  showRules,
  showSettings,
  showWaiting,
} from './learned-items.ts'
import { findById, shortId } from '../find-item.ts'
import { oneLine, printAside, escapeInvisible, many, printLine } from '../output/terminal-text.ts'
import { TWICE, withClient } from '../open-client.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type CommonOptions = { home?: string; json?: true }
export type ListOptions = CommonOptions & {
  all?: true
  filter: 'all' | 'memory' | 'skills' | 'undone' | 'quiet'
}

/** How many items to show without `--all`. */
const SHOWN = 20

/** Print the open proposals, then what was learned. */
export async function learningList({ home, json, all, filter }: ListOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const first = await client['learning.activity']({ filter, limit: SHOWN })
      const items = all ? await Array.fromAsync(everyItem(client, filter)) : first.items
      const more = !all && first.more
      if (json) return printLine(jsonLine({ ...first, items, more }))
      const { waiting, reviews, held } = first
      if (waiting.length > 0) printLine(`${showWaiting(waiting)}${items.length > 0 ? '\n' : ''}`)
      if (items.length > 0) printLine(`Learned\n${showItems(items)}`)
      if (waiting.length + items.length === 0) printLine('Nothing learned yet.')
      if (more) printAside('There are more. Use --all.')
      if (reviews.length > 0) printAside(`${many(reviews.length, 'review')} queued. ${held ?? ''}`.trim())
    },
    TWICE,
  )
}

/** Print one proposal in full. */
export async function learningShow(id: string, { home, json }: CommonOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { waiting } = await client['learning.activity']({ limit: 1 })
      const isMeant = (each: Proposal) => each.id === id || each.id.endsWith(id)
      const decided = waiting.some(isMeant) ? [] : await Array.fromAsync(everyItem(client, 'all'))
      const known = [
        ...waiting,
        ...decided.flatMap(item => (item.type === 'proposal' ? [item.proposal] : [])),
      ]
      const proposal = findById(known, id, 'proposal')
      printLine(json ? jsonLine({ proposal }) : showProposal(proposal))
    },
    TWICE,
  )
}

/** Accept proposals one by one; `text` rewords a single one. Resolves to whether all were accepted. */
export async function learningApprove(
  given: string[],
  { home, json, text, anyway }: CommonOptions & { text?: string; anyway?: true },
): Promise<boolean> {
  if (text !== undefined && given.length !== 1)
    throw new Fault('bad_input', '--text rewords a single proposal. Name only that one.')
  if (text?.trim() === '') throw new Fault('bad_input', 'The text is empty.')
  return withClient(home, async client => {
    const proposals = await waitingNamed(client, given)
    const failed: { id: string; reason: string }[] = []
    const kept: Proposal[] = []
    const revisions = { memoryRevisions: [] as number[], skillRevisions: [] as number[] }
    for (const proposal of proposals) {
      const { id } = proposal
      try {
        const { seen } = anyway ? (await client['learning.compareAgain']({ id })).proposal : proposal
        const decided = await client['learning.keep']({
          ids: [id],
          seen: { [id]: seen },
          ...(text !== undefined && { text: text.trim() }),
        })
        revisions.memoryRevisions.push(...decided.memoryRevisions)
        revisions.skillRevisions.push(...decided.skillRevisions)
        kept.push(proposal)
      } catch (error) {
        // One failure must not prevent the others.
        if (!(error instanceof Fault) || !['conflict', 'bad_input', 'not_found'].includes(error.code))
          throw error
        failed.push({ id, reason: error.message })
      }
    }
    if (json) printLine(jsonLine({ kept: kept.map(({ id }) => id), failed, ...revisions }))
    else {
      for (const { id, headline } of kept)
        printLine(`Kept: ${shortId(id)}  ${oneLine(text?.trim() ?? headline)}`)
      for (const { id, reason } of failed)
        printAside(`${shortId(id)} was not kept: ${escapeInvisible(reason)}`)
      if (kept.length > 0)
        printAside(`Undo: talaria learning undo ${kept.map(({ id }) => shortId(id)).join(' ')}`)
    }
    return failed.length === 0
  })
}

/** Reject proposals; with `notAgain`, each becomes a rule. */
export async function learningReject(
  given: string[],
  { home, json, notAgain = false }: CommonOptions & { notAgain?: boolean },
): Promise<void> {
  await withClient(home, async client => {
    const proposals = await waitingNamed(client, given)
    const ids = proposals.map(({ id }) => id)
    const { rules } = await client['learning.reject']({ ids, notAgain })
    if (json) return printLine(jsonLine({ rejected: ids, rules }))
    for (const { id, headline } of proposals) printLine(`Rejected: ${shortId(id)}  ${oneLine(headline)}`)
    for (const { id, text } of rules) {
      printLine(`Rule: ${shortId(id)}  ${oneLine(text)}`)
      printAside(`Remove it: talaria learning rules remove ${shortId(id)}`)
    }
  })
}

async function waitingNamed(client: HostClient, given: readonly string[]): Promise<Proposal[]> {
  const { waiting } = await client['learning.activity']({ limit: 1 })
  return [...new Set(given.map(each => findById(waiting, each, 'open proposal with the id')))]
}

/** Print the rules about what not to learn. */
export async function rulesList({ home, json }: CommonOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { rules } = await client['learning.rules']({})
      printLine(json ? jsonLine({ rules }) : showRules(rules))
    },
    TWICE,
  )
}

/** Add a rule. */
export async function rulesAdd(words: string[], { home, json }: CommonOptions): Promise<void> {
  const text = words.join(' ').trim()
  if (text.length < 3 || text.length > 500) throw new Fault('bad_input', 'A rule has 3 to 500 characters.')
  await withClient(home, async client => {
    const { rule } = await client['learning.addRule']({ text })
    printLine(json ? jsonLine({ rule }) : `Rule: ${shortId(rule.id)}  ${oneLine(rule.text)}`)
  })
}

/** Remove rules. */
export async function rulesRemove(given: string[], { home, json }: CommonOptions): Promise<void> {
  await withClient(home, async client => {
    const { rules } = await client['learning.rules']({})
    const removed = [...new Set(given.map(each => findById(rules, each, 'rule')))]
    for (const { id } of removed) await client['learning.removeRule']({ id })
    if (json) return printLine(jsonLine({ removed: removed.map(({ id }) => id) }))
    for (const { id, text } of removed) printLine(`Removed: ${shortId(id)}  ${oneLine(text)}`)
  })
}

/** Print the learning settings, or change one. */
export async function learningSettings(
  name: string | undefined,
  value: string | undefined,
  { home, json }: CommonOptions,
): Promise<void> {
  const change = name === undefined ? {} : settingOf(name, value)
  await withClient(
    home,
    async client => {
      const settings = await client['learning.settings'](change)
      printLine(json ? jsonLine(settings) : showSettings(settings))
    },
    TWICE,
  )
}

type SettingChange = Parameters<HostClient['learning.settings']>[0]

const SWITCHES: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  off: false,
  false: false,
  no: false,
}

function settingOf(name: string, value: string | undefined): SettingChange {
  const names = Object.keys(LearningSettings.shape) as (keyof LearningSettings)[]
  const wanted = name.replaceAll(/[-_]/g, '').toLowerCase()
  const known = names.find(each => each.toLowerCase() === wanted)
  if (!known) {
    const all = names.map(commandName).join(', ')
    throw new Fault('bad_input', `Unknown setting ${escapeInvisible(name)}. The settings are ${all}.`)
  }
  if (value === undefined) throw new Fault('bad_input', `Enter a value for ${commandName(known)}.`)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  // `off` is both a mode and a switch value, so try each reading.
  for (const meant of [value, SWITCHES[value.toLowerCase()], number]) {
    const read = LearningSettings.partial().safeParse({ [known]: meant })
    if (meant !== undefined && read.success) return { [known]: meant }
  }
  throw new Fault(
    'bad_input',
    `${commandName(known)} cannot be ${escapeInvisible(value)}: ${EXPECTED[known]}.`,
  )
}

const EXPECTED: Record<keyof LearningSettings, string> = {
  mode: 'it is ask, save or off',
  memoryNudge: 'it is a whole number from 0 to 1000',
  skillNudge: 'it is a whole number from 0 to 1000',
  idleSeconds: 'it is a whole number from 0 to 3600',
  onlyOnMains: 'it is on or off',
  budgetTokens: 'it is a whole number from 500 to 1000000',
  trajectories: 'it is on or off',
}
