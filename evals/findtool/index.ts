import { readFileSync } from 'node:fs'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import { findTools, type FindableTool } from '../../src/main/mcp/find-tool.ts'

const USAGE =
  'Usage: npm run -s eval:findtool [-- FILE.jsonl]   rows {id, tools: [{server, name, description}], request, want}'

type Row = { id: string; tools: FindableTool[]; request: string; want: string }

/**
 * Says for each request which tools `find_tool` puts first, and counts how often the right one is among them. Without a file
 * it takes the requests beside this script, each over all tools of all servers there.
 */
function main(): void {
  const rows = process.argv[2] === undefined ? ownRows() : readRows(process.argv[2])
  const judged = rows.map(({ id, tools, request, want }) => {
    const found = findTools(tools, request, 3).map(({ name }) => name)
    return { id, rank: found.indexOf(want) + 1, found, want, request }
  })
  for (const each of judged)
    if (each.rank === 0 || process.argv[2] !== undefined) console.log(JSON.stringify(each))
  const first = judged.filter(({ rank }) => rank === 1).length
  const firstThree = judged.filter(({ rank }) => rank > 0).length
  const share = (count: number) => Math.round((count / Math.max(1, judged.length)) * 1_000) / 1_000
  console.log(JSON.stringify({ rows: judged.length, first: share(first), firstThree: share(firstThree) }))
}

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

function ownRows(): Row[] {
  const servers = JSON.parse(textOf('servers.json')) as Record<string, [name: string, description: string][]>
  const tools = Object.entries(servers).flatMap(([server, all]) =>
    all.map(([name, description]) => ({ server, name, description })),
  )
  return linesOf(textOf('requests.jsonl')).map((line, at) => ({
    ...(JSON.parse(line) as Pick<Row, 'request' | 'want'>),
    id: String(at + 1),
    tools,
  }))
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
    typeof want !== 'string' ||
    !Array.isArray(tools) ||
    !tools.every(isTool)
  )
    return fail(`Line ${line} is no row.\n${USAGE}`)
  return { id, tools, request, want }
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '')

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

main()
