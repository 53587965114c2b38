import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ToolSpec } from '../src/main/models/interface/engine.ts'
import { readTrainedTexts } from '../src/main/builtin/trained-texts.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { toolsOf } from '../testing/mcp/made-up-calls.ts'

const Sent = z.array(
  z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
)

/** Tools of a typical server: a few arguments each, among them lists, choices and objects. */
const tracker = [
  ['search_issues', { query: { type: 'string' }, state: { enum: ['open', 'closed'] } }, ['query']],
  [
    'create_issue',
    {
      title: { type: 'string' },
      labels: { type: 'array', items: { type: 'string' } },
      due: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
    },
    ['title'],
  ],
  ['add_comment', { issue: { type: 'integer' }, text: { type: 'string' } }, ['issue', 'text']],
] as const

/**
 * The tools of a chat with a larger model: all tools of the host in their full form, as in the golden file of
 * the tests, and three pinned tools of an MCP server.
 */
export function fullTools(): ToolSpec[] {
  const path = new URL('../testing/golden/full-tools.json', import.meta.url)
  const own = Sent.parse(JSON.parse(readFileSync(path, 'utf8')))
  const listed = tracker.map(([name, properties, required]) => ({
    name,
    inputSchema: { type: 'object', properties, required },
  }))
  const served = toolsOf('tracker', listed).map(({ called, tool }) => ({
    name: called,
    description: tool.description,
    parameters: tool.schema,
  }))
  return [...own, ...served]
}

/** The tools in the form that the built-in model gets. */
export function trainedTools(): ToolSpec[] {
  const texts = readTrainedTexts()
  if (isRefusal(texts)) throw new Error(texts.refused)
  return texts.tools.specs.map(({ name, description, parameters }) => ({ name, description, parameters }))
}

/** The text about a list of tools beside the figures. */
export const formOf = (form: 'full' | 'trained', tools: readonly ToolSpec[]): string => {
  const served = tools.filter(({ name }) => name.startsWith('mcp__')).length
  return `${tools.length - served} tools in their ${form} form${served > 0 ? `, ${served} of an MCP server` : ''}`
}
