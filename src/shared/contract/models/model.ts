import { z } from 'zod'
import { call, stream } from '../../rpc.ts'

/** The user's options for one model. Absent options are decided by Talaria or the general settings. */
export const ModelOptions = z.object({
  contextTokens: z.int().min(512).max(1_048_576).optional(),
  gpuLayers: z.int().min(0).max(1_000).optional(),
  threads: z.int().min(1).max(256).optional(),
  batchTokens: z.int().min(32).max(4_096).optional(),
  /** How many chats a local model keeps in memory at the same time, if they fit; others wait, or are read from disk. */
  chats: z.int().min(1).max(8).optional(),
  /** Bits per key and value in the context of a local model: 16, or 8 for about half the memory. */
  contextBits: z.literal([8, 16]).optional(),
  temperature: z.number().min(0).max(5).optional(),
  topK: z.int().min(1).max(1_000).optional(),
  topP: z.number().min(0).max(1).optional(),
  minP: z.number().min(0).max(1).optional(),
  repeatPenalty: z.number().min(0.1).max(3).optional(),
  strategy: z.enum(['text', 'structured']).optional(),
  /** The tool-call format, by an id from `EngineInfo.formats`. */
  format: z.string().max(60).optional(),
  /** Whether a local model thinks before it answers, if its chat template can control that. */
  thinking: z.enum(['on', 'off']).optional(),
})
export type ModelOptions = z.infer<typeof ModelOptions>

/**
 * Why chats with a local model are reread. `part`: the whole chat in each turn, or only the last answer with
 * each new question. Its chat template writes `was` at first and `becomes` later, after a message of the role
 * in `behind`; `becomes` is empty if the later text is unknown.
 */
export const Rereads = z.object({
  part: z.enum(['chat', 'answer']),
  behind: z.enum(['start', 'system', 'user', 'assistant', 'tool']),
  was: z.string(),
  becomes: z.string(),
})
export type Rereads = z.infer<typeof Rereads>

/** How chats are rendered that the model's chat template refuses, and the template’s reason. */
export const Refusal = z.object({ as: z.enum(['fewer_roles', 'general']), why: z.string() })
export type Refusal = z.infer<typeof Refusal>

/** The metadata of a model file, read without loading it. Missing texts are empty and missing numbers 0. */
export const ModelFile = z.object({
  path: z.string(),
  /** The folder of the file, shortened for display. */
  folder: z.string(),
  /** Whether the file is in Talaria’s own folder, so that removing the model deletes the file. */
  owned: z.boolean(),
  /** The number of files that the model is split into. */
  parts: z.int(),
  architecture: z.string(),
  parameters: z.number(),
  /** The quantisation, such as `Q4_K_M`, `Q8_0` or `F16`. */
  quantisation: z.string(),
  bitsPerWeight: z.number(),
  trainedTokens: z.int(),
  licence: z.string(),
  /** The file has no chat template, so it looks like a base model, which continues texts and does not answer. */
  base: z.boolean(),
  /** Why its chat template cannot be used; null if it can, or if there is none. */
  templateProblem: z.string().nullable(),
  /** How chats are rendered that its chat template refuses; null if it accepts all that were tested. */
  refuses: Refusal.nullable(),
  /** Why chats with the model are reread; null if a longer chat only appends. */
  rereads: Rereads.nullable(),
  /** The values that its thinking can be set to: those that change the output of its chat template. */
  thinking: z.array(z.enum(['on', 'off'])),
  /** Its chat template describes tools. Only a test shows whether the model calls them. */
  madeForTools: z.boolean(),
  /** The tool-call format, its display name, and how it was detected: from the template, the name, or not at all. */
  format: z.object({ id: z.string(), name: z.string(), from: z.enum(['template', 'name', 'default']) }),
  /** The image projector next to the file; empty if there is none. */
  vision: z.string(),
})
export type ModelFile = z.infer<typeof ModelFile>

