import { z } from 'zod'
import { call } from '../rpc.ts'

/** What a person may set for one model; what is absent is decided by Talaria or by the general settings. */
export const ModelOptions = z.object({
  contextTokens: z.int().min(512).max(1_048_576).optional(),
  gpuLayers: z.int().min(0).max(1_000).optional(),
  threads: z.int().min(1).max(256).optional(),
  batchTokens: z.int().min(32).max(4_096).optional(),
  temperature: z.number().min(0).max(5).optional(),
  topK: z.int().min(1).max(1_000).optional(),
  topP: z.number().min(0).max(1).optional(),
  minP: z.number().min(0).max(1).optional(),
  strategy: z.enum(['text', 'structured']).optional(),
  /** The notation of tool calls, by the id that `EngineInfo.dialects` lists. */
  dialect: z.string().max(60).optional(),
})
export type ModelOptions = z.infer<typeof ModelOptions>

/** What a file says about the model in it, read without loading. Texts are empty and numbers 0 where it does not say. */
export const ModelFile = z.object({
  path: z.string(),
  /** Its folder, short enough to be shown. */
  folder: z.string(),
  /** Whether it lies in Talaria’s own folder, so that removing it deletes the file. */
  owned: z.boolean(),
  /** Files that it is split over. */
  parts: z.int(),
  architecture: z.string(),
  parameters: z.number(),
  /** `Q4_K_M`, `Q8_0`, `F16` and the like. */
  quantisation: z.string(),
  bitsPerWeight: z.number(),
  trainedTokens: z.int(),
  licence: z.string(),
  hasTemplate: z.boolean(),
  /** The notation in which it calls tools, its name in words, and how that is known: from its template, its name, or not at all. */
  dialect: z.object({ id: z.string(), name: z.string(), from: z.enum(['template', 'name', 'default']) }),
  /** The projector for images beside it; empty when there is none. */
  vision: z.string(),
})
export type ModelFile = z.infer<typeof ModelFile>

/** A model on a server. `key` tells where its key comes from, never the key. */
export const ModelServer = z.object({
  serverId: z.string(),
  protocol: z.enum(['openai', 'anthropic']),
  baseUrl: z.string(),
  model: z.string(),
  /** Whether the server runs on this computer, so that nothing leaves it. */
  nearby: z.boolean(),
  key: z.enum(['stored', 'environment', 'none']),
})
export type ModelServer = z.infer<typeof ModelServer>

/** A model that a chat can use. `demo` marks the built-in one; `problem` says why it cannot be used now. */
export const Model = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['builtin', 'file', 'server']),
  detail: z.string(),
  sizeBytes: z.number().nullable(),
  contextTokens: z.int().nullable(),
  demo: z.boolean(),
  problem: z.string().nullable(),
  file: ModelFile.nullable().default(null),
  server: ModelServer.nullable().default(null),
  options: ModelOptions.default({}),
})
export type Model = z.infer<typeof Model>

/** Something that a person can do about a model that does not load, as a button. */
export const LoadFix = z.discriminatedUnion('do', [
  z.object({ do: z.literal('context'), tokens: z.int() }),
  z.object({ do: z.literal('layers'), gpuLayers: z.int() }),
  z.object({ do: z.literal('cpu') }),
  /** Load although the estimate says that it will not fit. */
  z.object({ do: z.literal('anyway') }),
  z.object({ do: z.literal('smaller') }),
  z.object({ do: z.literal('again') }),
])
export type LoadFix = z.infer<typeof LoadFix>

/**
 * Where the local engine stands. `error` is a sentence, `fix` what a person can do about it, `fixes` the same as buttons;
 * `notice` says in what way a model that is loaded has less than was asked for.
 */
export const EngineState = z.object({
  phase: z.enum(['stopped', 'starting', 'loading', 'ready', 'busy', 'failed']),
  modelId: z.string().nullable(),
  modelName: z.string(),
  progress: z.number().min(0).max(1).nullable(),
  contextTokens: z.int().nullable(),
  hosting: z.enum(['process', 'inline']),
  error: z.string().nullable(),
  fix: z.string().nullable(),
  fixes: z.array(LoadFix).default([]),
  notice: z.string().nullable(),
})
export type EngineState = z.infer<typeof EngineState>

/** A graphics card, or several of one kind, as the engine sees them. */
export const Gpu = z.object({
  backend: z.enum(['cuda', 'vulkan', 'metal']),
  names: z.array(z.string()),
  totalBytes: z.number(),
  freeBytes: z.number(),
})
export type Gpu = z.infer<typeof Gpu>

/** This computer, as far as it decides which models run. `gpu` is null where there is none that the engine can use. */
export const Machine = z.object({
  cpu: z.string(),
  cores: z.int(),
  /** AVX2, AVX-512 and the like, where they can be found out. */
  instructions: z.array(z.string()),
  totalBytes: z.number(),
  freeBytes: z.number(),
  diskFreeBytes: z.number(),
  /** Where models are kept. */
  modelsFolder: z.string(),
  gpu: Gpu.nullable(),
  /** One sentence: the largest model that runs well here. */
  words: z.string(),
  /** Model files up to so many bytes run well here. */
  comfortableBytes: z.number(),
})
export type Machine = z.infer<typeof Machine>

/**
 * Whether a model fits into this computer with a context of `contextTokens`. `gpu`: all of it on the graphics card; `memory`: in
 * the memory of the computer; `too_big`: not now. Byte counts make up the memory bar; `freedBytes` is what is unloaded first.
 */
