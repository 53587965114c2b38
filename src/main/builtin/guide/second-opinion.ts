import { EXAMPLES } from './request-examples.ts'

/** Encode texts as vectors of their meaning; undefined if that takes too long. */
export type Encode = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly Float32Array[] | undefined>

/** The tool that a request means, or none. `lead`: how much nearer it is than anything else. */
export type SecondOpinion = { tool: string | undefined; lead: number }

/** How long to wait, in ms. The first text starts the encoder; users should not wait longer. */
const WAIT_MS = 4_000
/** How many examples of one tool count: a single example may be near by chance. */
const NEAREST = 2

/** Encode the examples that requests are compared with. The first call takes seconds. */
export const encodeExamples = async (encode: Encode, signal: AbortSignal): Promise<void> =>
  void (await encode(Object.values(EXAMPLES).flat(), signal))

/** Judge a request by its nearest examples; undefined if there is no encoder. */
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
