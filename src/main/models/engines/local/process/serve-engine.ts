import type { GpuChoice } from './backends.ts'
import { completePrompt, traceOf } from '../decoding/complete-prompt.ts'
import { openEmbedder, type Embedder } from './embed-texts.ts'
import { keepChats } from '../states/keep-chats.ts'
import { explainMissingLibrary, loadModel, type LoadedModel } from './load-model.ts'
import { measureSpeed } from './measure-speed.ts'
import {
  isToEngine,
  pulseMs,
  sampleText,
  type EngineResult,
  type FromEngine,
  type LoadRequest,
  type ToEngine,
} from './protocol.ts'
import { describeRuntime, NoCardError, openRuntime } from './runtime.ts'
import { coalesceText } from './coalesce-text.ts'

/** The engine's end of the connection to its host. */
export type EnginePort = {
  post(message: FromEngine): void
  onMessage(listener: (message: unknown) => void): void
}

const progressMs = 100

/** Find out which back end the library uses on this machine. */
async function look(gpu: GpuChoice): Promise<EngineResult> {
  try {
    return { kind: 'looked', runtime: await describeRuntime(await openRuntime(gpu)) }
  } catch (error) {
    if (!(error instanceof NoCardError))
      return { kind: 'failed', failure: explainMissingLibrary(error), cannotRun: true }
    return { kind: 'failed', failure: { code: 'internal', text: error.message, fix: '' } }
  }
}

/** Serve one host with one model. `close` stops all work and frees the memory. */
export function serveEngine(port: EnginePort): { close(): Promise<void> } {
  const running = new Map<number, { controller: AbortController; ended: Promise<void> }>()
  let loaded: LoadedModel | undefined
  let embedder: Promise<Embedder> | undefined
  let pulse: NodeJS.Timeout | undefined

  const answer = async (
    message: Exclude<ToEngine, { t: 'cancel' }>,
    signal: AbortSignal,
  ): Promise<EngineResult> => {
    if (message.t === 'load') return load(message.id, message.request, signal)
    if (message.t === 'look') return look(message.gpu)
    if (message.t === 'embed') {
      embedder ??= openEmbedder(message.path)
      return { kind: 'embedded', vectors: await (await embedder).embed(message.texts, signal) }
    }
    if (!loaded) return outOfOrder
    if (message.t === 'benchmark') {
      return {
        kind: 'measured',
        ...(await measureSpeed(loaded, signal)),
        threads: loaded.threads.count('writing'),
      }
    }
    if (message.t === 'count') {
      return { kind: 'count', tokens: loaded.model.tokenize(message.text, false).length }
    }
    if (message.t === 'forget') {
      loaded.writer.forget(message.sessionId)
      loaded.pool.forget(message.sessionId)
      // Finish writing first, because the host deletes the files after this.
      await loaded.states?.close()
      return { kind: 'forgotten' }
    }
    if (message.t === 'keep') {
      const others = [...running].flatMap(([id, work]) => (id === message.id ? [] : [work]))
      for (const { controller } of others) controller.abort()
      await Promise.all(others.map(({ ended }) => ended))
      await keepChats(loaded, signal)
      return { kind: 'kept', trouble: loaded.states?.trouble() }
    }
    const { id } = message
    const text = coalesceText(joined => port.post({ t: 'text', id, text: joined }))
    const result = await completePrompt(loaded, message.prompt, signal, {
      reading: (done, total) => port.post({ t: 'progress', id, phase: 'reading', done, total }),
      text: text.push,
      refused: refusal => port.post({ t: 'refusal', id, refusal }),
      open: opened => port.post({ t: 'open', id, text: opened }),
      read: what => port.post({ t: 'read', id, ...what }),
    })
    text.flush()
    return result
  }

  async function load(id: number, request: LoadRequest, signal: AbortSignal): Promise<EngineResult> {
    if (loaded) return outOfOrder
    let toldAt = 0
    const result = await loadModel(request, signal, done => {
      // Throttled, because the library reports every tensor.
      if (performance.now() - toldAt < progressMs && done < 1) return
      toldAt = performance.now()
      port.post({ t: 'progress', id, phase: 'loading', done: Math.min(done, 1), total: 1 })
    })
    if ('failure' in result) return { kind: 'failed', ...result }
    loaded = result
    const { model, backend, contextTokens, template, threads } = result
    const sampleTokens = model.tokenize(sampleText, false).length
    const { appendOnly, problem: templateProblem } = template
    return {
      kind: 'loaded',
      loaded: {
        backend,
        gpuLayers: model.gpuLayers,
        contextTokens,
        sequences: request.sequences,
        threads: threads.count('writing'),
        appendOnly,
        templateProblem,
        sampleTokens,
      },
    }
  }

  const handle = async (message: Exclude<ToEngine, { t: 'cancel' }>, signal: AbortSignal): Promise<void> => {
    let result: EngineResult
    try {
      result = await answer(message, signal)
    } catch (error) {
      result = signal.aborted ? { kind: 'stopped' } : unexpected(error)
    }
    running.delete(message.id)
    if (running.size === 0) {
      clearInterval(pulse)
      pulse = undefined
    }
    port.post({ t: 'end', id: message.id, result })
  }

  port.onMessage(message => {
    if (!isToEngine(message)) return
    if (message.t === 'cancel') {
      running.get(message.id)?.controller.abort()
      return
    }
    const controller = new AbortController()
    pulse ??= setInterval(() => port.post({ t: 'pulse' }), pulseMs)
    running.set(message.id, { controller, ended: handle(message, controller.signal) })
  })
  port.post({ t: 'hello' })

  return {
    async close() {
      for (const { controller } of running.values()) controller.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
      await loaded?.close()
      loaded = undefined
      await (await embedder?.catch(() => undefined))?.close()
    },
  }
}

const outOfOrder: EngineResult = {
  kind: 'failed',
  failure: { code: 'internal', text: 'The engine was asked in the wrong order.', fix: '' },
}

const unexpected = (error: unknown): EngineResult => ({
  kind: 'failed',
  failure: {
    code: 'internal',
    text: `The engine made a mistake: ${error instanceof Error ? error.message : String(error)}`,
    fix: 'Try again.',
  },
  trace: traceOf(error),
})
