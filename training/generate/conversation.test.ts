import Ajv from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { createToolCallReader } from '../../src/main/models/formats/reader/call-reader.ts'
import { isBlocked } from './block-list.ts'
import { writeConversation, type Conversation } from './conversation.ts'
import { fixedAnswers } from './fixed-answers.ts'
import { piecesOf } from './pieces.ts'
import { openProduct } from './product.ts'
import { SPLITS, type Split } from './split.ts'

const COUNT = 400
const product = openProduct()
const written = {} as Record<Split, Conversation[]>

beforeAll(async () => {
  for (const split of SPLITS) {
    written[split] = []
    for (let at = 0; at < COUNT; at++)
      written[split].push(await writeConversation(product, split, `test-${at}`))
  }
})

const all = () => SPLITS.flatMap(split => written[split])
const targets = () =>
  all().flatMap(({ id, messages }) => messages.flatMap(each => (each.target ? [{ id, ...each }] : [])))

test('a seed gives one conversation, whatever was written before', async () => {
  const again = openProduct()
  for (const at of [399, 7, 123]) {
    const first = written.train[at]
    expect(await writeConversation(again, 'train', `test-${at}`)).toEqual(first)
  }
  expect(await writeConversation(again, 'id', 'test-7')).not.toEqual(written.train[7])
})

test('a conversation begins with the prompt, and then person and model take turns', () => {
  for (const { id, messages } of all()) {
    const [first, ...rest] = messages.map(message => message.role)
    expect({ id, first }).toEqual({ id, first: 'system' })
    expect({ id, rest }).toEqual({ id, rest: rest.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')) })
    expect(messages.at(-1)!.target).toBe(true)
  }
})

test('every call is one that the product’s own reader finds, and has the arguments that are checked', () => {
  const calls = targets().filter(({ check }) => check?.kind === 'call')
  expect(calls.length).toBeGreaterThan(COUNT)
  for (const { id, text, check } of calls) {
    const reader = createToolCallReader({ tools: product.tools })
    const events = [...reader.push(text), ...reader.end()]
    expect({ id, events }).toEqual({
      id,
      events: [
        expect.objectContaining({
          type: 'call',
          name: callOf(check).name,
          arguments: callOf(check).arguments,
        }),
      ],
    })
  }
})

test('every call is valid by the schema of its tool, also where nothing is put right', () => {
  const ajv = new Ajv({ strict: false, formats: { date: true } })
  const schemas = new Map(
    product.tools.map(({ name, parameters }) => [
      name,
      ajv.compile({ ...parameters, additionalProperties: false }),
    ]),
  )
  const used = new Set<string>()
  for (const { id, check } of targets()) {
    if (check?.kind !== 'call') continue
    const isValid = schemas.get(check.name)!(check.arguments)
    used.add(check.name)
    expect({ id, name: check.name, isValid }).toEqual({ id, name: check.name, isValid: true })
  }
  expect([...used].toSorted()).toEqual(product.registry.names.toSorted())
})

test('an answer holds the facts that it is checked for, and calls nothing', () => {
  for (const { id, text, check } of targets()) {
    if (check === undefined) throw new Error(`${id} has a reply that nothing checks.`)
    if (check.kind === 'call') continue
    expect(text).not.toContain('<tool_call>')
    if (check.kind === 'fact')
      for (const fact of check.facts) expect(fact !== '' && text.includes(fact) ? fact : text).toBe(fact)
    if (check.kind === 'unknown') expect(text).toContain('Models page')
  }
})

test('no call of a memory tool or of a skill fails, because the model has all that it needs', () => {
  const results = all().flatMap(({ id, messages }) =>
    messages.flatMap(({ text }) =>
      /^\[Tool Result: (memory|skill_manage)\] Error/.test(text) ? [{ id, text }] : [],
    ),
  )
  expect(results.filter(({ text }) => !/user denied|not allowed|Denied|Not allowed/i.test(text))).toEqual([])
})

test('reviews find nothing at least as often as something', () => {
  const looks = all().filter(({ task }) => task.endsWith(' look') || task.endsWith(' review'))
  const nothing = looks.filter(({ messages }) => /Nothing to save|"worth": false/.test(messages.at(-1)!.text))
  expect(looks.length).toBeGreaterThan(40)
  expect(nothing.length * 2).toBeGreaterThanOrEqual(looks.length)
  expect(nothing.length).toBeLessThan(looks.length)
})

test('pieces never begin with a space or cross a mark, and hold every fixed answer', () => {
  const { pieces } = piecesOf(product)
  expect(pieces.filter(piece => piece.startsWith(' '))).toEqual([])
  expect(pieces.filter(piece => /<\/?tool_call>/.test(piece) && !/^<\/?tool_call>$/.test(piece))).toEqual([])
  for (const answer of fixedAnswers) expect(pieces).toContain(answer)
})

test('nothing that is written holds a word of the block list', () => {
  expect(all().filter(each => isBlocked(JSON.stringify(each)))).toEqual([])
})

const callOf = (check: unknown) => check as { name: string; arguments: Record<string, unknown> }
