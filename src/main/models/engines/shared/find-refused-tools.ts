import type { RefusedTools } from '../../interface/engine.ts'
import { fieldsOf, listOf, textOf } from '../../../lib/json-fields.ts'

/** The facts of a refusal: its sentence, the places that it names, and the body that was sent. */
type Refusal = { text: string; places: string; sent: Record<string, unknown> }

/** Whether a tool is from an MCP server. A chat can do without such tools: `use_tool` calls them too. */
export const isSpareTool = (name: string): boolean => name.startsWith('mcp__')

/** Maximum number of names in one sentence. More are a list of all tools, or the request itself. */
const MOST_NAMED = 3

/** Matches a tool's place in the list. Gemini counts inside its one entry, so its own word is tried first. */
const DECLARED = /function_?declarations["']?[\]\s]*[[.,/]\s*(\d+)/gi
const LISTED = /\btools["']?\s*[[.,/]\s*(\d+)/gi
const COUNTED = /\b(?:tool|function)(?: at)?(?: (?:index|number|no\.?|position)| ?#) ?(\d+)/gi

/** Words of a refusal that may be about a tool, even if it names none. */
const ABOUT_TOOLS =
  /tool|function|schema|grammar|pattern|regex|parameter|propert|argument|keyword|\b(one|any|all)of\b|\$(ref|defs)/i
/** Words of gateways that pass on a refusal without its reason. */
const SAYS_NOTHING =
  /^\s*$|^.{0,60}\b(invalid request|bad request|unprocessable|provider returned|upstream|request failed)/i

/**
 * Find the MCP tools that a refusal is about, by their names or by their places in the list that was sent.
 * `isNamed` is false if the refusal names no tool and may be about any of them. Undefined if it is about
 * something else, or about one of Talaria's own tools.
 */
export function findRefusedTools({ text, places, sent }: Refusal): RefusedTools | undefined {
  const names = namesOf(sent)
  const spare = names.filter(isSpareTool)
  if (spare.length === 0) return undefined
  const named = namedIn(text, names) ?? placedIn(`${text}\n${places}`, names) ?? namedIn(places, names)
  if (named) return named.every(isSpareTool) ? { names: named, isNamed: true } : undefined
  return ABOUT_TOOLS.test(`${text} ${places}`) || SAYS_NOTHING.test(text)
    ? { names: spare, isNamed: false }
    : undefined
}

/** Whether a refusal says which of the sent tools it is about. */
export function namesTool({ text, places, sent }: Refusal): boolean {
  const names = namesOf(sent)
  return (namedIn(text, names) ?? placedIn(`${text}\n${places}`, names)) !== undefined
}

const namesOf = ({ tools }: Refusal['sent']): string[] =>
  listOf(tools).map(tool => textOf(tool['name'] ?? fieldsOf(tool['function'])['name']))

/** Find the tools that a text names. Talaria's names are ordinary words, so they count only after “tool”. */
function namedIn(text: string, names: readonly string[]): string[] | undefined {
  // Some gateways change the spelling of a name.
  const plain = plainly(text)
  const called = names.filter(name =>
    new RegExp(
      `(?:tool|function|declaration)s?(?: names?)?(?: called| named)?[ :=]*["'\`“‘\\\\]+${escaped(name)}(?![\\w.])`,
    ).test(plain),
  )
  const mentioned = called.every(isSpareTool)
    ? names.filter(name => isSpareTool(name) && new RegExp(`(?<![\\w.])${escaped(name)}(?!\\w)`).test(plain))
    : []
  return [mentioned, called].find(found => found.length > 0 && found.length <= MOST_NAMED)
}

const plainly = (text: string) => text.toLowerCase().replaceAll('-', '_')
const escaped = (name: string) => plainly(name).replaceAll(/\W/g, String.raw`\W`)

/** Find the tools at the places that a text names. */
function placedIn(text: string, names: readonly string[]): string[] | undefined {
  for (const pattern of [DECLARED, LISTED, COUNTED]) {
    const places = new Set([...text.matchAll(pattern)].map(found => Number(found[1])))
    const found = [...places].flatMap(at => names[at] ?? [])
    if (found.length > 0) return found
  }
  return undefined
}

/** Maximum depth to search in the body of a refusal. */
const DEEPEST = 6
const LONGEST = 4_000

/**
 * Collect the places that the body of a refusal names besides its sentence: `param` (OpenAI), `loc`
 * (FastAPI), `path` (zod), and what a gateway passes on under `raw` (OpenRouter).
 */
export function placesIn(body: unknown, depth = 0): string {
  if (depth > DEEPEST || typeof body !== 'object' || body === null) return ''
  const found = Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    if (!/^(param|loc|path|raw|field)$/.test(key)) return placesIn(value, depth + 1)
    if (typeof value === 'string') return value.slice(0, LONGEST)
    return Array.isArray(value) ? value.filter(each => typeof each !== 'object').join('.') : []
  })
  return found
    .filter(each => each !== '')
    .join('\n')
    .slice(0, LONGEST)
}
