import { expect, test } from 'vitest'
import type { CompletionEvent } from '../../models/interface/engine.ts'
import { EXAMPLES } from '../guide/request-examples.ts'
import type { Scene } from '../guide/guide-scene.ts'
import type { Encode } from '../guide/second-opinion.ts'
import { openDeciders } from './ask-mini.ts'

const VAGUE = 'I wonder what may lie around on my desk'
const scene: Scene = {
  files: [],
  folders: [],
  entries: [],
  skills: [],
  known: {
    now: new Date(0),
    zone: 'UTC',
    folder: '/srv/work',
    entries: [],
    said: [],
    tools: Object.keys(EXAMPLES).filter(name => name !== 'none'),
  },
}
const never = new AbortController().signal
/** Every message means a list of files. */
const encode: Encode = async ([, ...examples]) => [
  Float32Array.of(1, 0),
  ...examples.map(text =>
    EXAMPLES['list_files']!.includes(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1),
  ),
]

/** The decision of both if the built-in model writes this. */
async function decideWith(
  complete: (signal: AbortSignal) => AsyncGenerator<CompletionEvent>,
  request = VAGUE,
) {
  const reported: unknown[] = []
  let asked = 0
  const engine = {
    complete(_: unknown, signal: AbortSignal) {
      asked += 1
      return complete(signal)
    },
  }
  const parts = { engine, encode, now: () => 0, report: (error: unknown) => void reported.push(error) }
  const { both } = openDeciders({ ...parts, waitMs: 20 })
  return { decided: await both(request, scene, never), reported, asked }
}
const writes = (text: string) =>
  async function* (): AsyncGenerator<CompletionEvent> {
    yield { type: 'text', text }
    yield { type: 'done', stop: 'end', usage }
  }
const usage = {
  promptTokens: 1,
  reusedTokens: 0,
  evaluatedTokens: 1,
  outputTokens: 1,
  contextTokens: 2_048,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}
const call = (name: string) => `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>`

test('a tool counts where the encoder and the built-in model name the same one', async () => {
  const { decided, asked, reported } = await decideWith(writes(call('list_files')))
  expect([decided, asked, reported]).toEqual([{ tool: 'list_files', arguments: {} }, 1, []])
})

test('where the built-in model names another tool, or none, nothing is decided', async () => {
  expect(await decideWith(writes(call('skills_list')))).toMatchObject({ decided: undefined, reported: [] })
})

test('what a rule is sure of needs no model', async () => {
  const { decided, asked } = await decideWith(writes('No.'), 'list the files')
  expect([decided, asked]).toEqual([{ tool: 'list_files', arguments: {} }, 0])
})

test('a built-in model that fails is reported, and the word of the encoder counts alone', async () => {
  const { decided, reported } = await decideWith(async function* () {
    yield { type: 'failed', code: 'engine_gone', text: 'It died.', fix: '' }
  })
  expect([decided, reported]).toEqual([{ tool: 'list_files', arguments: {} }, [new Error('It died.')]])
})

test('a built-in model that is late, or goes on for ever, is not waited for', async () => {
  const { decided, reported } = await decideWith(async function* () {
    await new Promise(() => undefined)
    yield { type: 'text', text: '' }
  })
  expect([decided, reported]).toEqual([{ tool: 'list_files', arguments: {} }, []])
})
