import { fileURLToPath } from 'node:url'
import type { SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import type { StepSource } from '../../src/main/runs/turn-runner.ts'
import type { Figures } from '../records.ts'
import { askHost, type AskedModel, type Heard } from './ask-host.ts'
import { countCalls, countJudged, firstCallOf, judgeRow, type JudgedRow } from './judge.ts'
import { compareCall, wantsTool, type RequestRow } from './row.ts'

/**
 * Where requests are asked. `folder`: a path or `empty`, instead of the request's own folder. `spawnEngine`
 * is for tests.
 */
type Where = {
  folder?: string | undefined
  spawnEngine?: SpawnEngine
  /** Whether the decider is on; by default as in the product. */
  decider?: 'on' | 'off' | undefined
  /** A decider to use instead of the product's. */
  steps?: readonly StepSource[] | undefined
  /** Whether to judge only calls, so that no chat goes on to an answer. */
  callsOnly?: boolean | undefined
}

/** The repository's folder with typical files. */
const FULL = fileURLToPath(new URL('folder', import.meta.url))

/** Ask a model each request, and judge the result. `onRow` gets each one as soon as it is judged. */
export async function measureSmall(
  requests: readonly RequestRow[],
  model: AskedModel,
  { onRow = () => {}, ...where }: Where & { onRow?: (row: JudgedRow) => void } = {},
): Promise<{ rows: JudgedRow[]; figures: Figures; seconds: number }> {
  const startedAt = performance.now()
  const rows: JudgedRow[] = []
  for (const request of requests) {
    const row = judgeRow(request, await askRequest(request, model, where), model)
    rows.push(row)
    onRow(row)
  }
  const seconds = (performance.now() - startedAt) / 1_000 / Math.max(1, requests.length)
  const figures = where.callsOnly ? countCalls(requests, rows) : countJudged(requests, rows)
  return { rows, figures, seconds: Math.round(seconds * 10) / 10 }
}

/**
 * Ask one request. If a question comes before any call, the person answers it with the choice that fits the
 * request. To find that choice, the chat is repeated with the next choice until the following call fits. The
 * last choice is “Neither”, which fits a request that wants no tool.
 */
async function askRequest(request: RequestRow, model: AskedModel, where: Where): Promise<Heard> {
  const named = where.folder ?? request.folder
  const folder = named === 'empty' ? undefined : named === 'full' ? FULL : named
  const askWith = (pick: number) =>
    askHost(
      { ...where, model, text: request.text, folder, off: request.off },
      choices => choices[pick] ?? choices.at(-1),
    )
  if (wantsTool(request) === 'none') return askWith(Infinity)
  const first = await askWith(0)
  let heard = first
  for (let pick = 1; pick < (first.choices?.length ?? 0); pick++) {
    if (isAnswered(request, heard)) return heard
    const next = await askWith(pick)
    // A model that answers differently each time may not ask again. Then the first chat counts.
    if (next.choices?.join('\n') !== first.choices?.join('\n')) return first
    heard = next
  }
  return heard
}

/** Whether the wanted call came, or a call came before the question, which then decided nothing. */
function isAnswered(request: RequestRow, heard: Heard): boolean {
  const calls = heard.messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  return calls[0]?.name !== 'ask_user' || compareCall(request, firstCallOf(heard)).whole
}
