import type { RefusedTools } from '../../interface/engine.ts'
import { fieldsOf, listOf, textOf } from '../../../lib/json-fields.ts'

/** What is known of a refusal: the sentence of the server, and the places that it names beside it. */
type Refusal = { text: string; places: string; sent: Record<string, unknown> }

/** Tools of MCP servers. A chat can do without them, because `use_tool` calls them too. */
export const isSpareTool = (name: string): boolean => name.startsWith('mcp__')

/** More names than these in one sentence are a list of all tools, or the request itself. */
const MOST_NAMED = 3

/** A place in the list of tools. Gemini counts within its only entry, so its own word decides. */
const DECLARED = /function_?declarations["']?[\]\s]*[[.,/]\s*(\d+)/gi
const LISTED = /\btools["']?\s*[[.,/]\s*(\d+)/gi
const COUNTED = /\b(?:tool|function)(?: at)?(?: (?:index|number|no\.?|position)| ?#) ?(\d+)/gi

/** Words of a refusal that may be about a tool, though it names none. */
const ABOUT_TOOLS =
  /tool|function|schema|grammar|pattern|regex|parameter|propert|argument|keyword|\b(one|any|all)of\b|\$(ref|defs)/i
/** Words of those who hand a refusal on without its reason. */
const SAYS_NOTHING =
  /^\s*$|^.{0,60}\b(invalid request|bad request|unprocessable|provider returned|upstream|request failed)/i

/**
 * The tools of MCP servers that a refusal is about, by their names or their places in the list that was sent; `isNamed` is false
 * when it names none and may be about any of them. Undefined when it is about something else, or about a tool of Talaria.
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

/** Whether a refusal says which tool of those that were sent it is about. */
export function namesTool({ text, places, sent }: Refusal): boolean {
  const names = namesOf(sent)
  return (namedIn(text, names) ?? placedIn(`${text}\n${places}`, names)) !== undefined
}

const namesOf = ({ tools }: Refusal['sent']): string[] =>
  listOf(tools).map(tool => textOf(tool['name'] ?? fieldsOf(tool['function'])['name']))

/** The tools that a text names. Names of Talaria's own are ordinary words, so these count only where they are called tools. */
function namedIn(text: string, names: readonly string[]): string[] | undefined {
  // Some gateways write a name in their own way.
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

/** The tools at the places that a text names. */
function placedIn(text: string, names: readonly string[]): string[] | undefined {
  for (const pattern of [DECLARED, LISTED, COUNTED]) {
    const places = new Set([...text.matchAll(pattern)].map(found => Number(found[1])))
    const found = [...places].flatMap(at => names[at] ?? [])
    if (found.length > 0) return found
  }
  return undefined
}

/** How deep into the body of a refusal is looked. */
const DEEPEST = 6
const LONGEST = 4_000

/**
 * The places that the body of a refusal names beside its sentence: `param` (OpenAI), `loc` (FastAPI), `path` (zod), and what a
 * gateway hands on under `raw` (OpenRouter).
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
