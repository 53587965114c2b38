import type { Model } from '../../shared/contract/models/model.ts'
import { ApiProblem } from './api-request.ts'

/** The name of the whole agent, as a model. */
export const AGENT = 'talaria'
/** The name of the sentence encoder that ships with Talaria. */
export const ENCODER = 'talaria-encoder'

/** A model with the name that programs use. */
export type NamedModel = { name: string; model: Model }

/**
 * Name the models that programs may ask: by name if unique, else by id. The built-in model is left out: it
 * only knows its own prompt, and answers as `talaria`. So are mixtures, whose advice belongs to turns of
 * chats.
 */
function nameModels(models: readonly Model[]): NamedModel[] {
  const usable = models.filter(
    ({ kind, problem }) => kind !== 'builtin' && kind !== 'mixture' && problem === null,
  )
  const known = Map.groupBy(usable, ({ name }) => name.toLowerCase())
  const isFree = (name: string) =>
    known.get(name.toLowerCase())?.length === 1 && name !== AGENT && name !== ENCODER
  return usable.map(model => ({ name: isFree(model.name) ? model.name : model.id, model }))
}

/** The name of the model of new chats, for programs that name none. */
export const DEFAULT = 'default'

/**
 * Find a requested model: by name in any case or by id, the agent (which has no model of its own), or
 * `default`. If the built-in model is the default, that is the agent. Throws an `ApiProblem` that lists the
 * models.
 */
export function findModel(
  models: readonly Model[],
  asked: string,
  defaultId: string,
): NamedModel | { name: typeof AGENT; model: undefined } {
  const named = nameModels(models)
  const agent = { name: AGENT, model: undefined } as const
  const find = (wanted: string) =>
    named.find(({ name, model }) => name === wanted || model.id === wanted) ??
    named.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (wanted.toLowerCase() === AGENT ? agent : undefined)
  const isBuiltin = models.some(({ id, kind }) => id === defaultId && kind === 'builtin')
  const found =
    find(asked) ??
    // Some programs prefix the name with the kind of server, as in `openai/NAME`.
    find(asked.slice(asked.indexOf('/') + 1)) ??
    (asked === DEFAULT ? (isBuiltin ? agent : named.find(({ model }) => model.id === defaultId)) : undefined)
  if (found) return found
  const names = [AGENT, ...named.map(({ name }) => name)].slice(0, 20).join(', ')
  throw new ApiProblem(
    404,
    'model_not_found',
    `There is no model “${asked.slice(0, 200)}”. There is: ${names}.`,
    'model',
  )
}

/** Return one entry of `/v1/models`, readable for OpenAI’s and Anthropic’s programs. */
export const describeEntry = (id: string, owner: string, contextTokens: number | null = null) => ({
  id,
  object: 'model',
  type: 'model',
  display_name: id,
  created: 0,
  created_at: '1970-01-01T00:00:00Z',
  deprecated_at: null,
  lifecycle: 'active',
  retires_at: null,
  line: null,
  capabilities: null,
  max_input_tokens: contextTokens,
  max_tokens: null,
  owned_by: owner,
  ...(contextTokens !== null && { context_length: contextTokens }),
})

/** Return all entries. */
export function listEntries(models: readonly Model[]): ReturnType<typeof describeEntry>[] {
  const owners = { file: 'this computer', server: 'a server', builtin: 'talaria', mixture: 'talaria' }
  return [
    describeEntry(AGENT, 'talaria'),
    ...nameModels(models).map(({ name, model }) =>
      describeEntry(name, owners[model.kind], model.contextTokens),
    ),
    describeEntry(ENCODER, 'talaria', 64),
  ]
}
