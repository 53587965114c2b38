import { expect, test } from 'vitest'
import { parseConfig } from './parse.ts'

test('numbers in quotation marks are numbers', () => {
  const { config, flaws } = parseConfig(`memory: { user_limit: "20000" }
tools: { timeout_s: ' 2.5' }
engine: { threads: "4" }
models:
  default: "7"
  servers:
    - { id: a, name: A, base_url: http://127.0.0.1:1, model: m, context_tokens: "4096" }
`)
  expect(config).toMatchObject({
    memory: { user_limit: 20_000 },
    tools: { timeout_s: 2.5 },
    engine: { threads: 4 },
    models: { default: '7', servers: [{ context_tokens: 4_096 }] },
  })
  expect(flaws).toEqual([])
})

test('a number in quotation marks that is not allowed is told as it was written', () => {
  const { config, flaws } = parseConfig('memory: { user_limit: "20", notes_limit: "many" }')
  expect(config.memory).toMatchObject({ user_limit: 1_375, notes_limit: 2_200 })
  expect(flaws.map(flaw => flaw.text)).toEqual([
    'memory.user_limit is "20", but must be a whole number from 200 to 100000',
    'memory.notes_limit is "many", but must be a whole number from 200 to 100000',
  ])
})
