import { unframeText } from '../../untrusted/strangers-text.ts'
import { many } from '../../../shared/text/amounts.ts'
import { readCut } from './cut-texts.ts'
import { listPoints, textIn, writeBlock, writeCode, writeWords } from './plain-markdown.ts'
import { forPerson, tellFailed } from './tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Say what a sub-agent answered, and what is known about its work. */
export function tellDelegation(_input: Input, { ok, text: given }: Result): string {
  const text = unframeText(given)
  const background = /^The sub-agent ([^\n]*?) works in the background/.exec(text)?.[1]
  if (background !== undefined)
    return `The sub-agent ${writeWords(background)} works in the background. I tell you what came of it once it has ended.`
  const [, head = '', summary = '', known = ''] =
    /^(The sub-agent [^\n]*)\. It says:\n([^]*)\n\nWhat Talaria knows of it, whatever it says:\n([^]*)$/.exec(
      text,
    ) ?? []
  if (head === '') return ok ? writeBlock(text).block : tellFailed('give that to a sub-agent', text)
  const facts = known
    .split('\n')
    .flatMap(
      line =>
        /^- (files changed with its tools|commands|not allowed|calls that failed): (?!none$)([^]*)$/.exec(
          line,
        ) ?? [],
    )
  const points = []
  for (let at = 0; at < facts.length; at += 3)
    points.push(`${FACTS[facts[at + 1] ?? ''] ?? ''}: ${writeWords(facts[at + 2] ?? '')}`)
  const below = points.length === 0 ? '' : `\n\n${listPoints(points, 6)}`
  if (summary === '(It gave no answer.)') return `${writeWords(head)}. It gave no answer.${below}`
  return `${writeWords(head)}. It says:\n\n${writeBlock(summary).block}${below}`
}

const FACTS: Readonly<Record<string, string>> = {
  'files changed with its tools': 'Files it changed',
  commands: 'Commands it ran',
  'not allowed': 'Not allowed',
  'calls that failed': 'Steps that failed',
}

/** Say what other models answered, and which of them did not. */
export function tellModels(_input: Input, { ok, text: given }: Result): string {
  const text = unframeText(given)
  if (!ok) return tellFailed('ask other models', text)
  const [head = '', ...rest] = text.split('\n')
  const said = writeBlock(rest.join('\n').trim()).block
  return `${writeWords(head.replace(/ They may be wrong: [^.]*\.$/, ''))}\n\n${said}`
}

/** Say which tools of connected servers were found. */
export function tellFoundTools(_input: Input, { ok, text: given }: Result): string {
  if (!ok) return tellFailed('look for a tool', given)
  const text = unframeText(given)
  const count = /^Found (\d+) tools?\./.exec(text)?.[1]
  const failed = [...text.matchAll(/^The server ([\w-]+) could not be asked\./gm)].map(
    ([, name = '']) => name,
  )
  const troubles =
    failed.length === 0 ? '' : ` Could not be asked: ${failed.map(each => writeCode(each)).join(', ')}.`
  if (count === undefined) return `${writeWords(forPerson(text.split('\n')[0] ?? ''))}${troubles}`
  const names = [...text.matchAll(/^(mcp__[\w-]+): ([^\n]*)$/gm)]
  const points = names.map(([, name = '', says = '']) => `${writeCode(name)}: ${writeWords(says, 200)}`)
  return `I found ${many(Number(count), 'tool')} of connected servers:\n\n${listPoints(points, 20)}${troubles === '' ? '' : `\n\n${troubles.trim()}`}`
}

/** Matches Talaria's note on the files that a server changed. */
const NOTE = /^\[The server [\w-]+: ([^\n]*)\]$/

/** Say what a tool of a connected server answered. `name` is the tool, if the call does not name it. */
export function tellServerCall(input: Input, { ok, text }: Result, name?: string): string {
  const called = writeCode(name ?? textIn(input, 'name'))
  // The server's text ends with its frame; the lines after it are ours.
  const lines = text.split('\n')
  const end = lines.findLastIndex(line => !NOTE.test(line)) + 1
  const notes = lines.slice(end).map(line => writeWords(forPerson(NOTE.exec(line)?.[1] ?? '')))
  const framed = readCut(lines.slice(0, end).join('\n')).text
  const said = unframeText(framed).trim()
  const isFramed = said !== framed.trim()
  const below = notes.length === 0 ? '' : `\n\n${notes.join(' ')}`
  if (!ok && /^There is no tool \S+\. /.test(said)) return `The connected servers have no tool ${called}.`
  if (!ok && !isFramed) return `${tellFailed(`use ${called}`, said)}${below}`
  if (!ok) return `${called} failed. The server says:\n\n${writeBlock(said).block}${below}`
  if (said === '') return `${called} ran and gave back nothing.${below}`
  return `${called} gave back:\n\n${writeBlock(said).block}${below}`
}
