import { afterAll, expect, test } from 'vitest'
import { randomModel, scriptedModel } from '../../../../../../testing/gguf/cached.ts'
import type { Constraint, Sampling, WireMessage } from '../../../interface/engine.ts'
import type { LoadedModel } from '../process/load-model.ts'
import { ask, open } from '../../../../../../testing/models/local-loaded.ts'

/** A Hermes call of one of two tools that take a path. */
const hermes: Constraint = {
  after: '<tool_call>',
  where: 'anywhere',
  gbnf: String.raw`root ::= [\n]? "{\"name\": \"" ("read_file" | "list") "\", \"arguments\": {\"path\": \"" char{1,12} "\"}}" [\n]? "</tool_call>"
char ::= [^"\\\x00-\x1F\x7F]`,
  end: '</tool_call>',
  body: { jsonAfter: '<tool_call>' },
}
const rightCall = '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>'
const aCall = String.raw`<tool_call>\n?\{"name": "(?:read_file|list)", "arguments": \{"path": "[^"]{1,12}"\}\}\n?</tool_call>`

const models = new Map<string, Promise<LoadedModel>>()
afterAll(async () => {
  for (const model of models.values()) await (await model).close()
})

function load(path: string): Promise<LoadedModel> {
  const loaded = models.get(path) ?? open(path)
  models.set(path, loaded)
  return loaded
}

/** A model that writes exactly this text. */
const speaker = (reply: string) => load(scriptedModel({ reply }))
const random = () => load(randomModel())

test('a valid call is kept as the model writes it, and the text around it is unconstrained', async () => {
  const reply = `I will read the file.\n${rightCall} Then I stop.`
  const loaded = await speaker(reply)
  expect(await ask(loaded, { constraints: [hermes] })).toMatchObject({ text: reply, stop: 'end' })
})

test('an invalid call is constrained into a valid one', async () => {
  const loaded = await speaker('Reading it.\n<tool_call>\n{"nme": oops, "arg}\n</tool_call> Bye.')
  expect((await ask(loaded)).text).toContain('oops')
  const { text } = await ask(loaded, { constraints: [hermes], maxTokens: 200 })
  expect(text).toMatch(new RegExp(`^Reading it\\.\n${aCall}`))
})

test.for([
  ['quoted in a line', 'Write `<tool_call>` and then {"what": ever}.'],
  ['in a thought', '<think>So <tool_call> {"what": ever}?</think> No.'],
  ['in a code block', 'See:\n```xml\n<tool_call> {"what": ever}\n```\nDone.'],
])('a mark %s does not constrain the reply', async ([, reply = '']) => {
  const loaded = await speaker(reply)
  expect((await ask(loaded, { constraints: [hermes] })).text).toBe(reply)
})

test('a model that writes nothing but tokens without a text ends after a while', async () => {
  const loaded = await load(scriptedModel({ reply: 'spam', goesOnAt: 0 }))
  const { usage, stop, text } = await ask({ ...loaded, decode: () => '' })
  expect([stop, text]).toEqual(['end', ''])
  expect(usage!.outputTokens).toBeLessThan(300)
})

test('a repeat penalty makes what was written less likely, but not inside a call', async () => {
  const loaded = await random()
  const write = async (sampling: Sampling, constraints: Constraint[] = []) =>
    (await ask(loaded, { maxTokens: 80, sampling: { temperature: 0, ...sampling }, constraints })).text
  const plain = await write({})
  expect(await write({ repeatPenalty: 1 })).toBe(plain)
  const varied = await write({ repeatPenalty: 1.8 })
  const pairs = (text: string) =>
    new Set(Array.from(text, (_, at) => text.slice(at, at + 3))).size / text.length
  expect(pairs(varied)).toBeGreaterThan(pairs(plain))
  const called = await speaker(rightCall)
  const asked = { constraints: [hermes], sampling: { temperature: 0, repeatPenalty: 1.8 } }
  expect((await ask(called, asked)).text).toMatch(new RegExp(`^${aCall}`))
})

/** A trigger that starts inside a word of the model, so that the word's token must be split. */
const withinWord: Constraint = {
  after: ' lo',
  where: 'anywhere',
  gbnf: 'root ::= "ud music "',
  end: ' music ',
  body: 'text',
}

