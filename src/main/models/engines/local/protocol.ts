import type { Usage } from '../../../shared/contract/messages.ts'
import type { EngineFailure, Prompt, Sampling } from '../engine.ts'
import type { Backend, GpuChoice } from './backends.ts'

/** How a model is to be loaded. */
export type LoadRequest = {
  path: string
  contextTokens: number
  /** Conversations whose evaluated tokens are held at the same time. */
  sequences: number
  threads: 'auto' | number
  /** What the library is opened for; a process has one. */
  gpu: GpuChoice
  /** Layers on the graphics card; undefined lets the library choose how many fit. */
  gpuLayers: number | undefined
  /** Tokens that go through the model at once. */
  batch: number
  /** Load although the library thinks that it does not fit. */
  force: boolean
  /** Compute attention in tiles; undefined lets the library choose. */
  flashAttention: boolean | undefined
  /** Map the file into memory instead of reading it: less memory at first, more while it runs. */
  mapFile: boolean
  /** What a prompt gets that asks for nothing else. */
  sampling: Sampling
  /** Where evaluated prompts outlive the engine; undefined keeps none. */
  states: StateFolder | undefined
}

/** A folder of saved engine states. `model` names the model file by its content; `maxBytes` is for all models together. */
export type StateFolder = { folder: string; maxBytes: number; model: string }

/** What the native library found in this process. Byte counts are those of all graphics cards together. */
export type RuntimeFacts = {
  backend: Backend
  /** The names of the graphics cards. */
  devices: string[]
  totalBytes: number
  freeBytes: number
  /** The release of llama.cpp. */
  release: string
  /** What the library says of the processor that it uses. */
  system: string
}

/** What a loaded model tells about itself. */
export type Loaded = {
  backend: Backend
  /** Layers on the graphics card. */
  gpuLayers: number
  contextTokens: number
  sequences: number
  /** As many threads as it begins with. */
  threads: number
  /** Whether a longer chat only adds to the prompt of a shorter one. */
  appendOnly: boolean
  /** Why the model's own chat template is not in use. */
  templateProblem: string | undefined
  /** Tokens that `sampleText` takes in this vocabulary. */
  sampleTokens: number
}

/** What the host asks of the engine; every question with an `id` gets exactly one `end`. */
export type ToEngine =
  | { t: 'look'; id: number; gpu: GpuChoice }
  | { t: 'load'; id: number; request: LoadRequest }
  | { t: 'benchmark'; id: number }
  | { t: 'complete'; id: number; prompt: Prompt }
  | { t: 'count'; id: number; text: string }
  | { t: 'forget'; id: number; sessionId: string }
  | { t: 'cancel'; id: number }

/**
 * How a question ended. With `cannotRun`, this process can run no model at all; `trace` is for the log, and so is `trouble`,
 * which did no harm to the answer.
 */
export type EngineResult =
  | { kind: 'loaded'; loaded: Loaded }
  | { kind: 'done'; stop: 'end' | 'length'; usage: Usage; trouble?: string }
  | { kind: 'count'; tokens: number }
  | { kind: 'forgotten' }
  | { kind: 'looked'; runtime: RuntimeFacts }
  | ({ kind: 'measured' } & Speeds)
  | { kind: 'failed'; failure: EngineFailure; cannotRun?: boolean; trace?: string }
  | { kind: 'stopped' }

/** Tokens a second. */
export type Speeds = { threads: number; promptPerSecond: number; writePerSecond: number }

/** What the engine says on the way to an `end`. */
export type EngineProgress =
  | { t: 'progress'; id: number; phase: 'loading' | 'reading'; done: number; total: number }
  | { t: 'text'; id: number; text: string }

/** `hello` comes once, before anything is loaded; `pulse` comes while there is work, to tell slow from dead. */
export type FromEngine =
  | { t: 'hello' }
  | { t: 'pulse' }
  | EngineProgress
  | { t: 'end'; id: number; result: EngineResult }

/** Where a completion reports to while it runs. */
export type Progress = {
  reading: (done: number, total: number) => void
  text: (text: string) => void
}

export const pulseMs = 2_000

/** Tokens that go through the model at once, where nobody says otherwise; more would only take memory, since a prompt is read in short pieces. */
export const batchTokens = 256

/** Prose, code and data in the mixture of a chat with tools, to compare vocabularies with. */
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

/** Both sides are ours, so only the outline is checked: it keeps a stray message from becoming a crash. */
export function isToEngine(value: unknown): value is ToEngine {
  return isObject(value) && typeof value['id'] === 'number' && typeof value['t'] === 'string'
}

/** The outline of what an engine says. */
export function isFromEngine(value: unknown): value is FromEngine {
  if (!isObject(value) || typeof value['t'] !== 'string') return false
  return value['t'] === 'hello' || value['t'] === 'pulse' || typeof value['id'] === 'number'
}
