// The client that a conformance suite runs: our own client, with the address in the last argument. It lists
// the tools and calls those that a model could call.
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { connectServer } from '../../src/main/mcp/connections/connect-server.ts'
import { httpTransports } from '../../src/main/mcp/transport/http-transport.ts'
import type { ServerTool } from '../../src/main/mcp/judge-tools.ts'

type Json = Record<string, any>

const url = new URL(process.argv.at(-1)!)
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  toolCalls?: { name: string; arguments: Json }[]
}
const route = httpTransports({ url, headers: {}, fetch }, () => undefined)
/** Half the time limit of a scenario, because a server of the older era is asked twice. */
const PATIENCE_MS = 80_000
const connection = await connectServer({ ...route, timeoutMs: PATIENCE_MS, roots: [], version: '1.0.0' })
if (isRefusal(connection)) throw new Error(connection.refused)
const listed = await connection.listTools()
if (isRefusal(listed)) throw new Error(listed.refused)
for (const { name, problem } of listed.refused) console.log(`${name} is refused: ${problem}`)

for (const tool of listed.tools) {
  const given = context.toolCalls?.filter(each => each.name === tool.name).map(each => each.arguments)
  for (const args of given ?? [argumentsFor(tool, listed.tools)]) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const outcome = await connection.call(tool.name, args, { signal, timeoutMs: PATIENCE_MS })
    console.log(tool.name, JSON.stringify(outcome))
  }
}
await connection.close()

/** Arguments that fit the schema. A tool that takes a schema gets the unchanged schema of another tool. */
function argumentsFor({ name, schema }: ServerTool, all: readonly ServerTool[]): Json {
  if (name === 'json_schema_echo') return { schema: all.find(each => each.name !== name)?.schema }
  const entries = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  return Object.fromEntries(entries.map(([key, each]) => [key, valueFor(each)]))
}

function valueFor({ type, enum: some }: Json): unknown {
  if (Array.isArray(some)) return some[0]
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : 'x'
}
