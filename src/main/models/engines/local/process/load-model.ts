import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp'
import type { EngineFailure } from '../../../interface/engine.ts'
import { readTemplate, type ChatTemplate } from '../templates/chat-template.ts'
import { templateOf } from '../templates/choose-template.ts'
import { addsSpace, createPromptWriter, type PromptWriter } from '../templates/prompt-tokens.ts'
import { isUnmistakable } from '../templates/turn-end-marks.ts'
import type { Backend } from './backends.ts'
import type { LoadRequest } from './protocol.ts'
import { NoCardError, openRuntime, type Runtime } from './runtime.ts'
import { fixedThreads, adaptThreads, type ThreadControl, threadCount } from '../processor/adapt-threads.ts'
import {
  createForegroundGate,
  type ForegroundGate,
  createSequencePool,
  type SequencePool,
} from '../decoding/sequence-pool.ts'
import { createSequenceStore } from '../decoding/sequence-tokens.ts'
import { openStateStore, type StateStore } from '../states/state-store.ts'

/** A loaded model. */
export type LoadedModel = {
  request: LoadRequest
  backend: Backend
  /** Runs every step of the model with the number of threads that suits the machine. */
  threads: ThreadControl
  model: LlamaModel
  contextTokens: number
  template: ChatTemplate
  endMarkers: readonly string[]
  /** Tokens that end a reply, although a reply could contain their text. */
  endTokens: ReadonlySet<number>
  writer: PromptWriter
  pool: SequencePool
  /** Closed while a foreground answer is running. */
  gate: ForegroundGate
  /** Evaluated prompts on disk; undefined if disabled. */
  states: StateStore | undefined
  /** Decode `tokens` that follow the tokens `before`, markup included. */
  decode: (tokens: readonly number[], before: readonly number[]) => string
  /** Recent prompt reading speed in tokens per second; 0 before the first prompt. */
  readingSpeed: number
  close(): Promise<void>
}

const closeMs = 2_000

/**
 * Load a model and create its context. `cannotRun` means that the library itself cannot be opened. Throws if
 * `signal` aborts.
 */
