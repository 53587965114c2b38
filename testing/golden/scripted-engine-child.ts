import type { EngineChild, SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import type { Prompt } from '../../src/main/models/interface/engine.ts'
import { estimateTokens } from '../../src/shared/text/estimate-tokens.ts'
import type {
  EngineResult,
  FromEngine,
  RuntimeFacts,
  ToEngine,
} from '../../src/main/models/engines/local/process/protocol.ts'

type Given = { contextTokens?: number; vectorOf?: (text: string) => Float32Array }

/**
 * An engine process replaced by a function that answers: the host sends it what its model would read. The
 * model file itself is never loaded. `vectorOf` returns the embedding of a text; by default no texts are
 * similar.
 */
export function scriptedEngineChild(
  answer: (prompt: Prompt) => string,
  { contextTokens = CONTEXT_TOKENS, vectorOf = () => new Float32Array(1) }: Given = {},
): SpawnEngine {
  return () => {
    const exited = Promise.withResolvers<string>()
    let toHost: (message: FromEngine) => void = () => undefined
    const resultOf = (asked: ToEngine): EngineResult => {
      if (asked.t === 'look') return { kind: 'looked', runtime }
      if (asked.t === 'load') return { kind: 'loaded', loaded: { ...loaded, contextTokens } }
      if (asked.t === 'count') return { kind: 'count', tokens: estimateTokens(asked.text) }
      if (asked.t === 'forget') return { kind: 'forgotten' }
      if (asked.t === 'embed') return { kind: 'embedded', vectors: asked.texts.map(vectorOf) }
      if (asked.t !== 'complete')
        return { kind: 'failed', failure: { code: 'internal', text: asked.t, fix: '' } }
      toHost({ t: 'text', id: asked.id, text: answer(asked.prompt) })
      const promptTokens = asked.prompt.messages.reduce((sum, { text }) => sum + estimateTokens(text), 0)
      return {
        kind: 'done',
        stop: 'end',
        usage: { ...usage, contextTokens, promptTokens, evaluatedTokens: promptTokens },
      }
    }
    return {
      post(message) {
        const asked = message as ToEngine
        if (asked.t !== 'cancel')
          setImmediate(() => toHost({ t: 'end', id: asked.id, result: resultOf(asked) }))
      },
      onMessage(listener) {
        toHost = listener
        setImmediate(() => listener({ t: 'hello' }))
      },
      onExit: listener => void exited.promise.then(listener),
      kill: () => exited.resolve('SIGKILL'),
    } satisfies EngineChild
  }
}

const runtime: RuntimeFacts = {
  backend: 'cpu',
  devices: [],
  totalBytes: 0,
  freeBytes: 0,
  release: 'scripted',
  system: 'scripted',
}

/** A context so small that larger tools are left out of the prompt. */
const CONTEXT_TOKENS = 2_048

const loaded = {
  backend: 'cpu',
  gpuLayers: 0,
  sequences: 1,
  threads: 1,
  appendOnly: true,
  templateProblem: undefined,
  sampleTokens: 400,
} as const

const usage = {
  reusedTokens: 0,
  outputTokens: 1,
  firstTokenMs: 1,
  prefillPerSecond: 1,
  tokensPerSecond: 1,
}
