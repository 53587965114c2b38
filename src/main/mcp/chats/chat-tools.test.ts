import { describe, expect, test } from 'vitest'
import { HARD_SCHEMAS, object, UNSAYABLE_SCHEMAS } from '../../../../testing/mcp/hard-schemas.ts'
import { madeUpCalls, toolsWith } from '../../../../testing/mcp/made-up-calls.ts'
import { randomCalls } from '../../../../testing/mcp/random-calls.ts'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { callableSpecs } from './chat-tools.ts'
import { namedTools } from './named-tools.ts'
import { judgeTools } from '../judge-tools.ts'

const server = McpServer.parse({ name: 'one', command: 'node' })

describe('the calls that a local model can write', () => {
  test('are exactly those of tools that the chat found, and fit what each needs', () => {
    expect(HARD_SCHEMAS).toHaveLength(60)
    expect(madeUpCalls(toolsWith(HARD_SCHEMAS)).filter(({ problem }) => problem !== undefined)).toEqual([])
  })

  test('are valid when random weights write them', async () => {
    const some = HARD_SCHEMAS.filter((_, at) => at >= 56 || at % 3 === 0)
    const { calls, tools, wrong } = await randomCalls(toolsWith(some), 24)
    expect(wrong).toEqual([])
    expect(calls).toBe(24)
    expect(tools).toBeGreaterThan(15)
  })

  test('are refused with the reason where a grammar cannot say what is needed', () => {
    const problems = madeUpCalls(toolsWith(UNSAYABLE_SCHEMAS)).flatMap(({ problem }) => problem ?? [])
    for (const said of ['duplicate items', 'multiple of 97', 'contain at least 1 valid item'])
      expect(problems.join('\n')).toContain(said)
    expect(problems).not.toContain('There is no such tool.')
  })

  test('are none of use_tool before anything was found', () => {
    const offered = [
      { name: 'look', description: '', parameters: object({}) },
      { name: 'use_tool', description: '', parameters: object({}) },
    ]
    expect(callableSpecs(offered, []).map(({ name }) => name)).toEqual(['look'])
  })
})

test('tools get names that every server of models takes, and no two the same', () => {
  const { tools } = judgeTools(
    ['read.file', 'read/file', 'read_file', 'x'.repeat(100)].map(name => ({
      name,
      inputSchema: { type: 'object' },
    })),
  )
  const names = namedTools(tools.map(tool => ({ server, tool, pinned: false, unasked: false, pin: '' }))).map(
    ({ called }) => called,
  )
  expect(new Set(names).size).toBe(4)
  expect(names[2]).toBe('mcp__one__read_file')
  for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/)
})
