import { z } from 'zod'
import { call } from '../rpc.ts'

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
})
export type Model = z.infer<typeof Model>

/**
 * Where the local engine stands. `error` is a sentence, `fix` what a person can do about it; `notice` says in what way a
 * model that is loaded has less than was asked for.
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
  notice: z.string().nullable(),
})
export type EngineState = z.infer<typeof EngineState>

/** The models at hand. `add` links a GGUF file where it is; `addServer` keeps the key outside the configuration file. */
export const model = {
  'model.list': call(z.object({}), z.object({ models: z.array(Model), defaultId: z.string() })),
  'model.add': call(z.object({ path: z.string().trim().min(1).max(4_096) }), Model),
  'model.addServer': call(
    z.object({
      name: z.string().trim().min(1).max(60),
      baseUrl: z.url({ protocol: /^https?$/ }).max(2_000),
      model: z.string().trim().min(1).max(200),
      apiKey: z.string().max(1_000).default(''),
    }),
    Model,
  ),
  'model.forget': call(z.object({ id: z.string().min(1) }), z.object({})),
  'model.setDefault': call(z.object({ id: z.string().min(1) }), z.object({})),
  'model.load': call(z.object({ id: z.string().min(1) }), z.object({})),
  'model.unload': call(z.object({}), z.object({})),
}
