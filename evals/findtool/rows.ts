import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { FindableTool } from '../../src/main/mcp/finding/find-tool.ts'
import { readRows } from '../command-line.ts'

const FEWEST_TOOLS = 20
const MOST_TOOLS = 100

const Tool = z.strictObject({ server: z.string(), name: z.string(), description: z.string() })

/** A tool by its server and its name. Tools of two servers with the same name are different tools. */
type Wanted = Pick<FindableTool, 'server' | 'name'>
const isWanted = (tool: Wanted, want: Wanted) => tool.server === want.server && tool.name === want.name

/**
 * A request to find one of the tools of several servers. `part` says which set it belongs to, and who wrote
 * it.
 */
export type Row = { id: string; part: string; tools: FindableTool[]; request: string; want: Wanted }

/** A row of a given file. `want` may be in the form `server/name`. */
const GivenRow = z
  .strictObject({
    id: z.string().optional(),
    part: z.string().optional(),
    tools: z.array(Tool).min(1),
    request: z.string().min(1),
    want: z.union([z.string(), Tool.pick({ server: true, name: true })]),
  })
  .transform(({ want, ...row }) => ({
    ...row,
    tool: row.tools.find(tool =>
      typeof want === 'string' ? want === `${tool.server}/${tool.name}` : isWanted(tool, want),
    ),
  }))
  .refine(({ tool }) => tool !== undefined, 'want is none of its tools, by server and name')

/** The rows of a given file. */
export const givenRows = (path: string): Row[] =>
  readRows(path, GivenRow).map(({ id = '', part = 'all', tools, request, tool }, at) => ({
    id: id === '' ? String(at + 1) : id,
    part,
    tools,
    request,
    want: tool!,
  }))

/** All rows of the repository, or only those of daily life and of models, to which nothing was fitted. */
export type Which = 'all' | 'daily'

/** The rows of the repository. */
export const ownRows = (which: Which): Row[] => [
  ...(which === 'all' ? rowsOf('tools.jsonl', 'requests.jsonl') : []),
  ...rowsOf('daily-tools.jsonl', 'daily-requests.jsonl'),
  ...rowsOf('daily-tools.jsonl', 'model-queries.jsonl'),
]

const OwnRow = z.strictObject({
  part: z.string(),
  by: z.literal('model').optional(),
  server: z.string(),
  want: z.string(),
  request: z.string().min(1),
})

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Each request with the tools of its server and of others: 20 to about 100 tools, the same ones in every run.
 */
function rowsOf(toolsFile: string, requestsFile: string): Row[] {
  const ofServer = Map.groupBy(readRows(beside(toolsFile), Tool), ({ server }) => server)
  const servers = [...ofServer.keys()]
  return readRows(beside(requestsFile), OwnRow).map(({ server, want, part, request }, at) => {
    const most = FEWEST_TOOLS + ((at * 37) % (MOST_TOOLS - FEWEST_TOOLS))
    const tools = [...(ofServer.get(server) ?? [])]
    // 47 and the number of servers have no common divisor, so each server comes once.
    for (let next = 1; tools.length < most && next < servers.length; next++)
      tools.push(...(ofServer.get(servers[(at + next * 47) % servers.length]!) ?? []))
    return { id: `${requestsFile}:${at + 1}`, part, request, want: { server, name: want }, tools }
  })
}
