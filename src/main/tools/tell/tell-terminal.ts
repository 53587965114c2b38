import { readCut } from './cut-texts.ts'
import { textIn, writeBlock, writeCode, writeWords } from './plain-markdown.ts'
import { tellBackground, tellUnstarted } from './tell-background.ts'
import { forPerson, tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Maximum length of a command that is quoted. */
const LONGEST_COMMAND = 80

/** Matches the first line, which says how a command ended, and rewords it for the user. */
const ENDINGS: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/^exit code 0$/, () => 'ran and'],
  [/^exit code (-?\d+|null)$/, ([, code]) => `failed with exit code ${code} and`],
  [
    /^stopped after ([\d.]+) s$/,
    ([, seconds]) => `was still at work after ${seconds} s, so it was ended. Until then it`,
  ],
  [/^stopped by the user$/, () => 'was stopped by you. Until then it'],
  [/^ended, because ([^]*)$/, ([, why]) => `was ended, because ${writeWords(why ?? '')}. Until then it`],
]

/** Notes after an output that the user sees too; those for models only are left out. */
const NOTES =
  /^\[(?:It (?:may not have written|ran confined|ran without network|was killed|left|lies|made|changed|removed|stays|drew)|And \d+ more changes|The user |Nobody allowed|Lines that were drawn|For more time|This does not last|[^\n\]]* stays aside)[^\n]*\]$/
const ONLY_FOR_MODELS = /^(?:Lines that were drawn|For more time|This does not last)/

/** Say what a command printed and how it ended, or what happened to a background process. */
export function tellCommand(input: Input, result: Result): string {
  const action = textIn(input, 'action')
  if (['start', 'list', 'read', 'stop'].includes(action)) return tellBackground(action, input, result)
  const command = textIn(input, 'command').trim()
  const isShort = command !== '' && command.length <= LONGEST_COMMAND && !command.includes('\n')
  const it = isShort ? writeCode(command, LONGEST_COMMAND) : 'The command'
  const { text, keptIn } = readCut(result.text)
  const [first = '', ...rest] = text.split('\n')
  const ending = ENDINGS.map(([pattern, say]) => ({ found: pattern.exec(first), say })).find(
    ({ found }) => found,
  )
  if (!ending?.found) return result.ok ? writeBlock(text).block : tellUnrun(it, result.text)
  return [`${it} ${ending.say(ending.found)}`, ...saidWith(rest, keptIn)].join('')
}

/** The output as the rest of a sentence and a block, with the notes below it. */
function saidWith(lines: readonly string[], keptIn?: string): string[] {
  const isNote = (line: string) => NOTES.test(line)
  const end = lines.findLastIndex(line => !isNote(line)) + 1
  const printed = lines.slice(0, end).join('\n').trimEnd()
  const notes = lines
    .slice(end)
    .map(line => line.slice(1, -1))
    .filter(note => !ONLY_FOR_MODELS.test(note))
    .map(note => writeWords(forPerson(note)))
  const isEmpty = printed === '' || printed === '(no output)'
  const { block, isCut } = writeBlock(printed, { ends: true })
  const below = [
    ...(keptIn === undefined ? [] : [`All of it is kept in ${writeCode(keptIn, 400)}.`]),
    ...(isCut && keptIn === undefined ? ['It is too long to show all of it.'] : []),
    ...(printed.includes('[redacted]') ? ['`[redacted]` stands for a key or a password.'] : []),
    ...notes,
  ]
  return [
    isEmpty ? ' printed nothing.' : ` printed:\n\n${block}`,
    ...(below.length > 0 ? [isEmpty ? ` ${below.join(' ')}` : `\n\n${below.join(' ')}`] : []),
  ]
}

function tellUnrun(it: string, reason: string): string {
  if (reason === 'The command is empty.') return 'There was no command to run.'
  const folder = /^There is no folder ([^]*) to run it in\.$/.exec(reason)?.[1]
  if (folder !== undefined) return `There is no folder ${writeCode(folder)} to run it in.`
  return tellUnstarted(it, reason) ?? tellFailed(`run ${it === 'The command' ? 'the command' : it}`, reason)
}
