import { formats } from '../src/main/models/formats/format-table.ts'
import { callConstraint } from '../src/main/models/formats/grammar/constraint.ts'
import type { Constraint, Prompt } from '../src/main/models/interface/engine.ts'
import { decodeReply } from '../src/main/models/engines/local/decoding/decode-reply.ts'
import { loadModel } from '../src/main/models/engines/local/process/load-model.ts'
import { median, round } from './measure.ts'
import { batchTokens } from '../src/main/models/engines/local/process/protocol.ts'

/**
 * One model in a separate process, loaded as the engine loads it. Every token is timed where the engine gets
 * it. A model with random weights never writes what a grammar wants, so three cases stand for real ones:
 * `right` is given a valid call token by token, as a trained model would write it; `string` writes at random
 * inside a text of a call; `wrong` writes at random where the grammar only allows the names of tools.
 */
const [path = '', name = '', roundsText = ''] = process.argv.slice(2)
const rounds = Number(roundsText)
const tokensPerRun = 64
const switchedLength = 24

const opened = await loadModel(
  {
    path,
    contextTokens: 1_024,
    sequences: 1,
    threads: 'auto',
    gpu: 'off',
    gpuLayers: undefined,
    batch: batchTokens,
    force: false,
    flashAttention: undefined,
    mapFile: false,
    sampling: {},
    states: undefined,
  },
  new AbortController().signal,
  () => {},
)
if ('failure' in opened) throw new Error(opened.failure.text)
const loaded = opened
const lease = await loaded.pool.lease(
  { sessionId: 'bench', isBackground: false },
  new AbortController().signal,
)
if (!lease) throw new Error('There is no place for a conversation.')
const { sequence } = lease

/** Sixty tools, more than most people ever have on. */
const tools = Array.from({ length: 60 }, (_, at) => ({
  name: at === 0 ? 'write_file' : `tool_${at}_of_many`,
  description: '',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      content: { type: 'string' },
      mode: { enum: ['new', 'add', 'replace'] },
      lines: { type: 'array', items: { type: 'integer' } },
    },
    required: ['path'],
  },
}))
const found = callConstraint(formats.hermes, tools)
if (!found) throw new Error('Sixty tools make no grammar.')
const constraint: Constraint = found
const textBegin = '<tool_call>\n{"name": "write_file", "arguments": {"path": "notes.md", "content": "'
const wholeCall = `${textBegin}${'All the words that a person would read in a small file. '.repeat(4)}"}}\n</tool_call>`

/** One reply: its text, and for each token the milliseconds since the token before and the text so far. */
type Written = { text: string; times: number[]; texts: string[] }

async function write(prompt: Partial<Prompt>): Promise<Written> {
  await sequence.clearHistory()
  const asked: Prompt = {
    sessionId: 'bench',
    messages: [{ role: 'user', text: 'Tell me of the world. '.repeat(8) }],
    tools: [],
    maxTokens: tokensPerRun,
    sampling: { temperature: 0 },
    ...prompt,
  }
  const { tokens, opener } = loaded.writer.write(asked)
  const times: number[] = []
  const texts: string[] = []
  let text = ''
  let before = 0
  const timed = new Proxy(sequence, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (key !== 'evaluate') return typeof value === 'function' ? value.bind(target) : value
      return (...given: Parameters<typeof sequence.evaluate>) => {
        const iterator = target.evaluate(...given)
        const next = iterator.next.bind(iterator)
        iterator.next = async (...fed) => {
          const result = await next(...fed)
          const now = performance.now()
          if (before > 0) {
            times.push(now - before)
            texts.push(text)
          }
          before = now
          return result
        }
        return iterator
      }
    },
  })
  await decodeReply(loaded, {
    sequence: timed,
    tokens,
    opener,
    prompt: asked,
    signal: new AbortController().signal,
    progress: { reading: () => {}, text: more => void (text += more) },
  })
  return { text, times, texts }
}

const mean = (times: readonly number[]) => times.reduce((all, time) => all + time, 0) / times.length
const constraints = [constraint]
const cases = {
  free: {},
  product: { sampling: { seed: 7 } },
  right: { begin: wholeCall, constraints, maxTokens: 1 },
  string: { begin: textBegin, constraints },
  wrong: { begin: '<tool_call>', constraints, maxTokens: 12 },
} satisfies Record<string, Partial<Prompt>>
const means: Record<string, number[]> = {}
const switches: number[] = []
const plain = await write({})
for (let n = 0; n <= rounds; n++) {
  // The first round does not count: it warms up and compiles the grammar.
  for (const [each, prompt] of Object.entries(cases)) {
    const { times } = await write(prompt)
    if (n > 0) (means[each] ??= []).push(mean(times))
  }
  const at = 4 + 2 * n
  const after = plain.texts[at] ?? ''
  const { text, times, texts } = await write({ constraints: [switchAfter(after)] })
  // The reply ends after the text that the grammar allows, so the grammar was on.
  if (n > 0 && text === plain.text.slice(0, after.length + switchedLength)) {
    switches.push((times[texts.indexOf(after)] ?? Number.NaN) - median(times))
  }
}
if (switches.length < rounds / 2) throw new Error(`Only ${switches.length} replies were switched.`)

/**
 * A grammar of the same size that also allows what the model writes next, so that only the switch is
 * measured.
 */
function switchAfter(after: string): Constraint {
  const next = plain.text.slice(after.length, after.length + switchedLength)
  return {
    ...constraint,
    after,
    gbnf: constraint.gbnf.replace('root ::=', `root ::= ${JSON.stringify(next)} |`),
  }
}

const ratio = (each: string) =>
  round(median((means['free'] ?? []).map((free, at) => free / (means[each]?.[at] ?? Number.NaN))))
const perSecond = (each: string) => round(1_000 / median(means[each] ?? []))
process.send?.({
  [`grammar_${name}_bytes`]: constraint.gbnf.length,
  [`grammar_${name}_switch_ms`]: round(median(switches)),
  [`grammar_${name}_free_per_s`]: perSecond('free'),
  [`grammar_${name}_right_per_s`]: perSecond('right'),
  [`grammar_${name}_right_ratio`]: ratio('right'),
  [`grammar_${name}_string_ratio`]: ratio('string'),
  [`grammar_${name}_wrong_ratio`]: ratio('wrong'),
  [`sampling_${name}_ratio`]: ratio('product'),
})
process.disconnect?.()
process.exit(0)
