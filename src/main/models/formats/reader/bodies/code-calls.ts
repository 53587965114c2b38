import { GREATER, LEFT_BRACE, LEFT_BRACKET } from '../characters.ts'
import { type Context, rewind } from '../context.ts'
import { END, type Reading, sees, skipSpace } from '../input.ts'
import { type Found, judge } from '../judge.ts'
import { beginsMarker, readMarker } from '../markers.ts'
import type { Tool } from '../tools.ts'
import { Trouble } from '../trouble.ts'
import { readName } from './words.ts'

/** Names under which models know a tool that runs code; they write the code itself where others have arguments. */
const CODE_TOOLS = ['python', 'code_interpreter', 'ipython', 'execute_code']

/** Read code as the call of the tool that runs it, if there is one and no other call comes next. */
export function* readCode(context: Context, from: number, found: Found): Reading<boolean> {
  const { input, tools } = context
  const tool = tools.find(CODE_TOOLS.find(name => tools.find(name)) ?? '')
  if (!tool) return false
  const start = input.at
  yield* skipSpace(input)
  const isData = input.code() === LEFT_BRACE || input.code() === LEFT_BRACKET
  const isCall = isData || tools.find(yield* readName(input)) !== undefined
  rewind(context, start)
  if (!isCall) yield* readCodeOf(context, tool, from, found)
  return !isCall
}

/** Read code up to the next mark as the first parameter of `tool`. */
export function* readCodeOf(context: Context, tool: Tool, from: number, found: Found): Reading<void> {
  const { input } = context
  const start = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || (code === GREATER && (yield* sees(input, '>>>')))) break
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker?.role === 'stop' || marker?.role === 'header' || marker?.role === 'close') break
    input.at++
  }
  const parameter = tool.required[0] ?? Object.keys(tool.properties)[0] ?? 'code'
  const given = { [parameter]: input.slice(start).trim() }
  const isCut = context.truncated && input.code() === END
  found(
    judge({ name: tool.name, arguments: isCut ? new Trouble('', 'cut') : given }, context, input.slice(from)),
  )
}

/** Whether this is a tool that is called with code instead of arguments. */
export function runsCode(tool: Tool): boolean {
  return CODE_TOOLS.includes(tool.name)
}
