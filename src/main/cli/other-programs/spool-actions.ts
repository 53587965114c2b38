import { Fault } from '../../../shared/rpc.ts'
import { many } from '../../../shared/text/amounts.ts'
import { resolveHome } from '../../config/home.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { appendEvent, type HappenedEvent } from '../../other-agents/inbox/append-event.ts'
import { currentFolder } from '../command-line.ts'
import { printAside } from '../output/terminal-text.ts'

type Options = { home?: string; agent: string; session?: string }

/** Maximum number of characters to read from standard input. Text that does not fit into an event is cut. */
const MOST_READ = 2_000_000

/** Report a tool call of another program. */
export async function trackTool({
  tool,
  input = '',
  output = '',
  failed,
  ...options
}: Options & { tool: string; input?: string; output?: string; failed?: true }): Promise<void> {
  if (tool === '' || tool.length > 200)
    throw new Fault('bad_input', 'The name of a tool has 1 to 200 characters.')
  if (input === '-' && output === '-')
    throw new Fault('bad_input', 'Standard input can be the input of the tool or its output, but not both.')
  const given = input === '-' ? await readInput() : input
  const text = output === '-' ? await readInput() : output
  append(options, {
    type: 'tool_result',
    name: tool,
    arguments: argumentsIn(given),
    ok: !failed,
    text,
  })
}

/** Report that a session of another program has ended. */
export const onSessionEnd = (options: Options): void => append(options, { type: 'session_end' })

function append({ home, agent, session }: Options, event: HappenedEvent): void {
  const where = { home: resolveHome(home), agent, session: session ?? sessionOfDay(), cwd: currentFolder() }
  const left = appendEvent(where, event, Date.now())
  if (left > 0) printAside(`The output was cut: ${many(left, 'character')} did not fit.`)
}

/** Parse the arguments of a tool: a JSON object, or any text. */
function argumentsIn(text: string): Record<string, unknown> {
  if (text === '') return {}
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { input: text }
}

/** The name of the session if none is given: one for each day. */
function sessionOfDay(): string {
  const now = new Date()
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** Read standard input, up to the size of an event. */
async function readInput(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece
    if (text.length > MOST_READ) break
  }
  return text
}
