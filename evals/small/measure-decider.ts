import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Decision } from '../../src/main/builtin/decider/decide-message.ts'
import { readTrainedTexts } from '../../src/main/builtin/trained-texts.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { shareOf, type Figures } from '../records.ts'
import { startDeciders, type DeciderKind } from './deciders.ts'
import { compareCall, wantsTool, type RequestRow } from './row.ts'

/**
 * The decision about a request, and whether it is right. `whole`: it came with its own arguments, and they
 * are right.
 */
type DecidedRow = { id: string; decided: Decision | null; needed: boolean; tool: boolean; whole: boolean }

const FULL = fileURLToPath(new URL('folder', import.meta.url))

/**
 * Let only the decider judge each request, as in the host, and compare its decision with what is wanted. For
 * `both`, also count how often the encoder and the built-in model agree, and which of them is right when they
 * differ.
 */
export async function measureDecider(
  requests: readonly RequestRow[],
  kind: DeciderKind,
): Promise<{ rows: DecidedRow[]; figures: Figures; msEach: number; memoryMib: number | undefined }> {
  const texts = readTrainedTexts()
  if (isRefusal(texts)) throw new Error(texts.refused)
  const names = texts.tools.specs.map(({ name }) => name)
  const deciders = startDeciders()
  const empty = mkdtempSync(join(tmpdir(), 'talaria-decider-'))
  const judgeBy = async (by: DeciderKind, request: RequestRow): Promise<DecidedRow> => {
    const workspace = request.folder === 'empty' ? empty : FULL
    const tools = names.filter(name => !request.off.includes(name))
    return judge(request, await deciders.decide(by, request.text, { workspace, tools }))
  }
  try {
    const rows: DecidedRow[] = []
    // The first request loads the decider.
    await judgeBy(kind, requests[0]!)
    const startedAt = performance.now()
    for (const request of requests) rows.push(await judgeBy(kind, request))
    const msEach = Math.round((performance.now() - startedAt) / Math.max(1, requests.length))
    const pairs = []
    if (kind === 'both')
      for (const request of requests)
        pairs.push({ one: await judgeBy('encoder', request), other: await judgeBy('mini', request) })
    const figures = { ...countDecided(requests, rows), ...(kind === 'both' && countAgreed(pairs)) }
    return { rows, figures, msEach, memoryMib: deciders.memoryMib() }
  } finally {
    await deciders.close()
    rmSync(empty, { recursive: true, force: true })
  }
}

function judge(row: RequestRow, decided: Decision | undefined): DecidedRow {
  const wants = wantsTool(row)
  const call = decided && { name: decided.tool, arguments: decided.arguments ?? {} }
  const compared = compareCall(row, call)
  const isNone = decided === undefined
  return {
    id: row.id,
    decided: decided ?? null,
    needed: wants === 'either' || (wants === 'tool') === !isNone,
    tool: isNone ? wants !== 'tool' : compared.tool,
    whole: isNone ? wants !== 'tool' : compared.whole && decided.arguments !== undefined,
  }
}

function countDecided(requests: readonly RequestRow[], rows: readonly DecidedRow[]): Figures {
  const pairs = requests.map((request, at) => ({ row: rows[at]!, wants: wantsTool(request) }))
  const wanting = pairs.filter(({ wants }) => wants === 'tool')
  const none = pairs.filter(({ wants }) => wants === 'none')
  const count = (of: typeof pairs, holds: (row: DecidedRow) => boolean) =>
    of.filter(({ row }) => holds(row)).length
  const neededRight = count(pairs, row => row.needed)
  const toolRight = count(wanting, row => row.tool)
  const wholeRight = count(wanting, row => row.whole)
  return {
    requests: rows.length,
    wantTool: wanting.length,
    wantNone: none.length,
    neededRight,
    neededShare: shareOf(neededRight, pairs.length),
    toolRight,
    toolShare: shareOf(toolRight, wanting.length),
    wholeRight,
    wholeShare: shareOf(wholeRight, wanting.length),
    decidedUnwanted: count(none, row => row.decided !== null),
  }
}

/** Compare the decisions of two deciders: `one` is the encoder, `other` the built-in model. */
function countAgreed(pairs: readonly { one: DecidedRow; other: DecidedRow }[]): Figures {
  const isRight = ({ needed, tool }: DecidedRow) => needed && tool
  const same = pairs.filter(({ one, other }) => one.decided?.tool === other.decided?.tool)
  const differing = pairs.filter(pair => !same.includes(pair))
  const none = differing.filter(({ one, other }) => one.decided === null || other.decided === null)
  return {
    agreed: same.length,
    agreedRight: same.filter(({ one }) => isRight(one)).length,
    differed: differing.length,
    encoderRight: differing.filter(({ one }) => isRight(one)).length,
    miniRight: differing.filter(({ other }) => isRight(other)).length,
    noneRight: none.filter(({ one, other }) => isRight(one.decided === null ? one : other)).length,
  }
}

/** The figures of a decider in sentences. */
export const sayDecided = (of: Figures): string =>
  [
    `Whether a tool is needed was decided right for ${of['neededRight']} of ${of['requests']} (${of['neededShare']} %); of ${of['wantNone']} that want none, ${of['decidedUnwanted']} got one.`,
    `Of ${of['wantTool']} that want a tool, ${of['toolRight']} got the right one (${of['toolShare']} %), and ${of['wholeRight']} with arguments that were right at once (${of['wholeShare']} %).`,
    ...(of['agreed'] === undefined
      ? []
      : [
          `Encoder and built-in model agreed on ${of['agreed']}, of which ${of['agreedRight']} were right. They differed on ${of['differed']}: the encoder was right on ${of['encoderRight']}, the built-in model on ${of['miniRight']}, and whichever said none on ${of['noneRight']}.`,
        ]),
  ].join('\n')
