import { z } from 'zod'
import { findUnused, loose, Name, parseBody } from './dialects/read-fields.ts'
import { ApiProblem, refuseField } from './api-request.ts'
import { ENCODER } from './find-model.ts'

const text = z.string().min(1).max(100_000)
const EmbeddingsBody = loose({
  model: Name,
  input: z.union([text, z.array(z.unknown()).min(1).max(512)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().nullish(),
})

/** Turns texts into vectors; undefined if the encoder does not run on this machine. */
export type EncodeTexts = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Float32Array[] | undefined>

/** Read an input text. Numbers would be tokens of another model. */
function readText(given: unknown, at: number): string {
  const read = text.safeParse(given)
  if (read.success) return read.data
  return refuseField(
    `input.${at}`,
    typeof given === 'string'
      ? 'A text must have between 1 and 100,000 characters.'
      : 'Only texts can be turned into vectors, not tokens.',
  )
}

/** Answer a body of `/v1/embeddings`. Only the bundled encoder makes vectors, from 64 tokens of a text. */
export async function embedInput(
  given: unknown,
  encode: EncodeTexts,
  signal: AbortSignal,
): Promise<{ body: object; unused: string[] }> {
  const body = parseBody(EmbeddingsBody, given)
  if (body.model.slice(body.model.indexOf('/') + 1) !== ENCODER)
    refuseField('model', `“${body.model.slice(0, 200)}” cannot make vectors here. Only ${ENCODER} can.`)
  const texts = typeof body.input === 'string' ? [body.input] : body.input.map(readText)
  const vectors = await encode(texts, signal)
  if (!vectors)
    throw new ApiProblem(
      503,
      'not_ready',
      'The encoder is not ready, or does not run on this computer. Try again.',
    )
  const [{ length } = new Float32Array()] = vectors
  if (typeof body.dimensions === 'number' && body.dimensions !== length)
    refuseField('dimensions', `The vectors have ${length} dimensions.`)
  const written = (vector: Float32Array) =>
    body.encoding_format === 'base64'
      ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
      : Array.from(vector)
  // Estimate: about four letters per token, and only the first 64 tokens are read.
  const tokens = texts.reduce((sum, each) => sum + Math.min(64, Math.ceil(each.length / 4)), 0)
  return {
    body: {
      object: 'list',
      model: ENCODER,
      data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: written(vector) })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
    unused: findUnused(body, EmbeddingsBody, { ignored: ['user'] }),
  }
}
