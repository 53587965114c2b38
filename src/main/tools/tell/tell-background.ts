import { listPoints, textIn, writeBlock, writeCode, writeWords } from './plain-markdown.ts'
import { forPerson, tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Matches the first line about a background process: `bg1 is running: npm start`. */
const STATE = /^(\S{1,40}) (is running|is ending|was stopped|ended with exit code \S+): ([^\n]*)$/
const STATES: Readonly<Record<string, string>> = {
  'is running': 'runs in the background',
  'is ending': 'is ending',
  'was stopped': 'was stopped',
}

/** Say what happened to a background process, or which ones exist. `action` is start, list, read or stop. */
export function tellBackground(action: string, input: Input, { ok, text }: Result): string {
  const lines = text.split('\n')
  if (action === 'list')
    return ok ? tellProcesses(lines) : tellFailed('list what runs in the background', text)
  const [first = '', ...rest] = lines
  const state = STATE.exec(first)
  const doing =
    action === 'start' ? 'start it in the background' : `${action} ${writeCode(textIn(input, 'id'))}`
  if (!state) {
    const gone = /^This chat has no background process ([^]*?)\./.exec(text)?.[1]
    if (gone !== undefined) return `Nothing called ${writeCode(gone)} runs in the background of this chat.`
    if (text === 'stopped by the user') return 'You stopped it, so it was not started.'
    if (text === `${action} needs a command.`) return 'There was no command to run.'
    if (text.endsWith(' needs the id of a background process.'))
      return `It was not clear which background process to ${action}.`
    return tellUnstarted('It', text) ?? tellFailed(doing, text)
  }
  const from = rest.findLastIndex(line => FACT.test(line)) + 1
  const isRunning = state[2] === 'is running'
  const facts = rest
    .slice(0, isRunning ? from : 0)
    .map(line => line.replace(/ Its id is \S+$/, ''))
    .flatMap(line =>
      FOR_COMMANDS.test(line) ? [] : [line.startsWith('Address') ? addressIn(line) : writeWords(line)],
    )
  const body = rest.slice(from)
  const notes = body.filter(line => NOTE.test(line)).map(line => writeWords(forPerson(line.slice(1, -1))))
  const printed = body
    .filter(line => !NOTE.test(line))
    .join('\n')
    .trim()
  const said = [stateOf(state), ...facts, ...notes].join(' ')
  if (printed === '(no new output)' || printed === '')
    return `${said} It has printed nothing${action === 'start' ? (isRunning ? ' yet' : '') : ' new'}.`
  return `${said} It printed:\n\n${writeBlock(printed, { ends: true }).block}`
}

/** Lines in the result of a start that are not output. */
const FACT =
  /^(?:It ends with this chat|Address on this computer: |It has a network of its own|It runs without network)/
const FOR_COMMANDS = /^It has a network of its own/
const NOTE = /^\[It (?:made|changed|removed) [^\n]*\]$/

const addressIn = (line: string): string => {
  const address = line.slice(line.indexOf(': ') + 2)
  return `Its address on this computer is ${/^http:\/\/[\w.:/-]+$/.test(address) ? address : writeCode(address)}.`
}

function stateOf([, id = '', state = '', command = '']: RegExpExecArray): string {
  return `${writeCode(command, 120)} ${STATES[state] ?? state} (${writeCode(id)}).`
}

function tellProcesses(lines: readonly string[]): string {
  if (lines[0] === 'There are no background processes.') return 'Nothing runs in the background.'
  const points = lines.map(line => {
    const [, where = ''] = / \((in another chat)\)/.exec(line) ?? []
    const state = STATE.exec(line.replace(/ \((?:in another chat|it changed files[^()]*)\)/g, ''))
    return state ? `${stateOf(state).slice(0, -1)}${where === '' ? '' : ` (${where})`}` : writeWords(line)
  })
  return `In the background:\n\n${listPoints(points, 16)}`
}

/** A sentence for a command that did not start, if that was the reason; else undefined. */
export function tellUnstarted(it: string, reason: string): string | undefined {
  const [, how = '', why = ''] =
    /^The command (could not be confined|did not start): ([^]*)$/.exec(reason) ?? []
  if (how === '' && !reason.startsWith('Nothing confines commands')) return undefined
  return how === 'did not start'
    ? `${it} did not start: ${writeWords(why)}`
    : `${it} did not run, because it could not be kept from other files. ${writeWords(forPerson(why))}`.trim()
}
