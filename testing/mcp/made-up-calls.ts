import { readGbnf } from '../formats/gbnf-matcher.ts'
import { McpServer } from '../../src/shared/contract/connections/mcp.ts'
import { callableSpecs } from '../../src/main/mcp/chats/chat-tools.ts'
import { namedTools } from '../../src/main/mcp/chats/named-tools.ts'
import { judgeTools } from '../../src/main/mcp/judge-tools.ts'
import { formats } from '../../src/main/models/formats/format-table.ts'
import { callConstraint } from '../../src/main/models/formats/grammar/constraint.ts'
import { object } from './hard-schemas.ts'

/** The tools of one server that lists these; none of them may be refused. */
export function toolsOf(server: string, listed: readonly { name: string; inputSchema: object }[]) {
  const { tools, refused } = judgeTools(listed)
  if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`)
  const of = { server: McpServer.parse({ name: server, command: 'node' }), pinned: false, unasked: false }
  return namedTools(tools.map(tool => ({ ...of, tool, pin: '' })))
}

/** Tools with these schemas, under the names t0, t1 and so on. */
export const toolsWith = (schemas: readonly object[]) =>
  toolsOf(
    'one',
    schemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema })),
  )

/** The same numbers between 0 and 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Two hundred calls of these tools that random weights could write, each with its errors. */
export function madeUpCalls(tools: ReturnType<typeof namedTools>) {
  const offered = [
    { name: 'use_tool', description: '', parameters: object({ name: { type: 'string' } }, ['name']) },
  ]
  const grammar = readGbnf(callConstraint(formats.hermes, callableSpecs(offered, tools))!.gbnf)
  const draw = numbers(11)
  return Array.from({ length: 200 }, () => {
    const text = grammar.makeUp(draw)
    const { name, arguments: args } = JSON.parse(text.slice(0, text.lastIndexOf('</tool_call>'))).arguments
    const tool = tools.find(each => each.called === name)
    return { name, args, problem: tool ? tool.tool.problemOf(args) : 'There is no such tool.' }
  })
}
