import { byCount } from '../../../shared/text/amounts.ts'
import { isSpareTool } from '../engines/shared/find-refused-tools.ts'
import type { CompletionEvent, LlmEngine, Prompt, RefusedTools, ToolSpec } from '../interface/engine.ts'
import type { KeptRefusal, KeptRefusals } from './refused-tools-file.ts'

/** Maximum number of tools to leave out of a question one by one, as they are named. Then leave out all. */
const MOST_NAMED = 8

/** A tool that was left out of a question because of a refusal that is not saved yet. */
type LeftOut = { tool: ToolSpec; said: string; isNamed: boolean }

/**
 * Wrap an engine so that it resends a question without the tools that the server refuses, if the refusal
 * names them or may be about them. If that succeeds, the refusal is saved, so that the next question omits
 * the tools at once. The user is told once.
 */
export function leaveOutRefused<E extends LlmEngine>(
  engine: E,
  refusals: KeptRefusals,
  modelKey: () => string,
): E {
  const knownAmong = (tools: readonly ToolSpec[]) =>
    tools.length === 0 ? [] : refusals.among(modelKey(), tools)
  function remaining(tools: readonly ToolSpec[], besides: readonly LeftOut[] = []): readonly ToolSpec[] {
    const out = new Set(
      [...knownAmong(tools), ...besides.map(each => ({ tool: each.tool.name }))].map(each => each.tool),
    )
    return out.size === 0 ? tools : tools.filter(tool => !out.has(tool.name))
  }

  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const leftOut: LeftOut[] = []
    for (;;) {
      const tools = remaining(prompt.tools, leftOut)
      let refused: RefusedTools | undefined
      let hasBegun = false
      for await (const event of engine.complete({ ...prompt, tools }, signal)) {
        if (event.type === 'failed') {
          const { refusedTools, ...failed } = event
          if (!hasBegun) refused = nextTry(refusedTools, tools, leftOut)
          if (refused) break
          yield failed
          continue
        }
        if (!hasBegun && event.type !== 'progress') {
          hasBegun = true
          if (leftOut.length > 0) refusals.keep(modelKey(), leftOut)
          yield* tellOnce(prompt)
        }
        yield event
      }
      if (!refused || signal.aborted) return
      const { names, isNamed, said = '' } = refused
      leftOut.push(...tools.filter(({ name }) => names.includes(name)).map(tool => ({ tool, said, isNamed })))
    }
  }

  /** Tell the user once what is left out, but only in an answer that the user waits for. */
  function* tellOnce({ tools, purpose, priority }: Prompt): Generator<CompletionEvent> {
    const untold = knownAmong(tools).filter(each => !each.told)
    if (untold.length === 0 || purpose !== undefined || priority === 'background') return
    refusals.markTold(untold)
    const isReachable = tools.some(tool => tool.name === 'find_tool')
    for (const each of Map.groupBy(untold, ({ said }) => said).values())
      yield { type: 'notice', text: sayLeftOut(engine.name, each, isReachable) }
  }

  const { toolsAsSent } = engine
  return {
    ...engine,
    complete,
    ...(toolsAsSent && { toolsAsSent: (tools: readonly ToolSpec[]) => toolsAsSent(remaining(tools)) }),
    leavesOut: tools => {
      const isReachable = tools.some(tool => tool.name === 'find_tool')
      return knownAmong(tools).map(each => ({
        name: each.tool,
        why: `${each.tool}, because ${engine.name} ${refusing(each)}${each.said}.${isReachable ? REACHABLE : ''}`,
      }))
    },
  }
}

/** Return what to leave out next: named tools, one after the other; then, once, all that may be meant. */
function nextTry(
  refused: RefusedTools | undefined,
  sent: readonly ToolSpec[],
  leftOut: readonly LeftOut[],
): RefusedTools | undefined {
  if (!refused || leftOut.some(each => !each.isNamed)) return undefined
  if (!refused.isNamed || leftOut.length < MOST_NAMED) return refused
  return { ...refused, isNamed: false, names: sent.map(({ name }) => name).filter(isSpareTool) }
}

/** Maximum number of tool names in one sentence. The Context panel lists all. */
const MOST_SHOWN = 4

const REACHABLE = ' find_tool and use_tool still reach it.'

const refusing = ({ isNamed }: KeptRefusal) =>
  isNamed ? 'does not accept it' : 'did not accept a request with it'

/** Write the sentence for the user about tools that were refused in the same words. */
function sayLeftOut(server: string, refused: readonly KeptRefusal[], isReachable: boolean): string {
  const more = refused.length > MOST_SHOWN ? ` and ${refused.length - MOST_SHOWN} more` : ''
  const names = refused
    .slice(0, MOST_SHOWN)
    .map(each => each.tool)
    .join(', ')
    .concat(more)
  const [{ said, isNamed }] = refused as [KeptRefusal]
  const what = byCount(refused.length, `the tool ${names}`, `the tools ${names}`)
  const how = isNamed ? `does not accept ${what}` : `did not accept a request with ${what}`
  const they = byCount(refused.length, 'It is', 'They are')
  const reach = byCount(refused.length, 'still reach it', 'still reach them')
  return `${server} ${how}${said}. ${they} not sent to this model any more.${isReachable ? ` find_tool and use_tool ${reach}.` : ''}`
}
