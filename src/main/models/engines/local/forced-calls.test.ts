import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { randomModel } from '../../../../../testing/gguf/cached.ts'
import { callConstraint } from '../../formats/grammar/constraint.ts'
import { formats } from '../../formats/format-table.ts'
import { createToolCallReader } from '../../formats/reader/call-reader.ts'
import { ask, open } from '../../../../../testing/models/local-loaded.ts'

const text = { type: 'string', minLength: 1, maxLength: 8 }
const tools = [
  {
    name: 'move',
    description: '',
    parameters: {
      type: 'object',
      properties: { from: text, to: text, how: { enum: ['copy', 'rename'] } },
      required: ['from', 'to'],
      additionalProperties: false,
    },
  },
  {
    name: 'wait',
    description: '',
    parameters: {
      type: 'object',
      properties: { seconds: { type: 'integer', minimum: 1, maximum: 90 }, loud: { type: 'boolean' } },
      required: ['seconds'],
      additionalProperties: false,
    },
  },
]
const ajv = new Ajv2020()
const checks = Object.fromEntries(tools.map(({ name, parameters }) => [name, ajv.compile(parameters)]))

test.for([
  ['marks that are tokens', true],
  ['marks that are spelled', false],
] as const)('every call that random weights are forced to make is valid, with %s', async ([, toolTokens]) => {
  const loaded = await open(randomModel({ toolTokens }))
  const format = formats.hermes
  // One tool at a time, because random weights prefer one name over all others.
  const constraints = tools.map(tool => callConstraint(format, [tool]) ?? expect.fail())
  for (let seed = 0; seed < 12; seed++) {
    const answer = await ask(
      loaded,
      {
        begin: seed % 4 < 2 ? format.open : format.mark,
        constraints: constraints.slice(seed % 2, (seed % 2) + 1),
        sampling: { temperature: 1, topK: 128, topP: 1, minP: 0, seed },
        maxTokens: 200,
      },
      constraints[0]?.end,
    )
    const reader = createToolCallReader({ tools })
    const events = [...reader.push(answer.text), ...reader.end()]
    const call = events.find(event => event.type === 'call')
    expect(call, answer.text).toBeDefined()
    expect(checks[call?.name ?? '']?.(call?.arguments), answer.text).toBe(true)
  }
  await loaded.close()
})
