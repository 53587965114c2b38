import { unframeText } from '../../untrusted/strangers-text.ts'
import { fitAll, joinTold, readCut, shortenTold } from './cut-texts.ts'
import { writeBlock, writeWords } from './plain-markdown.ts'
import { forPerson, tellFailed, tellNotRun } from './tell-failure.ts'
import { LEFT_OUT_NOTE } from '../registry/tool-arguments.ts'
import type { Tool } from '../registry/tool.ts'

/** Maximum length in characters of what is said about all results of a reply. */
const MOST_TOLD = 4_000
/** Minimum length in characters for each of several results. If too many, the last are only counted. */
const LEAST_TOLD = 250

/** A call with its stored result, and its title. */
type ToldCall = {
  tool: Pick<Tool, 'tell'> | undefined
  input: Record<string, unknown>
  result: { ok: boolean; text: string }
  title?: string | undefined
}

/**
 * Say in plain words what a call did: in the tool's own words, or as the model's result without its marks.
 * `text` is the text of the stored result.
 */
export function tellResult(
  tool: Pick<Tool, 'tell'> | undefined,
  input: Record<string, unknown>,
  result: { ok: boolean; text: string },
): string {
  return shortenTold(tellWhole(tool, input, result), MOST_TOLD)
}

/** Say what the calls of a reply did, in order, in at most 4,000 characters. Omissions are noted. */
export function tellResults(calls: readonly ToldCall[]): string {
  const [only] = calls
  if (only && calls.length === 1) return tellResult(only.tool, only.input, only.result)
  const said = calls.map(call => tellOneOfSeveral(call))
  const different = [...new Set(said)].map(text => ({
    text,
    times: said.filter(each => each === text).length,
  }))
  const whole = different.map(({ text, times }) =>
    times > 1 ? `${text}${text.includes('\n') ? '\n\n' : ' '}(${times} times)` : text,
  )
  const joined = joinTold(whole)
  if (joined.length <= MOST_TOLD) return joined
  const most = Math.floor((MOST_TOLD - 100) / LEAST_TOLD)
  const shown = whole.slice(0, most)
  const rest = whole.length - shown.length
  const cut = fitAll(shown, MOST_TOLD - 100 - shown.length * 2)
  return joinTold(rest > 0 ? [...cut, `And ${rest} more results, which are not said here.`] : cut)
}

function tellWhole(
  tool: Pick<Tool, 'tell'> | undefined,
  input: Record<string, unknown>,
  { ok, text: stored }: { ok: boolean; text: string },
): string {
  const text = withoutNote(ok ? stored : stored.replace(/^Error: /, ''))
  const notRun = ok ? undefined : tellNotRun(text)
  if (notRun !== undefined) return notRun
  const told = tool?.tell?.(input, { ok, text })
  if (told !== undefined && told.trim() !== '') return told
  const plain = unframeText(readCut(text).text).trim()
  if (!ok) return tellFailed('do that', forPerson(plain))
  return plain === '' ? 'It was done, and there is nothing to show.' : writeBlock(plain).block
}

/** Remove the note to the model about arguments that the tool does not take. */
const withoutNote = (text: string): string => {
  const at = text.lastIndexOf(`\n(${LEFT_OUT_NOTE}`)
  return at >= 0 && text.endsWith('.)') && !text.slice(at + 1).includes('\n') ? text.slice(0, at) : text
}

/** Name a call that did not run, since “it” could be any of them. */
function tellOneOfSeveral({ tool, input, result, title }: ToldCall): string {
  const said = tellWhole(tool, input, result)
  const notRun = result.ok ? undefined : tellNotRun(result.text.replace(/^Error: /, ''))
  return notRun === undefined || title === undefined
    ? said
    : `${writeWords(title, 120)}: ${said.startsWith('I ') ? said : lowerFirst(said)}`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