test('a token that extends past the mark is split there, and the next turn reuses the written tokens', async () => {
  const loaded = await speaker('I will look at it.')
  const messages: WireMessage[] = [{ role: 'user', text: 'Hello' }]
  const first = await ask(loaded, { messages, constraints: [withinWord], maxTokens: 12 })
  expect(first.text.startsWith('I will loud music ')).toBe(true)
  messages.push({ role: 'assistant', text: first.text, generated: true }, { role: 'user', text: 'And?' })
  const { tokens } = loaded.writer.write({ sessionId: 'chat', messages })
  const added = loaded.writer.write({ sessionId: 'other', messages: messages.slice(-1) }).tokens.length
  const { usage } = await ask(loaded, { messages })
  expect(usage?.promptTokens).toBe(tokens.length)
  // The last token of a reply is evaluated only if something follows, and so is the end of the message.
  expect(usage?.evaluatedTokens).toBeLessThanOrEqual(added + 3)
  expect(usage?.reusedTokens).toBeGreaterThan((first.usage?.promptTokens ?? 0) + 5)
})

test('after a call the reply is unconstrained until the next one', async () => {
  const loaded = await speaker(`First:\n${rightCall} And:\n<tool_call>\n{"nme": oops}`)
  const { text } = await ask(loaded, { constraints: [hermes], maxTokens: 200 })
  expect(text).toMatch(new RegExp(`^First:\n${rightCall} And:\n${aCall}`))
})

test('the given beginning counts as written, and text after a mark in it must fit the grammar', async () => {
  const loaded = await random()
  const fits = '<tool_call>\n{"name": "li'
  const { text } = await ask(loaded, { begin: fits, constraints: [hermes], maxTokens: 100 })
  expect(text).toMatch(new RegExp(`^<tool_call>\n\\{"name": "list", "arguments": \\{"path"`))
  const odd = await ask(loaded, { begin: '<tool_call>{"id": 1', constraints: [hermes], maxTokens: 20 })
  expect(odd.text.startsWith('<tool_call>{"id": 1')).toBe(true)
  const cut = { ...withinWord, gbnf: 'root ::= "ok music "' }
  const word = await ask(loaded, { begin: 'I will look', constraints: [cut], maxTokens: 20 })
  expect(word.text.startsWith('I will look music ')).toBe(true)
})

test('without a mark the whole reply is constrained', async () => {
  const loaded = await random()
  const yesOrNo: Constraint = {
    after: '',
    where: 'anywhere',
    gbnf: 'root ::= "yes" | "no"',
    end: '',
    body: 'text',
  }
  const reply = await ask(loaded, { constraints: [yesOrNo] })
  expect(reply.text).toMatch(/^(yes|no)$/)
  expect(reply.stop).toBe('end')
})

test('a call that never ends stops at the reply’s limit, or at half of the remaining context', async () => {
  const loaded = await random()
  const endless = { ...hermes, gbnf: 'root ::= [a-z ] root' }
  const asked = { begin: '<tool_call>', constraints: [endless] }
  expect(await ask(loaded, { ...asked, maxTokens: 30 })).toMatchObject({
    stop: 'length',
    usage: { outputTokens: 30 },
  })
  const { stop, usage } = await ask(loaded, asked)
  expect(stop).toBe('length')
  expect(usage?.outputTokens).toBe(Math.floor((loaded.contextTokens - (usage?.promptTokens ?? 0) - 1) / 2))
})

test('a grammar that the library refuses leaves the reply unconstrained', async () => {
  const reply = `Reading.\n${rightCall} Bye.`
  const loaded = await speaker(reply)
  for (const gbnf of ['root ::= (', 'root ::= root "a"', 'nothing', 'root ::= missing']) {
    expect((await ask(loaded, { constraints: [{ ...hermes, gbnf }] })).text).toBe(reply)
  }
})

test('markup inside a call’s text is plain text, and does not end the reply', async () => {
  const loaded = await random()
  const marked: Constraint = {
    ...hermes,
    gbnf: String.raw`root ::= "{\"text\": \"<|im_end|> and <|im_start|>\"}</tool_call>"`,
  }
  const { text } = await ask(loaded, { begin: '<tool_call>', constraints: [marked], maxTokens: 100 })
  expect(text.startsWith('<tool_call>{"text": "<|im_end|> and <|im_start|>"}</tool_call>')).toBe(true)
})
