import type { Model } from '../../shared/contract/model.ts'
import { ApiProblem } from './api-request.ts'

/** The whole agent, as a model. */
export const AGENT = 'talaria'
/** The encoder of sentences that ships with Talaria. */
export const ENCODER = 'talaria-encoder'

/** A model as a program names it. */
export type NamedModel = { name: string; model: Model }

/**
 * The models that programs may ask, each by a name of its own: its name where no other has it, else its id. The built-in one is left
 * out: it knows only its own prompt, and answers as `talaria`.
 */
function nameModels(models: readonly Model[]): NamedModel[] {
  const usable = models.filter(({ kind, problem }) => kind !== 'builtin' && problem === null)
  const known = Map.groupBy(usable, ({ name }) => name.toLowerCase())
  const isFree = (name: string) =>
    known.get(name.toLowerCase())?.length === 1 && name !== AGENT && name !== ENCODER
  return usable.map(model => ({ name: isFree(model.name) ? model.name : model.id, model }))
}

/** The model that a program means: by its name in any case, its id, or `default`. Throws an `ApiProblem` that names those there are. */
export function findModel(models: readonly Model[], asked: string, defaultId: string): NamedModel {
  const named = nameModels(models)
  const found =
    named.find(({ name, model }) => name === asked || model.id === asked) ??
    named.find(({ name }) => name.toLowerCase() === asked.toLowerCase()) ??
    (asked === 'default' ? named.find(({ model }) => model.id === defaultId) : undefined)
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
  owned_by: owner,
  ...(contextTokens !== null && { context_length: contextTokens }),
})

/** All entries. */
export function listEntries(models: readonly Model[]): ReturnType<typeof describeEntry>[] {
  const owners = { file: 'this computer', server: 'a server', builtin: 'talaria' }
  return [
    describeEntry(AGENT, 'talaria'),
    ...nameModels(models).map(({ name, model }) =>
      describeEntry(name, owners[model.kind], model.contextTokens),
    ),
    describeEntry(ENCODER, 'talaria', 64),
  ]
}