/** A model on a server. `key` is the origin of its key, never the key itself. */
export const ModelServer = z.object({
  serverId: z.string(),
  protocol: z.enum(['openai', 'anthropic']),
  baseUrl: z.string(),
  model: z.string(),
  /** Whether the server runs on this computer, so that nothing leaves it. */
  nearby: z.boolean(),
  key: z.enum(['stored', 'environment', 'none']),
  /** How long the server may take to start an answer, in seconds; null if not set. */
  startTimeoutS: z.int().nullable().default(null),
  /** The size of its context window as the user has set it, in tokens; null if not set. */
  contextTokens: z.int().nullable().default(null),
  /** Whether the model accepts pictures, as a test or its name shows; absent if unknown. */
  sees: z.boolean().optional(),
})
export type ModelServer = z.infer<typeof ModelServer>

/**
 * The result of testing a model with three tool calls. `work`: it made all of them by itself. `helped`: all
 * were valid, but some only after the call was started for it, or after it was told which tool to use.
 * `fail`: some were still not valid.
 */
export const ToolsVerdict = z.object({
  tools: z.enum(['work', 'helped', 'fail']),
  /** How many calls the model made by itself, and how many were requested. */
  byItself: z.int().min(0).max(100),
  of: z.int().min(1).max(100),
  at: z.number(),
})
export type ToolsVerdict = z.infer<typeof ToolsVerdict>

/** One step of a tool test. The last step is the verdict, explained in words. */
export const ToolsTest = z.discriminatedUnion('step', [
  z.object({ step: z.literal('loading') }),
  z.object({ step: z.literal('asking'), tool: z.string(), number: z.int(), of: z.int() }),
  z.object({
    step: z.literal('answered'),
    tool: z.string(),
    how: z.enum(['by itself', 'begun for it', 'not']),
    problem: z.string().nullable(),
  }),
  z.object({ step: z.literal('verdict'), verdict: ToolsVerdict, text: z.string(), fix: z.string() }),
])
export type ToolsTest = z.infer<typeof ToolsTest>

/** Maximum number of references of a mixture. */
export const MOST_REFERENCES = 6

/** The models that give advice and the model that answers, by id. `away`: at least one is on a server elsewhere. */
const ModelMixture = z.object({
  references: z.array(z.string()),
  aggregator: z.string(),
  /** How long a reference may take to answer, in seconds. */
  waitS: z.int(),
  away: z.boolean(),
})

/** A model for chats. `demo` marks the built-in one; `problem` says why it cannot be used now. */
export const Model = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['builtin', 'file', 'server', 'mixture']),
  detail: z.string(),
  sizeBytes: z.number().nullable(),
  contextTokens: z.int().nullable(),
  demo: z.boolean(),
  problem: z.string().nullable(),
  file: ModelFile.nullable().default(null),
  server: ModelServer.nullable().default(null),
  mixture: ModelMixture.optional(),
  options: ModelOptions.default({}),
  /** Null if the tools of the model, with its current options, were not tested. The built-in model was tested before release. */
  tools: ToolsVerdict.nullable().default(null),
})
export type Model = z.infer<typeof Model>

/** A fix for a model that does not load, shown as a button. */
export const LoadFix = z.discriminatedUnion('do', [
  z.object({ do: z.literal('context'), tokens: z.int() }),
  z.object({ do: z.literal('layers'), gpuLayers: z.int() }),
  z.object({ do: z.literal('cpu') }),
  /** Load despite the estimate that it will not fit. */
  z.object({ do: z.literal('anyway') }),
  z.object({ do: z.literal('smaller') }),
  z.object({ do: z.literal('again') }),
])
export type LoadFix = z.infer<typeof LoadFix>

