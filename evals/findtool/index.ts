import { readFileSync } from 'node:fs'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import { resourcePath } from '../../src/main/lib/shipped-files.ts'
import { findToolsByMeaning, type FindableTool } from '../../src/main/mcp/find-tool.ts'
import { openMeanings } from '../../src/main/models/engines/local/open-meanings.ts'
import { forkEngine } from '../../src/main/models/engines/local/start-engine.ts'
import { fail } from '../command-line.ts'

const USAGE =
  'Usage: npm run -s eval:findtool [-- FILE.jsonl]   rows {id, tools: [{server, name, description}], request, want}; want: name, server/name or {server, name}'

type Wanted = string | { server: string; name: string }
type Row = { id: string; tools: FindableTool[]; request: string; want: Wanted; part?: string }

const FEWEST_TOOLS = 20
const MOST_TOOLS = 100

/**
 * Says for each request which tools `find_tool` puts first, and counts how often the right one is among them. Without a file
 * it takes the requests beside this script. The tables of words were written, and the meanings of words fitted, with those
 * called tuned; those called held-out were written afterwards, and nothing was changed for them. Of the daily ones those
 * that were looked at chose how long the fit ran, the others were only counted.
 */
async function main(): Promise<void> {
  const path = process.argv[2]
  const meanings = openMeanings({
    path: resourcePath('models/tool-meanings.gguf'),
    spawn: forkEngine,
    // Without the encoder, or with words alone where it is slow, the figures would be those of something else.
    report: error => fail(String(error)),
    waitMs: 3_600_000,
  })
  const { signal } = new AbortController()
  const judged = []
  for (const { id, tools, request, want, part = 'all' } of path === undefined ? ownRows() : readRows(path)) {
    const found = await findToolsByMeaning(tools, request, { encode: meanings.of, signal })
    const rank = found.findIndex(tool => isWanted(tool, want)) + 1
    judged.push({ id, part, rank, found: found.map(({ name }) => name), want, request })
  }
  await meanings.close()
  for (const each of judged) if (each.rank === 0 || path !== undefined) console.log(JSON.stringify(each))
  for (const part of new Set(judged.map(each => each.part))) {
    const rows = judged.filter(each => each.part === part)
    const share = (most: number) =>
      Math.round((rows.filter(({ rank }) => rank > 0 && rank <= most).length / rows.length) * 1_000) / 1_000
    console.log(JSON.stringify({ part, rows: rows.length, first: share(1), firstThree: share(3) }))
  }
}

/** A name without its server means that tool of any server. */
const isWanted = ({ server, name }: FindableTool, want: Wanted) =>
  typeof want === 'string'
    ? [name, `${server}/${name}`, `${server}.${name}`].includes(want)
    : want.server === server && want.name === name

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const ownRows = () => [
  ...rowsOf('tools.jsonl', 'requests.jsonl'),
  ...rowsOf('daily-tools.jsonl', 'daily-requests.jsonl'),
]

/** Each request over the tools of its server and of others, 20 to about 100 tools, in every run the same ones. */
function rowsOf(toolsFile: string, requestsFile: string): Row[] {
  const all = linesOf(textOf(toolsFile)).map(line => JSON.parse(line) as FindableTool)
  const ofServer = Map.groupBy(all, ({ server }) => server)
  const servers = [...ofServer.keys()]
  return linesOf(textOf(requestsFile)).map((line, at) => {
    const { server, ...row } = JSON.parse(line) as Omit<Row, 'id' | 'tools'> & { server: string }
    const most = FEWEST_TOOLS + ((at * 37) % (MOST_TOOLS - FEWEST_TOOLS))
    const tools = [...(ofServer.get(server) ?? [])]
    // 47 has no divisor in common with the number of servers, so that each comes once.
    for (let next = 1; tools.length < most && next < servers.length; next++)
      tools.push(...(ofServer.get(servers[(at + next * 47) % servers.length]!) ?? []))
    return { ...row, id: String(at + 1), tools }
  })
}

function readRows(path: string): Row[] {
  try {
    return linesOf(readFileSync(path, 'utf8')).map((line, at) => rowOf(parseJson(line), at + 1))
  } catch (error) {
    return fail(`${path}: ${(error as Error).message}\n${USAGE}`)
  }
}

function rowOf(given: unknown, line: number): Row {
  const { id = String(line), tools, request, want } = (given ?? {}) as Partial<Row>
  const isTool = ({ server, name, description }: FindableTool) =>
    [server, name, description].every(each => typeof each === 'string')
  if (
    typeof request !== 'string' ||
    want === undefined ||
    !Array.isArray(tools) ||
    !tools.every(isTool) ||
    !tools.some(tool => isWanted(tool, want))
  )
    return fail(`Line ${line} is no row.\n${USAGE}`)
  return { id, tools, request, want }
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '')

await main()