export const Fit = z.object({
  label: z.enum(['gpu', 'memory', 'too_big', 'unknown']),
  contextTokens: z.int(),
  /** The largest context that fits; 0 when none does. */
  mostContextTokens: z.int(),
  weightsBytes: z.number(),
  contextBytes: z.number(),
  buffersBytes: z.number(),
  processBytes: z.number(),
  neededBytes: z.number(),
  /** What there is, what others use of it, and what a model may take. */
  totalBytes: z.number(),
  othersBytes: z.number(),
  freedBytes: z.number(),
  availableBytes: z.number(),
  missingBytes: z.number(),
  /** Why the estimate is not to be relied on; empty when it is. */
  uncertain: z.string(),
})
export type Fit = z.infer<typeof Fit>

/** A model file that was found somewhere. `knownAs` is the model that it is already, `copyOf` one with the same content. */
export const FoundFile = z.object({
  path: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  parts: z.int(),
  /** The program in whose folder it lies; empty otherwise. */
  app: z.string(),
  knownAs: z.string().nullable(),
  copyOf: z.string().nullable(),
  problem: z.string().nullable(),
  file: ModelFile.nullable(),
  fit: Fit.nullable(),
})
export type FoundFile = z.infer<typeof FoundFile>

/** How fast a model was here, on a day. Speeds are tokens a second. */
export const Benchmark = z.object({
  modelId: z.string(),
  modelName: z.string(),
  at: z.number(),
  backend: z.string(),
  threads: z.int(),
  promptPerSecond: z.number(),
  writePerSecond: z.number(),
})
export type Benchmark = z.infer<typeof Benchmark>

/** The engine for local models. `devices` is empty on a processor. `diagnostics` is text to be copied, without secrets. */
export const EngineInfo = z.object({
  library: z.string(),
  backend: z.enum(['cpu', 'cuda', 'vulkan', 'metal']),
  devices: z.array(z.string()),
  /** Back ends whose binaries are installed. */
  installed: z.array(z.enum(['cpu', 'cuda', 'vulkan', 'metal'])),
  threads: z.int().nullable(),
  idleUnloadMinutes: z.number(),
  benchmarks: z.array(Benchmark),
  diagnostics: z.string(),
  /** The notations of tool calls that a model can be told to use, by id. */
  dialects: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type EngineInfo = z.infer<typeof EngineInfo>

const ServerAddress = z.object({
  protocol: z.enum(['openai', 'anthropic']).default('openai'),
  baseUrl: z.url({ protocol: /^https?$/ }).max(2_000),
  apiKey: z.string().max(1_000).default(''),
})

/** What a server answered when it was tried. `ok` is false when it could not be used; `text` says why, or what it is. */
export const ServerCheck = z.object({
  ok: z.boolean(),
  text: z.string(),
  fix: z.string(),
  models: z.array(z.object({ id: z.string(), contextTokens: z.int().nullable() })),
  ms: z.number(),
})
export type ServerCheck = z.infer<typeof ServerCheck>

const id = z.object({ id: z.string().min(1).max(4_200) })

/** The models at hand. `add` links a GGUF file where it is; `addServer` keeps the key outside the configuration file. */
export const model = {
  'model.list': call(z.object({}), z.object({ models: z.array(Model), defaultId: z.string() })),
  'model.add': call(z.object({ path: z.string().trim().min(1).max(4_096) }), Model),
  'model.addServer': call(
    ServerAddress.extend({
      /** Change this model instead; an empty key keeps the one that is stored, as long as the host is the same. */
      id: z.string().max(200).optional(),
      name: z.string().trim().min(1).max(60),
      model: z.string().trim().min(1).max(200),
    }),
    Model,
  ),
  /** Ask a server what it is and which models it has. An empty key stands for the one that is stored for `id`. */
  'model.tryServer': call(
    ServerAddress.extend({ id: z.string().max(200).optional(), model: z.string().max(200).default('') }),
    ServerCheck,
  ),
  'model.forget': call(id, z.object({})),
  /** Delete a file in Talaria’s own folder, all its parts. */
  'model.deleteFile': call(id, z.object({})),
  'model.setDefault': call(id, z.object({})),
  'model.setOptions': call(id.extend({ options: ModelOptions }), Model),
  /** Load now. `anyway` does not ask whether it fits; options of this one time lie over those of the model. */
  'model.load': call(
    id.extend({
      anyway: z.boolean().default(false),
      cpu: z.boolean().default(false),
      options: ModelOptions.optional(),
    }),
    z.object({}),
  ),
  /** Stop loading; nothing happens when nothing is being loaded. */
  'model.cancelLoad': call(z.object({}), z.object({})),
  'model.unload': call(z.object({}), z.object({})),
  'model.fit': call(id.extend({ contextTokens: z.int().min(512).optional() }), Fit),
  /** Look at what a path means before it is added: a file, or a folder with files. */
  'model.look': call(
    z.object({ path: z.string().trim().min(1).max(4_096) }),
    z.object({ files: z.array(FoundFile) }),
  ),
  /** Look into the folders of LM Studio, Jan, GPT4All and Ollama; only when a person asks. */
  'model.scanApps': call(z.object({}), z.object({ files: z.array(FoundFile), looked: z.array(z.string()) })),
  'machine.look': call(z.object({}), Machine),
  'engine.info': call(z.object({}), EngineInfo),
  /** Measure a model that is loaded, or load it first. Takes some seconds. */
  'engine.benchmark': call(id, Benchmark),
}