/**
 * The state of the local engine. `error` is a sentence, `fix` what the user can do about it, `fixes` the same
 * as buttons; `notice` says how a loaded model falls short of its settings.
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

/** The parts of this computer that decide which models run. `gpu` is null without a graphics card that the engine can use. */
export const Machine = z.object({
  cpu: z.string(),
  cores: z.int(),
  /** Instruction sets such as AVX2 and AVX-512, where they can be detected. */
  instructions: z.array(z.string()),
  totalBytes: z.number(),
  freeBytes: z.number(),
  diskFreeBytes: z.number(),
  /** The folder for model files. */
  modelsFolder: z.string(),
  gpu: Gpu.nullable(),
  /** One sentence: the largest model that runs well here. */
  words: z.string(),
  /** Model files up to this size in bytes run well here. */
  comfortableBytes: z.number(),
})
export type Machine = z.infer<typeof Machine>

/**
 * Whether a model fits into this computer with a context of `contextTokens`. `gpu`: all of it on the graphics
 * card; `memory`: in main memory; `too_big`: not now. The byte counts are the parts of the memory bar;
 * `freedBytes` is freed by unloading a model.
 */
export const Fit = z.object({
  label: z.enum(['gpu', 'memory', 'too_big', 'unknown']),
  contextTokens: z.int(),
  /** The number of simultaneous chats that the byte counts are for. */
  chats: z.int().default(1),
  /** The largest context that fits; 0 if none fits. */
  mostContextTokens: z.int(),
  weightsBytes: z.number(),
  contextBytes: z.number(),
  buffersBytes: z.number(),
  processBytes: z.number(),
  neededBytes: z.number(),
  /** The total memory, the part that others use, and the part that a model may use. */
  totalBytes: z.number(),
  othersBytes: z.number(),
  freedBytes: z.number(),
  availableBytes: z.number(),
  missingBytes: z.number(),
  /** Why the estimate is unreliable; empty if it is reliable. */
  uncertain: z.string(),
})
export type Fit = z.infer<typeof Fit>

/** A model file found on this computer. `knownAs` is the model that already uses it, `copyOf` a model with the same content. */
export const FoundFile = z.object({
  path: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  parts: z.int(),
  /** The program that owns its folder; empty otherwise. */
  app: z.string(),
  knownAs: z.string().nullable(),
  copyOf: z.string().nullable(),
  problem: z.string().nullable(),
  file: ModelFile.nullable(),
  fit: Fit.nullable(),
})
export type FoundFile = z.infer<typeof FoundFile>

/** A benchmark of a model on this computer. Speeds are tokens per second. */
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

