import { createToolCallReader, type ReaderEvent } from '../src/main/models/formats/reader/call-reader.ts'
import { formOf, fullTools } from './chat-tools.ts'
import { median, round } from './measure.ts'
import type { Measured } from './run-parts.ts'

const size = 1_000_000
/** The number of characters that a model writes at once. */
const tokenLength = 4
const tools = fullTools()

const call = (name: string, args: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

/** Three paragraphs as models write them, with a list, inline code and a block of code, and then a call. */
const chapter = `The tests pass now, but the build still warns about **two** unused imports in \`src/main.ts\`:

- \`readFile\` from "node:fs/promises", which nothing calls (see [the log](build.log));
- \`Options\`, a type that was moved last week {it is in \`types.ts\` now}.

Shall I remove them? I’d rather keep the change small: one file, three lines.

\`\`\`ts
const names = (await readdir(folder)).filter(name => name.endsWith('.md') && !seen[name])
return { "name": names[0], "rest": names.slice(1) }
\`\`\`

${'Nothing else has changed since then, and nothing else needs to. '.repeat(12)}First I look at the file again.

`
const prose = fill(chapter + call('read_file', { path: 'src/main.ts', offset: 1 }) + '\n\n')
const line = '  if (names["a"] < 3 && path !== \'C:\\\\temp\') { text = `<b>${name}</b>` }\n'
const file = call('write_file', { path: 'src/long.ts', content: fill(line) })

/**
 * Texts that would take forever if reading a part again had no limit: nested openers, open strings, half
 * markers.
 */
const hostile = {
  openers: '<tool_call>',
  openers_with_bodies: '<tool_call>{"name":"terminal","arguments":{"command":"',
  open_strings: '<tool_call>{"a":“</tool_call><tool_call>{"a":‘</tool_call>',
  half_markers: '<tool_cal<|tool_call_begi[TOOL_CAL<functio',
  unmarked_calls: '{"name":"terminal","arguments":{"command":“\n',
  braces: '[{',
  fences: '```json\n{"name":"terminal","arguments":{"x":“',
  thoughts: '<think><tool_call>{"a":“</think>',
  python: '[terminal(command=“',
  tags: '<function=terminal><parameter=command></parameter> ',
  code_spans: '``<tool_call>` ',
  gemma: '<|tool_call>call:terminal{a:<|"|>',
}

/**
 * The speed of the reader of tool calls in megabytes a second, with the tools of a chat with a larger model:
 * on text that comes a few characters at a time, as a model writes, and on text that comes all at once. Of
 * the hostile texts, one megabyte each, the slowest counts, in seconds.
 */
export async function benchParser(): Promise<Measured> {
  const hostileTexts = Object.entries(hostile).map(([name, unit]) => ({ name, text: fill(unit) }))
  const figures: Measured = { parser_tools: formOf('full', tools) }
  for (const [manner, chunk] of [
    ['streamed', tokenLength],
    ['whole', Infinity],
  ] as const) {
    figures[`parser_prose_${manner}_mb_per_s`] = round(speedOf(prose, chunk, expectedCalls(prose)))
    figures[`parser_file_${manner}_mb_per_s`] = round(speedOf(file, chunk, 1))
    const seconds = hostileTexts.map(({ text }) => secondsOf(text, chunk).seconds)
    figures[`parser_hostile_megabyte_${manner}_s`] = round(Math.max(...seconds))
  }
  return figures
}

/**
 * The median speed of five readings, after one to warm up. A reading that finds a wrong number of calls does
 * not count.
 */
function speedOf(text: string, chunk: number, calls: number): number {
  const samples: number[] = []
  for (let n = 0; n <= 5; n++) {
    const { seconds, events } = secondsOf(text, chunk)
    const found = events.filter(event => event.type === 'call').length
    if (found !== calls) throw new Error(`The reader found ${found} calls instead of ${calls}.`)
    if (n > 0) samples.push(text.length / 1e6 / seconds)
  }
  return median(samples)
}

function secondsOf(text: string, chunk: number): { seconds: number; events: ReaderEvent[] } {
  const pieces = chunk === Infinity ? [text] : (text.match(new RegExp(`[^]{1,${chunk}}`, 'g')) ?? [])
  const reader = createToolCallReader({ tools })
  const events: ReaderEvent[] = []
  const startedAt = performance.now()
  for (const piece of pieces) for (const event of reader.push(piece)) events.push(event)
  for (const event of reader.end()) events.push(event)
  return { seconds: (performance.now() - startedAt) / 1_000, events }
}

const expectedCalls = (text: string): number => text.split('</tool_call>').length - 1

/** A piece, repeated whole until there is a megabyte. */
function fill(piece: string): string {
  return piece.repeat(Math.ceil(size / piece.length))
}
