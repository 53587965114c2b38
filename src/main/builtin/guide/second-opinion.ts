import { EXAMPLES } from './request-examples.ts'

/** Where texts lie among meanings; undefined when that cannot be known in time. */
export type Encode = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Float32Array[] | undefined>

/** Which tool a request is for by what it means, or none; `lead`: how much nearer it lies to that than to anything else. */
export type SecondOpinion = { tool: string | undefined; lead: number }

/** A first text starts the encoder; who writes to a small model does not wait longer. */
const WAIT_MS = 4_000
/** Examples of one tool that count: one alone may be near by chance. */
const NEAREST = 2

/** Have the examples encoded that requests are compared with: the first time starts the encoder and takes seconds. */
export const encodeExamples = async (encode: Encode, signal: AbortSignal): Promise<void> =>
  void (await encode(Object.values(EXAMPLES).flat(), signal))

/** Judge a request by the examples that lie nearest to it; undefined where there is no encoder. */
export async function judgeByMeaning(
  encode: Encode | undefined,
  request: string,
  tools: readonly string[],
  signal: AbortSignal,
): Promise<SecondOpinion | undefined> {
  const kinds = Object.entries(EXAMPLES).filter(([name]) => name === NONE || tools.includes(name))
  const texts = kinds.flatMap(([, examples]) => examples)
  const vectors = await encode?.(
    [request.slice(0, 400), ...texts],
    AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]),
  )
  const [wanted, ...rest] = vectors ?? []
  if (!wanted || rest.length !== texts.length) return undefined
  let at = 0
  const scored = kinds.map(([name, examples]) => {
    const near = examples.map(() => dot(wanted, rest[at++]!)).toSorted((a, b) => b - a)
    return { name, score: near.slice(0, NEAREST).reduce((sum, each) => sum + each, 0) / NEAREST }
  })
  const [best, second] = scored.toSorted((a, b) => b.score - a.score)
  if (!best || best.score <= 0) return undefined
  return { tool: best.name === NONE ? undefined : best.name, lead: best.score - (second?.score ?? 0) }
}

const NONE = 'none'

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, each, index) => sum + each * b[index]!, 0)