/** The local engine. `devices` is empty without a graphics card. `diagnostics` is a text to copy, without secrets. */
export const EngineInfo = z.object({
  library: z.string(),
  backend: z.enum(['cpu', 'cuda', 'vulkan', 'metal']),
  devices: z.array(z.string()),
  /** Back ends with installed binaries. */
  installed: z.array(z.enum(['cpu', 'cuda', 'vulkan', 'metal'])),
  threads: z.int().nullable(),
  idleUnloadMinutes: z.number(),
  benchmarks: z.array(Benchmark),
  diagnostics: z.string(),
  /** The tool-call formats that can be set for a model, by id. */
  formats: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type EngineInfo = z.infer<typeof EngineInfo>

/** Minimum and maximum of the time limit for the start of an answer, in seconds. */
export const START_TIMEOUT_S = [1, 86_400] as const
const StartTimeout = z.int().min(START_TIMEOUT_S[0]).max(START_TIMEOUT_S[1])

/** The smallest and the largest context window that can be set for a model on a server, in tokens. */
export const SERVER_CONTEXT = [512, 4_000_000] as const
const SetContext = z.int().min(SERVER_CONTEXT[0]).max(SERVER_CONTEXT[1])

const ServerAddress = z.object({
  protocol: z.enum(['openai', 'anthropic']).default('openai'),
  baseUrl: z.url({ protocol: /^https?$/ }).max(2_000),
  apiKey: z.string().max(1_000).default(''),
})

/** The result of a connection test. `ok` is false if the server cannot be used; `text` gives the reason or describes the server. */
export const ServerCheck = z.object({
  ok: z.boolean(),
  text: z.string(),
  fix: z.string(),
  models: z.array(z.object({ id: z.string(), contextTokens: z.int().nullable() })),
  ms: z.number(),
})
export type ServerCheck = z.infer<typeof ServerCheck>

const id = z.object({ id: z.string().min(1).max(4_200) })

/** The models. `add` links a GGUF file in place; `addServer` stores the key outside the configuration file. */
export const model = {
  'model.list': call(z.object({}), z.object({ models: z.array(Model), defaultId: z.string() })),
  'model.add': call(z.object({ path: z.string().trim().min(1).max(4_096) }), Model),
  'model.addServer': call(
    ServerAddress.extend({
      /** The model to change. An empty key keeps the stored one, as long as the host is the same. */
      id: z.string().max(200).optional(),
      name: z.string().trim().min(1).max(60),
      model: z.string().trim().min(1).max(200),
      /** Null removes the server's own limit; if absent, a known server keeps its limit. */
      startTimeoutS: StartTimeout.nullable().optional(),
      /** Null for none set; when absent, a known server keeps its own unless its model changes. */
      contextTokens: SetContext.nullable().optional(),
    }),
    Model,
  ),
  /** Query the type and the models of a server. An empty key means the key stored for `id`. */
  'model.tryServer': call(
    ServerAddress.extend({ id: z.string().max(200).optional(), model: z.string().max(200).default('') }),
    ServerCheck,
  ),
  /**
   * Create a mixture of known models, or change the mixture with this `id`. Throws a Fault for unknown
   * models, a mixture in a mixture, the built-in model, or too many references.
   */
  'model.setMixture': call(
    z.object({
      id: z.string().max(200).optional(),
      name: z.string().trim().min(1).max(60),
      references: z.array(z.string().min(1).max(4_200)).min(1).max(20),
      aggregator: z.string().min(1).max(4_200),
      waitS: z.int().min(5).max(3_600).optional(),
    }),
    Model,
  ),
  /** The cost of a mixture of these models per message, as sentences; in money only if the prices of all are set. */
  'model.mixtureCost': call(
    z.object({
      references: z.array(z.string().max(4_200)).max(MOST_REFERENCES),
      aggregator: z.string().max(4_200),
    }),
    z.object({ text: z.string() }),
  ),
  'model.forget': call(id, z.object({})),
  /** Delete a model file in Talaria’s own folder, with all its parts. */
  'model.deleteFile': call(id, z.object({})),
  'model.setDefault': call(id, z.object({})),
  'model.setOptions': call(id.extend({ options: ModelOptions }), Model),
  /** Load now. `anyway` skips the memory check; the given options override those of the model once. */
  'model.load': call(
    id.extend({
      anyway: z.boolean().default(false),
      cpu: z.boolean().default(false),
      options: ModelOptions.optional(),
    }),
    z.object({}),
  ),
  /** Cancel the current load, if there is one. */
  'model.cancelLoad': call(z.object({}), z.object({})),
  'model.unload': call(z.object({}), z.object({})),
  /**
   * Let a model make three tool calls, which are not run, and store the verdict. A local model is only tested
   * while no other model is in memory. Leaving the stream stops the test.
   */
  'model.test': stream(id, ToolsTest),
  /** With `now`, the answer does not wait for the detection of a graphics card; `uncertain` says if it may change. */
  'model.fit': call(
    id.extend({ contextTokens: z.int().min(512).optional(), now: z.boolean().optional() }),
    Fit,
  ),
  /** Inspect a path before it is added: a file, or a folder with files. */
  'model.look': call(
    z.object({ path: z.string().trim().min(1).max(4_096) }),
    z.object({ files: z.array(FoundFile) }),
  ),
  /** Scan the folders of LM Studio, Jan, GPT4All and Ollama. Only at the user's request. */
  'model.scanApps': call(z.object({}), z.object({ files: z.array(FoundFile), looked: z.array(z.string()) })),
  'machine.look': call(z.object({}), Machine),
  'engine.info': call(z.object({}), EngineInfo),
  /** Benchmark a model, loading it first if needed. Takes some seconds. */
  'engine.benchmark': call(id, Benchmark),
}
