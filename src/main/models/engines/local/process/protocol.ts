import type { Usage } from '../../../../../shared/contract/chats/messages.ts'
import type { Refusal } from '../../../../../shared/contract/models/model.ts'
import type { EngineFailure, Prompt, Sampling } from '../../../interface/engine.ts'
import type { Backend, GpuChoice } from './backends.ts'

/** Bits of each key and value in a context. Eight bits take about half the memory. */
export type ContextBits = 8 | 16

/** A request to load a model. */
export type LoadRequest = {
  path: string
  contextTokens: number
  /** Maximum number of conversations whose evaluated tokens are kept at the same time. */
  sequences: number
  threads: 'auto' | number
  /** The back end to open the library for. A process can open only one. */
  gpu: GpuChoice
  /** Number of layers on the graphics card; undefined lets the library choose how many fit. */
  gpuLayers: number | undefined
  /** Batch size in tokens. */
  batch: number
  /** Load even if the library thinks that the model does not fit. */
  force: boolean
  /** Use flash attention; undefined lets the library choose. */
  flashAttention: boolean | undefined
  /** Bits of each key and value in the context; 16 if absent. Eight need flash attention. */
  contextBits?: ContextBits | undefined
  /** Map the file into memory instead of reading it: less memory at first, more while the model runs. */
  mapFile: boolean
  /** Default sampling for prompts without their own. */
  sampling: Sampling
  /** Where to save evaluated prompts; undefined to save none. */
  states: StateFolder | undefined
}

/**
 * A folder of saved engine states. `model` identifies the model file by its content. `maxBytes` applies to
 * all models together.
 */
export type StateFolder = { folder: string; maxBytes: number; model: string }

/** Facts about the native library in this process. Byte counts are sums over all graphics cards. */
export type RuntimeFacts = {
  backend: Backend
  /** The names of the graphics cards. */
  devices: string[]
  totalBytes: number
  freeBytes: number
  /** The release of llama.cpp. */
  release: string
  /** The library's description of the processor in use. */
  system: string
}

/** Facts about a loaded model. */
export type Loaded = {
  backend: Backend
  /** Number of layers on the graphics card. */
  gpuLayers: number
  contextTokens: number
  sequences: number
  /** Initial number of threads. */
  threads: number
  /** Whether a longer chat only appends to the prompt of a shorter one. */
  appendOnly: boolean
  /** The reason the model's own chat template is not used. */
  templateProblem: string | undefined
  /** Number of tokens of `sampleText` in this vocabulary. */
  sampleTokens: number
}

/** Messages from the host to the engine. Every question with an `id` gets exactly one `end`. */
export type ToEngine =
  | { t: 'look'; id: number; gpu: GpuChoice }
  | { t: 'load'; id: number; request: LoadRequest }
  | { t: 'benchmark'; id: number }
  | { t: 'complete'; id: number; prompt: Prompt }
  | { t: 'count'; id: number; text: string }
  /** Forget one chat, or all chats. */
  | { t: 'forget'; id: number; sessionId: string | undefined }
  /** Stop all other work, and save the chats' evaluated tokens: the engine will be ended. */
  | { t: 'keep'; id: number }
  /** Needs no loaded model. The encoder in the file `path` is loaded, and stays loaded. */
  | { t: 'embed'; id: number; path: string; texts: readonly string[] }
  | { t: 'cancel'; id: number }

/**
 * The outcome of a question. With `cannotRun`, this process cannot run any model. `trace` and `trouble` are
 * for the log. `trouble` is a problem that did not harm the answer.
 */
export type EngineResult =
  | { kind: 'loaded'; loaded: Loaded }
  | { kind: 'done'; stop: 'end' | 'length'; usage: Usage; trouble?: string }
  | { kind: 'count'; tokens: number }
  | { kind: 'forgotten' }
  | { kind: 'kept'; trouble: string | undefined }
  | { kind: 'embedded'; vectors: Float32Array[] }
  | { kind: 'looked'; runtime: RuntimeFacts }
  | ({ kind: 'measured' } & Speeds)
  | { kind: 'failed'; failure: EngineFailure; cannotRun?: boolean; trace?: string }
  | { kind: 'stopped' }

/** Speeds in tokens per second. */
export type Speeds = { threads: number; promptPerSecond: number; writePerSecond: number }

/** The tokens of a prompt, and how many of them were reused. */
type PromptRead = Pick<Usage, 'promptTokens' | 'reusedTokens' | 'contextTokens'>

/** Messages from the engine before the `end` of a question. */
export type EngineProgress =
  | { t: 'progress'; id: number; phase: 'loading' | 'reading'; done: number; total: number }
  | { t: 'text'; id: number; text: string }
  /** Sent once, before the text: what the end of the prompt leaves open. */
  | { t: 'open'; id: number; text: string }
  /** Sent once, before the text: the chat template refuses this conversation. */
  | { t: 'refusal'; id: number; refusal: Refusal }
  /** Sent once, before the text: the tokens that were read. */
  | ({ t: 'read'; id: number } & PromptRead)

/**
 * All messages from the engine. `hello` is sent once, before anything is loaded. `pulse` is a heartbeat while
 * there is work, to distinguish a slow engine from a dead one.
 */
export type FromEngine =
  | { t: 'hello' }
  | { t: 'pulse' }
  /** The engine is ending because of an uncaught error. */
  | { t: 'crash'; trace: string }
  | EngineProgress
  | { t: 'end'; id: number; result: EngineResult }

/** Callbacks of a running completion. */
export type Progress = {
  reading: (done: number, total: number) => void
  text: (text: string) => void
  /** The open end of the prompt, such as the start of a message. Precedes the text, if called. */
  open?: (text: string) => void
  /** The chat template refuses the conversation, which is then written in another way. Precedes the text. */
  refused?: (refusal: Refusal) => void
  /** The prompt was read. Precedes the text. */
  read?: (what: PromptRead) => void
}

export const pulseMs = 2_000

/** Default batch size in tokens. A larger one would only take memory: prompts are read in short chunks. */
export const batchTokens = 256

/** A sample of prose, code and data as in a chat with tools, to compare vocabularies. */
export const sampleText = `The tests pass now, but the build still warns about two unused imports in src/main.ts.
Shall I remove them? I would rather keep the change small: one file, three lines.

export async function readNotes(folder: string): Promise<string[]> {
  const names = await readdir(folder, { withFileTypes: true })
  return names.filter(entry => entry.isFile()).map(entry => entry.name)
}

{"name": "run_command", "arguments": {"command": "git status --short", "timeout": 30}}
-rw-r--r-- 1 ada ada  2048 Mar 14 09:26 notes.md
Meeting moved to Thursday, 15:30, room 204. Bring the printed figures (pages 3–12).
`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Check only the outline, against stray messages: both sides are our own code. */
export function isToEngine(value: unknown): value is ToEngine {
  return isObject(value) && typeof value['id'] === 'number' && typeof value['t'] === 'string'
}

/** Check the outline of a message from an engine. */
export function isFromEngine(value: unknown): value is FromEngine {
  if (!isObject(value) || typeof value['t'] !== 'string') return false
  if (value['t'] === 'crash') return typeof value['trace'] === 'string'
  return value['t'] === 'hello' || value['t'] === 'pulse' || typeof value['id'] === 'number'
}