export async function loadModel(
  request: LoadRequest,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<LoadedModel | { failure: EngineFailure; cannotRun?: boolean }> {
  let runtime
  try {
    runtime = await openRuntime(request.gpu)
  } catch (error) {
    return { failure: explainMissingLibrary(error), cannotRun: !(error instanceof NoCardError) }
  }
  signal.throwIfAborted()
  runtime.complaints.length = 0
  try {
    return await load(runtime, request, signal, onProgress)
  } catch (error) {
    signal.throwIfAborted()
    return { failure: cannotLoad(request, error, runtime.complaints) }
  }
}

/**
 * Eight-bit types, which the library calls unstable because some cards and models reject them. They are
 * measured (`bench -- --only contexts`) and off by default. A context that cannot be created is reported as a
 * failure.
 */
const eightBits = { experimentalKvCacheKeyType: 'Q8_0', experimentalKvCacheValueType: 'Q8_0' } as const

async function load(
  { llama }: Runtime,
  request: LoadRequest,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<LoadedModel> {
  const onCard = llama.gpu !== false
  const mostThreads = threadCount(request.threads, { fastCores: llama.cpuMathCores })
  llama.maxThreads = mostThreads
  const model = await llama.loadModel({
    modelPath: request.path,
    useMmap: request.mapFile,
    loadSignal: signal,
    onLoadProgress: onProgress,
    ...(onCard && { gpuLayers: request.gpuLayers ?? { fitContext: { contextSize: request.contextTokens } } }),
    // The host has already checked the memory; the library's own estimate is often too high.
    ignoreMemorySafetyChecks: !onCard || request.force,
  })
  let context: LlamaContext | undefined
  try {
    let pool: SequencePool | undefined
    context = await model.createContext({
      contextSize: request.contextTokens,
      sequences: request.sequences,
      batchSize: request.batch,
      threads: mostThreads,
      flashAttention: request.contextBits === 8 || (request.flashAttention ?? 'auto'),
      ...(request.contextBits === 8 && eightBits),
      swaFullCache: true,
      createSignal: signal,
      ignoreMemorySafetyChecks: !onCard || request.force,
      // A single conversation has no batch to wait for. On a graphics card two conversations share one batch.
      batching: {
        dispatchSchedule: dispatch => ((pool?.active ?? 0) > 1 ? setImmediate(dispatch) : dispatch()),
      },
    })
    const useThreads = (count: number) => void (llama.maxThreads = count)
    const threads = (request.threads === 'auto' ? adaptThreads : fixedThreads)(mostThreads, useThreads)
    const states = request.states && openStateStore(request.states, await settingsOf(context))
    const gate = createForegroundGate()
    const sequences = createSequenceStore(states, sessionId => loaded.writer.kept(sessionId) ?? [])
    pool = createSequencePool(context, gate, sequences)
    const backend = llama.gpu || 'cpu'
    const loaded = describe({ backend, model, context, pool, gate, states, request, threads })
    return loaded
  } catch (error) {
    await closeInTime([context, model])
    throw error
  }
}

/** Return the settings, besides the model, that a saved state depends on. */
async function settingsOf(context: LlamaContext): Promise<Record<string, unknown>> {
  const { getModuleVersion } = await import('node-llama-cpp')
  const { llamaCppRelease } = context.model.llama
  return {
    library: [await getModuleVersion(), llamaCppRelease.repo, llamaCppRelease.release],
    machine: [process.platform, process.arch, context.model.llama.gpu, context.model.gpuLayers],
    contextTokens: context.contextSize,
    sequences: context.totalSequences,
    flashAttention: context.flashAttention,
    types: [context.kvCacheKeyType, context.kvCacheValueType],
  }
}

type Opened = Omit<
  LoadedModel,
  'contextTokens' | 'template' | 'endMarkers' | 'endTokens' | 'writer' | 'decode' | 'readingSpeed' | 'close'
> & { context: LlamaContext }

function describe({ context, ...opened }: Opened): LoadedModel {
  const { model, request } = opened
  const { bos, bosString, eosString } = model.tokens
  const { tokenizer } = model.fileInfo.metadata
  const template = readTemplate(templateOf(tokenizer), { bos: bosString ?? '', eos: eosString ?? '' })
  const isSpaced = addsSpace(model)
  return {
    ...opened,
    // The library rounds up to a multiple of 256. The prompt was built for the requested size.
    contextTokens: Math.min(context.contextSize, request.contextTokens),
    template,
    endMarkers: [...new Set([...template.endMarkers, ...spelledEnds(model)])],
    endTokens: new Set(template.endWords.flatMap(word => tokenOf(model, word))),
    writer: createPromptWriter(model, template),
    decode: (tokens, before) =>
      model.detokenize(
        tokens.filter(token => token !== bos) as Token[],
        true,
        isSpaced ? (before as Token[]) : undefined,
      ),
    readingSpeed: 0,
    // Wait for a write in progress, unless it hangs.
    close: () => closeInTime([{ dispose: async () => opened.states?.close() }, context, model]),
  }
}

/** Return the special token that a mark starts with, if any. As plain text, its letters are other tokens. */
function tokenOf(model: LlamaModel, mark: string): number[] {
  const [token] = model.tokenize(mark, true)
  return token === undefined || token === model.tokenize(mark, false)[0] ? [] : [token]
}

/** Return the end-of-turn marks that no text contains by chance, unlike `</assistant>`. */
function spelledEnds(model: LlamaModel): string[] {
  const { eosString, eotString } = model.tokens
  return [eosString, eotString].flatMap(text => (text && isUnmistakable(text) ? text : []))
}

/** Free memory. Work that does not finish in time is abandoned, which is better than a hanging program. */
async function closeInTime(owned: readonly ({ dispose(): Promise<void> } | undefined)[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, closeMs)
  const dispose = async () => {
    for (const each of owned) await each?.dispose()
  }
  await Promise.race([dispose().catch(() => undefined), late.promise])
  clearTimeout(timer)
}

/** Explain why the native library could not be opened. */
export function explainMissingLibrary(error: unknown): EngineFailure {
  return {
    code: 'internal',
    text: `The engine for local models cannot run on this machine: ${reasonOf(error)}`,
    fix: 'Install Talaria again, or use a model on a server.',
  }
}

function cannotLoad(
  { path, contextBits }: LoadRequest,
  error: unknown,
  complaints: readonly string[],
): EngineFailure {
  const reason = tellingReason(error, complaints)
  const name = error instanceof Error ? error.constructor.name : ''
  if (name === 'InsufficientMemoryError' || /alloc|out of memory|insufficient/i.test(reason)) {
    return {
      code: 'out_of_memory',
      text: `There is not enough memory for ${path}: ${reason}.`,
      fix: 'Close other programs, choose a smaller model, or lower the context size in the settings.',
    }
  }
  if (contextBits === 8 && /create context/i.test(reason)) {
    return {
      code: 'internal',
      text: `${path} cannot use a context of eight bits on this computer.`,
      fix: 'Set the precision of its context back to 16 bits in its settings on the Models page.',
    }
  }
  if (/unknown model architecture/i.test(reason)) {
    return {
      code: 'model_unreadable',
      text: `${path} is of a kind that this version of Talaria does not know: ${reason}.`,
      fix: 'Update Talaria, or choose another model.',
    }
  }
  return {
    code: 'model_unreadable',
    text: `${path} cannot be loaded: ${reason}.`,
    fix: 'Download the file again, or choose another model.',
  }
}

/** Find the reason that loading failed. It is not in the error but in the log, after function names. */
function tellingReason(error: unknown, complaints: readonly string[]): string {
  const said = complaints
    .filter(line => /^(error|fatal):/.test(line))
    .map(line => line.replace(/^\w+: (\w+: )*(error loading model: )?/, '').replace(/\.$/, ''))
    .filter(line => !/^failed to (load model|read key-value pairs)/i.test(line))
  return said[0] ?? reasonOf(error)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
