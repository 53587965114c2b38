import {
  GREATER,
  LEFT_BRACE,
  LEFT_BRACKET,
  type Context,
  rewindInput,
  END,
  type Reading,
  textComesNext,
  skipSpace,
  Unreadable,
} from '../input.ts'
import { type OnCall, checkCall } from '../check-call.ts'
import { beginsMarker, readMarker } from '../markers.ts'
import type { Tool } from '../known-tools.ts'
import { readName } from './lexemes.ts'

/** Names that models use for a tool that runs code. They write the code itself in place of arguments. */
const CODE_TOOLS = ['python', 'code_interpreter', 'ipython', 'execute_code']

/** Read code as a call of the tool that runs it, if there is one and no other call comes next. */
export function* readCode(context: Context, from: number, found: OnCall): Reading<boolean> {
  const { input, tools } = context
  const tool = tools.find(CODE_TOOLS.find(name => tools.find(name)) ?? '')
  if (!tool) return false
  const start = input.at
  yield* skipSpace(input)
  const isData = input.code() === LEFT_BRACE || input.code() === LEFT_BRACKET
  const isCall = isData || tools.find(yield* readName(input)) !== undefined
  rewindInput(context, start)
  if (!isCall) yield* readCodeOf(context, tool, from, found)
  return !isCall
}

/** Read code up to the next mark as the first parameter of `tool`. */
export function* readCodeOf(context: Context, tool: Tool, from: number, found: OnCall): Reading<void> {
  const { input } = context
  const start = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || (code === GREATER && (yield* textComesNext(input, '>>>')))) break
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker?.role === 'stop' || marker?.role === 'header' || marker?.role === 'close') break
    input.at++
  }
  const parameter = tool.required[0] ?? Object.keys(tool.properties)[0] ?? 'code'
  const given = { [parameter]: input.slice(start).trim() }
  const isCut = context.truncated && input.code() === END
  found(
    checkCall(
      { name: tool.name, arguments: isCut ? new Unreadable('', 'cut') : given },
      context,
      input.slice(from),
    ),
  )
}

/** Whether this tool is called with code instead of arguments. */
export function toolRunsCode(tool: Tool): boolean {
  return CODE_TOOLS.includes(tool.name)
}
