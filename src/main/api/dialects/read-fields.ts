import { z } from 'zod'
import { ApiProblem, refuseField, type ApiRequest, type ToolChoice } from '../api-request.ts'
import { DEFAULT } from '../find-model.ts'
import type { Sampling, SentPicture, ToolSpec } from '../../models/interface/engine.ts'

/** An object that keeps its other fields, so that they can be named. */
export const loose = z.looseObject

/** Parse a body by a schema. The error names the first thing that does not fit. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  const field = issue?.path.join('.') ?? ''
  throw new ApiProblem(
    400,
    'bad_field',
    `${field || 'The body'}: ${issue?.message ?? 'it is wrong'}.`,
    field || null,
  )
}

type Issue = z.core.$ZodIssue

/** Return the issue nearest to the mistake: if several forms are allowed, that of the best matching one. */
function deepestIssue(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues
  if (first?.code !== 'invalid_union') return first
  const inner = first.errors
    .flatMap(each => deepestIssue(each) ?? [])
    .map(each => ({ ...each, path: [...first.path, ...each.path] }))
    .toSorted((a, b) => b.path.length - a.path.length)
  return inner[0] && inner[0].path.length > first.path.length ? inner[0] : (inner[0] ?? first)
}

/** Return a body's fields without effect. `inside` names the fields that are read of nested objects. */
export function findUnused(
  body: object,
  schema: z.ZodObject,
  {
    ignored = [],
    inside = {},
  }: { ignored?: readonly string[]; inside?: Record<string, readonly string[]> } = {},
): string[] {
  const names = namesIn(body).filter(name => !(name in schema.shape) && !ignored.includes(name))
  const nested = Object.entries(inside).flatMap(([name, read]) => {
    const value: unknown = Reflect.get(body, name)
    if (typeof value !== 'object' || value === null) return []
    return namesIn(value)
      .filter(each => !read.includes(each))
      .map(each => `${name}.${each}`)
  })
  return [...names, ...nested].slice(0, 50)
}

/** Return the names of fields with content: many programs send every field, mostly empty. */
const namesIn = (given: object) =>
  Object.entries(given)
    .filter(([, value]) => !isNothing(value))
    .map(([name]) => name)

/** Return whether a field's value means the same as leaving it out. */
export const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const MOST_TOKENS = 1_000_000
/** Maximum tokens of an answer; -1 means no limit, as programs for llama.cpp and LM Studio write it. */
export const TokenCount = z
  .union([z.literal(-1), z.int().min(1)])
  .nullish()
  .transform(count => (count === -1 || !count ? undefined : Math.min(count, MOST_TOKENS)))
export const Name = z.string().min(1).max(4_096)
/** The requested model; programs for single-model servers may leave it out. */
export const ModelName = z
  .string()
  .max(4_096)
  .nullish()
  .transform(name => name || DEFAULT)
export const StopTexts = z.union([z.string(), z.array(z.string()).max(16)]).nullish()
export const Schema = z.record(z.string(), z.unknown())

/** Sampling fields of all dialects, with those that local servers add. */
export const samplingFields = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  /** As for `seed`, -1 leaves the choice to the model. */
  top_k: z.int().min(-1).max(1_000_000).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  repeat_penalty: z.number().min(0.5).max(2).nullish(),
  seed: z.int().nullish(),
}

type SamplingBody = z.output<z.ZodObject<typeof samplingFields>>

/** Read the sampling options of a body. */
export const readSampling = (body: SamplingBody): Sampling => ({
  ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
  ...(typeof body.top_p === 'number' && { topP: body.top_p }),
  ...(typeof body.top_k === 'number' && body.top_k >= 0 && { topK: body.top_k }),
  ...(typeof body.min_p === 'number' && { minP: body.min_p }),
  ...(typeof body.repeat_penalty === 'number' && { repeatPenalty: body.repeat_penalty }),
  ...(typeof body.seed === 'number' && body.seed >= 0 && { seed: body.seed }),
})

/** Read the stop texts of a body. */
export const readStops = (stop: z.output<typeof StopTexts>): string[] =>
  (typeof stop === 'string' ? [stop] : (stop ?? [])).filter(each => each !== '')

/** Convert OpenAI's reasoning effort. */
export const readEffort = (effort: string | null | undefined): ApiRequest['thinking'] =>
  effort === null || effort === undefined
    ? undefined
    : effort === 'none' || effort === 'minimal'
      ? 'off'
      : 'on'

/** Read a tool of a program. Models must be able to write its name. */
export function readTool(
  name: string,
  description: string | null | undefined,
  parameters: unknown,
  field: string,
): ToolSpec {
  if (!/^[\w.-]{1,128}$/.test(name)) refuseField(field, `A tool cannot be called “${name.slice(0, 80)}”.`)
  const given = Schema.safeParse(parameters ?? { type: 'object', properties: {} })
  if (!given.success) return refuseField(field, 'The parameters of a tool are an object with a JSON Schema.')
  return { name, description: description ?? '', parameters: given.data }
}

/** Refuse tools with the same name, because calls would be ambiguous. */
export function checkNames(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const twice = tools.find(({ name }, at) => tools.findIndex(each => each.name === name) < at)
  return twice ? refuseField('tools', `Two tools are called “${twice.name}”.`) : tools
}

/** Read a tool choice in OpenAI's format. */
export function readChoice(choice: unknown, tools: readonly ToolSpec[]): ToolChoice {
  if (choice === null || choice === undefined || choice === 'auto') return 'auto'
  if (choice === 'none' || choice === 'required') return choice
  const Named = z.union([loose({ function: loose({ name: Name }) }), loose({ name: Name })])
  const named = Named.safeParse(choice)
  if (!named.success)
    return refuseField('tool_choice', 'It is “auto”, “none”, “required” or the name of a function.')
  const { data } = named
  const name = 'function' in data ? String(Reflect.get(Object(data.function), 'name')) : data.name
  if (!tools.some(each => each.name === name))
    return refuseField('tool_choice', `There is no tool “${name}” in tools.`)
  return { name }
}

/** The texts and pictures of one message. */
export type Parts = { text: string; pictures: SentPicture[] }

/** Join the parts of a message; `read` converts one part, or refuses it. */
export function joinParts<T>(
  content: string | readonly T[] | null | undefined,
  read: (part: T, at: number) => string | SentPicture,
): Parts {
  if (content === null || content === undefined) return { text: '', pictures: [] }
  if (typeof content === 'string') return { text: content, pictures: [] }
  const parts = content.map(read)
  return {
    text: parts.filter(each => typeof each === 'string').join('\n'),
    pictures: parts.filter(each => typeof each !== 'string'),
  }
}
