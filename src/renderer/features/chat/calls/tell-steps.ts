import { byCount } from '../../../../shared/text/amounts.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import type { Card } from './tool-calls.ts'

/** The steps of a turn in one line: what was done, and what failed. Either may be empty. */
export type ToldSteps = { done: string; trouble: string }

/** Summarise finished calls: “Read 3 files · Ran 2 commands” and “1 failed”. */
export function tellSteps(cards: readonly Card[]): ToldSteps {
  const of = (phase: Card['phase']) => cards.filter(card => card.phase === phase)
  const kinds = Map.groupBy(of('done'), kindOf)
  const said = [...kinds].map(([kind, alike]) => (PHRASES.get(kind) ?? usedTools)(countOf(alike)))
  const bad = [
    [of('failed').length, 'failed'],
    [of('denied').length, 'denied'],
    [of('stopped').length, 'stopped'],
  ] as const
  return {
    done: said.length === 0 ? `${formatCount(cards.length)} steps` : said.join(' · '),
    trouble: bad
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${formatCount(count)} ${word}`)
      .join(' · '),
  }
}

/** The kind under which a call is counted. */
function kindOf({ call: { name, arguments: given } }: Card): string {
  if (name === 'use_tool' || name.startsWith('mcp__')) return 'server'
  const { action } = given
  const detailed = `${name} ${typeof action === 'string' ? action : ''}`
  return PHRASES.has(detailed) ? detailed : name
}

/** The argument that identifies what a call is about, so that a file read twice counts once. */
const ABOUT = new Map<string, string>(
  Object.entries({
    read_file: 'path',
    write_file: 'path',
    patch_file: 'path',
    list_files: 'path',
    web_read: 'address',
    skill_view: 'name',
  }),
)

function countOf(alike: readonly Card[]): number {
  const about = ABOUT.get(alike[0]?.call.name ?? '')
  if (about === undefined) return alike.length
  return new Set(alike.map(({ call }) => JSON.stringify(call.arguments[about] ?? ''))).size
}

type Phrase = (count: number) => string
const phrase =
  (one: string, several: (count: string) => string): Phrase =>
  count =>
    byCount(count, one, several(formatCount(count)))

const usedTools = phrase('Used a tool', count => `Used tools ${count} times`)

const PHRASES = new Map<string, Phrase>(
  Object.entries({
    read_file: phrase('Read a file', count => `Read ${count} files`),
    write_file: phrase('Wrote a file', count => `Wrote ${count} files`),
    patch_file: phrase('Changed a file', count => `Changed ${count} files`),
    list_files: phrase('Listed a folder', count => `Listed ${count} folders`),
    search_files: phrase('Searched the files', count => `Searched the files ${count} times`),
    terminal: phrase('Ran a command', count => `Ran ${count} commands`),
    'terminal start': phrase('Started a process', count => `Started ${count} processes`),
    'terminal list': () => 'Looked at the processes',
    'terminal read': phrase('Read the output of a process', count => `Read process output ${count} times`),
    'terminal stop': phrase('Stopped a process', count => `Stopped ${count} processes`),
    web_search: phrase('Searched the web', count => `Searched the web ${count} times`),
    web_read: phrase('Read a page', count => `Read ${count} pages`),
    memory: phrase('Changed the memory', count => `Changed the memory ${count} times`),
    session_search: phrase('Searched earlier chats', count => `Searched earlier chats ${count} times`),
    skills_list: () => 'Listed the skills',
    skill_view: phrase('Read a skill', count => `Read ${count} skills`),
    skill_manage: phrase('Changed a skill', count => `Changed skills ${count} times`),
    todo: () => 'Updated the plan',
    ask_user: phrase('Asked you a question', count => `Asked you ${count} questions`),
    schedule: phrase('Changed a schedule', count => `Changed schedules ${count} times`),
    'schedule list': () => 'Listed the schedules',
    read_attachment: phrase('Read an attached file', count => `Read attached files ${count} times`),
    describe_picture: phrase('Described a picture', count => `Described ${count} pictures`),
    find_tool: phrase('Looked for a tool', count => `Looked for tools ${count} times`),
    server: phrase('Used a tool from a server', count => `Used tools from servers ${count} times`),
  }),
)
