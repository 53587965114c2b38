import { existsSync } from 'node:fs'
import { nameAgent } from '../../../shared/words/agent-names.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import {
  type EarlierSession,
  type EarlierSessions,
  ReadProgram,
} from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { absolutePath } from '../command-line.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { dayOf, escapeInvisible, many, printAside, printLine } from '../output/terminal-text.ts'

/** Which earlier sessions to show, and whether to learn from them without a question. */
export type EarlierOptions = { days?: string; sessions?: string; yes?: true; json?: true }

/** Sessions that the user has seen and agreed to learn from. */
type AgreedSessions = { program: ReadProgram; ids: string[] }

const UNANSWERABLE =
  'Nothing was learned: there is no terminal to confirm it. Add --yes to learn from these sessions without a question.'

/** The program that `from` names; undefined if there is a file of this name, which takes precedence. */
export function programNamed(from: string): ReadProgram | undefined {
  const program = ReadProgram.safeParse(from)
  if (!program.success) return undefined
  if (!existsSync(absolutePath(from))) return program.data
  printAside(
    `This folder has a file ${from}, so Talaria reads that file. To read the sessions of ${nameAgent(from)}, go to another folder.`,
  )
  return undefined
}

/** Show the earlier sessions of a program and ask; undefined if there are none, or the user declines. */
export async function agreeToEarlier(
  client: HostClient,
  program: ReadProgram,
  { days, sessions, yes, json }: EarlierOptions,
  signal: AbortSignal,
): Promise<AgreedSessions | undefined> {
  const wanted = {
    program,
    ...(days !== undefined && { days: countOf('--days', days, 3_650) }),
    ...(sessions !== undefined && { limit: countOf('--sessions', sessions, 500) }),
  }
  const found = await client['learning.earlier'](wanted, { signal })
  if (json) printLine(jsonLine({ type: 'preview', ...found }))
  else printLine(showEarlier(program, found))
  const ids = found.sessions.map(({ id }) => id)
  if (ids.length === 0) return undefined
  if (!yes && !(await confirmOnTerminal('Learn from these sessions?', UNANSWERABLE))) return undefined
  return { program, ids }
}

/** Parse the whole number of an option, from 1 to `most`. */
function countOf(option: string, given: string, most: number): number {
  const count = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (count < 1 || count > most)
    throw new Fault('bad_input', `${option} is a whole number from 1 to ${most.toLocaleString('en')}.`)
  return count
}

function showEarlier(program: ReadProgram, found: EarlierSessions): string {
  const { place, sessions, known, left, leftCount, more, budget } = found
  const name = nameAgent(program)
  const seen = known === 0 ? '' : ` Already known: ${many(known, 'session')}.`
  if (sessions.length === 0)
    return [
      `Nothing new to learn from ${name} in ${escapeInvisible(place)}.${seen}`,
      ...showLeft(left, leftCount),
    ].join('\n')
  const moreText = more ? ' There are older sessions: use --sessions or --days.' : ''
  return [
    `${many(sessions.length, 'session')} of ${name} in ${escapeInvisible(place)}.${seen}${moreText}`,
    ...sessions.map(showSession),
    ...showLeft(left, leftCount),
    `No model has read these sessions yet. At most ${many(budget.aDay, 'review')} a day read such sessions, and ${budget.left} are left for today. The newest come first; the others wait.`,
    'Every finding becomes a proposal.',
  ].join('\n')
}

function showSession({ folder, at, questions, begins, hasGoneOn }: EarlierSession): string {
  const since = hasGoneOn ? ' since it was read' : ''
  const where = folder === '' ? 'folder unknown' : escapeInvisible(folder)
  return `  ${dayOf(at)}  ${where}, ${many(questions, 'question')}${since}: “${escapeInvisible(begins)}”`
}

const showLeft = (left: EarlierSessions['left'], count: number): string[] => [
  ...left.map(({ name, why }) => `  ${escapeInvisible(name)} is left out: ${escapeInvisible(why)}.`),
  ...(count > left.length ? [`  ${count - left.length} more files are left out.`] : []),
]
