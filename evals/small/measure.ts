import { fileURLToPath } from 'node:url'
import type { SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import type { StepSource } from '../../src/main/runs/turn-runner.ts'
import type { Figures } from '../records.ts'
import { askHost, type AskedModel, type Heard } from './ask-host.ts'
import { countCalls, countJudged, firstCallOf, judgeRow, type JudgedRow } from './judge.ts'
import { compareCall, wantsTool, type RequestRow } from './row.ts'

/** `folder`: what a request finds in place of its own folder, a path or `empty`. `spawnEngine`: for tests. */
type Where = {
  folder?: string | undefined
  spawnEngine?: SpawnEngine
  /** Whether the decider is on; as usual where this is not given. */
  decider?: 'on' | 'off' | undefined
  /** A decider in place of that of the product. */
  steps?: readonly StepSource[] | undefined
  /** Only calls are judged, so no chat goes on to an answer. */
  callsOnly?: boolean | undefined
}

/** The folder of the repository, with files as people have them. */
const FULL = fileURLToPath(new URL('folder', import.meta.url))

/** Ask a model each request, and judge what comes of it. `onRow` hears each as soon as it is judged. */
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
 * Ask one request. If a question comes before any call, the person answers it with the choice that fits what is wanted: which one does
 * is found by having the chat again with the next choice, until the call that follows fits. The last choice is “Neither”; it is what
 * fits a request that wants no tool.
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
    // A model that is not the same each time may not ask again: then the first chat counts.
    if (next.choices?.join('\n') !== first.choices?.join('\n')) return first
    heard = next
  }
  return heard
}

/** What is wanted was called, or something was called before the question, which then decided nothing. */
function isAnswered(request: RequestRow, heard: Heard): boolean {
  const calls = heard.messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  return calls[0]?.name !== 'ask_user' || compareCall(request, firstCallOf(heard)).whole
}
