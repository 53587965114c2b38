import type { Model } from '../../shared/contract/models/model.ts'
import { ApiProblem } from './api-request.ts'

/** The whole agent, as a model. */
export const AGENT = 'talaria'
/** The encoder of sentences that ships with Talaria. */
export const ENCODER = 'talaria-encoder'

/** A model as a program names it. */
export type NamedModel = { name: string; model: Model }

/**
 * The models that programs may ask, each by a name of its own: its name where no other has it, else its id. The built-in one is left
 * out: it knows only its own prompt, and answers as `talaria`. So are mixtures: their advice belongs to turns of chats.
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

/** What programs that name no model get: the model of new chats. */
export const DEFAULT = 'default'

/**
 * Who a program means: a model by its name in any case or its id, the agent, which has no model of its own, or `default`. Where the
 * built-in model is the default, that is the agent. Throws an `ApiProblem` that names those there are.
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
    // Some programs write their name for the kind of server before it, as in `openai/NAME`.
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

/** One entry of `/v1/models`, in words that both OpenAI’s and Anthropic’s programs read. */
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

/** All entries. */
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
