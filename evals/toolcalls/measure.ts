import type { Figures } from '../records.ts'
import {
  compareResult,
  findShownMarks,
  haveEqualValues,
  isRefusalRight,
  type Wrong,
} from './compare-result.ts'
import { readCase, type Cut, type Engine, type Reading, type ToolCallCase } from './read-case.ts'

/** What was found in the output of one case when it came all at once. */
export type ToolCallRow = Pick<Reading, 'content' | 'reasoning' | 'calls'> & {
  id: string
  ok: boolean
  wrong?: Wrong[]
  /** Why the result cannot be right. */
  reason?: string
  refused?: string[]
  contested?: true
  /** The ways of cutting that give another result. */
  differs?: string[]
  takenBack?: true
  marksShown?: string[]
}

const UNKNOWABLE =
  'Nothing in the text says it: it is right where the end of the prompt is known, which a server does not tell.'

/**
 * Read all cases through the strategy of an engine, each cut in four ways, and compare what was found with
 * the labels.
 */
export async function measureToolCalls(
  cases: readonly ToolCallCase[],
  engine: Engine,
  seed = 1,
): Promise<{ rows: ToolCallRow[]; figures: Figures }> {
  const rows: ToolCallRow[] = []
  for (const each of cases) rows.push(await judgeCase(each, engine, cutsOf(seed)))
  const judged = rows.map((row, at) => ({ row, each: cases[at]! }))
  const scored = judged.filter(({ each }) => !each.contested)
  const count = (among: typeof judged, is: (one: (typeof judged)[number]) => unknown) =>
    among.filter(is).length
  const positives = scored.filter(({ each }) => each.kind === 'positive')
  const negatives = scored.filter(({ each }) => each.kind === 'negative')
  const figures = {
    scored: scored.length,
    right: count(scored, ({ row }) => row.ok),
    withCalls: positives.length,
    withCallsRight: count(positives, ({ row }) => row.ok),
    asText: negatives.length,
    asTextRight: count(negatives, ({ row }) => row.ok),
    contested: judged.length - scored.length,
    refused: count(judged, ({ row }) => row.refused),
    refusedWrongly: count(judged, ({ row, each }) => !isRefusalRight(each, { refused: row.refused ?? [] })),
    differByChunks: count(judged, ({ row }) => row.differs),
    takenBack: count(judged, ({ row }) => row.takenBack),
    marksShown: count(judged, ({ row }) => row.marksShown),
  }
  return { rows, figures }
}

async function judgeCase(
  each: ToolCallCase,
  engine: Engine,
  { whole, ...pieces }: ReturnType<typeof cutsOf>,
): Promise<ToolCallRow> {
  const found = await readCase(each, engine, whole)
  const differs: string[] = []
  const marks = new Set(findShownMarks(each, found))
  let { takenBack } = found
  for (const [name, cut] of Object.entries(pieces)) {
    const other = await readCase(each, engine, cut)
    if (!haveEqualValues(resultOf(other), resultOf(found))) differs.push(name)
    for (const mark of findShownMarks(each, other)) marks.add(mark)
    takenBack ||= other.takenBack
  }
  const wrong = compareResult(each, found)
  const isUnknowable =
    wrong.length > 0 &&
    engine === 'server' &&
    each.prompt_tail !== undefined &&
    compareResult(each, await readCase(each, 'local', whole)).length === 0
  const { content, reasoning, calls, refused } = found
  return {
    id: each.id,
    ok: wrong.length === 0,
    ...(wrong.length > 0 && { wrong }),
    ...(isUnknowable && { reason: UNKNOWABLE }),
    content,
    reasoning,
    calls,
    ...(refused.length > 0 && { refused }),
    ...(each.contested && { contested: true }),
    ...(differs.length > 0 && { differs }),
    ...(takenBack && { takenBack }),
    ...(marks.size > 0 && { marksShown: [...marks] }),
  }
}

const resultOf = ({ content, reasoning, calls, refused }: Reading) => ({ content, reasoning, calls, refused })

/**
 * The ways to cut a text: whole, in pieces of 1 and of 3, and in random pieces of 1 to 12, the same for the
 * same seed.
 */
function cutsOf(seed: number) {
  return {
    whole: text => [text],
    ones: text => text.split(''),
    threes: text => text.match(/[^]{1,3}/g) ?? [],
    random: cutAtRandom(seed),
  } satisfies Record<string, Cut>
}

function cutAtRandom(seed: number): Cut {
  let state = seed >>> 0
  const next = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % limit
  }
  return text => {
    const chunks: string[] = []
    for (let at = 0; at < text.length; at += chunks.at(-1)!.length)
      chunks.push(text.slice(at, at + 1 + next(12)))
    return chunks
  }
}
