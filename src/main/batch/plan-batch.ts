import type { BatchOptions, BatchPlan } from '../../shared/contract/runs/batch.ts'
import { Fault } from '../../shared/rpc.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { readStanding, refuseOther, type BatchSettings, type Standing } from './batch-folder.ts'
import { drawToolsets, findDistribution, type Distribution, type Usable } from './distributions.ts'
import { indexRows, type RowAt } from './read-rows.ts'
import { attemptName } from './result-line.ts'

/** Functions that a plan depends on. */
export type PlanSources = {
  /** Throws a Fault for a folder that chats may not work in. */
  refuseFolder(this: void, folder: string): void
  /** The distributions in config.yaml, and the toolsets that a batch can have. */
  distributions(): Readonly<Record<string, Distribution>>
  toolsets(): readonly string[]
  defaultModel(): string
  /** The reason why commands cannot be confined here; empty if they can. */
  whyUnconfined(): Promise<string>
  /** The cost of the prompt before a row's own, with these toolsets, or why the model cannot be used. */
  promptFor(
    modelId: string,
    toolsets: readonly string[] | undefined,
    options: BatchOptions,
  ): Promise<PromptCost>
}

/**
 * Tokens of the prompt with its tools. `sees`: whether the model accepts pictures; undefined if unknown.
 * `isBuiltIn`: it is the built-in model, which can do less than others.
 */
type PromptCost =
  | { tokens: number; tools: readonly string[]; sees: boolean | undefined; isBuiltIn: boolean }
  | { refused: string }

/** Everything that is known about a batch before it starts. */
export type PlannedBatch = {
  plan: BatchPlan
  rows: readonly RowAt[]
  settings: BatchSettings
  distribution: Usable | undefined
  modelId: string
}

/** Approximate number of characters per token. */
const LETTERS_A_TOKEN = 4
/** Tokens per picture: as many as for one of the largest pictures that models get. */
const IMAGE_TOKENS = 1_600
/** Maximum number of prompts built for the estimate. The others are assumed to be as long as the longest. */
const MOST_PROMPTS = 40

/** Read the rows of a batch and its folder, without writing. Throws `bad_input` if it cannot be started. */
export async function planBatch(options: BatchOptions, sources: PlanSources): Promise<PlannedBatch> {
  const { shard } = options
  if (shard && shard.index > shard.count)
    throw new Fault('bad_input', `There is no part ${shard.index} of ${shard.count}.`)
  sources.refuseFolder(options.out)
  const distribution = distributionOf(options, sources)
  const modelId = options.modelId ?? sources.defaultModel()
  const { rows: all, bad, badCount, checks } = await indexRows(options.file, shard)
  const standing = await readStanding(options.out)
  const settings = settingsOf(options, modelId, distribution, standing)
  if (standing.settings) refuseOther(options.out, standing.settings, settings)
  const rows: RowAt[] = []
  const badLines = [...bad]
  let moreBad = badCount - bad.length
  const models = new Map<string, PromptCost>()
  for (const row of all) {
    const id = row.model ?? modelId
    const cost =
      models.get(id) ??
      (await sources.promptFor(id, distribution && drawToolsets(distribution, row.key), options))
    models.set(id, cost)
    if ('refused' in cost && row.model === undefined) throw new Fault('bad_input', cost.refused)
    const why =
      'refused' in cost
        ? `its model cannot be used: ${cost.refused}`
        : row.hasImage && cost.sees === false
          ? `it has an “image”, and its model ${id} cannot see pictures`
          : undefined
    if (why === undefined) rows.push(row)
    else if (badLines.length < 20) badLines.push({ line: row.line, why })
    else moreBad++
  }
  const open = openAttempts(rows, options, standing)
  const isBuiltIn = [...models.values()].some(cost => !('refused' in cost) && cost.isBuiltIn)
  const { tokens, tools } = await estimate(open, { options, modelId, distribution, sources })
  await refuseUnconfined(options, { tools, checks, sources })
  const attempts = rows.length * options.attempts
  return {
    plan: {
      runName: settings.runName,
      rows: rows.length,
      attempts,
      ended: attempts - open.reduce((sum, { count }) => sum + count, 0),
      badLines: badLines.toSorted((a, b) => a.line - b.line),
      moreBadLines: moreBad,
      modelIds: [...models].flatMap(([id, cost]) => ('refused' in cost ? [] : [id])),
      leastTokens: tokens,
      remarks: remarksFor({ options, distribution, isBuiltIn, tools }),
      checks: checks.length === 0 ? null : { commands: checks, hash: hashOf(checks) },
    },
    rows,
    settings,
    distribution,
    modelId,
  }
}

function distributionOf({ distribution, tools }: BatchOptions, sources: PlanSources): Usable | undefined {
  if (distribution === undefined) return undefined
  if (!tools)
    throw new Fault('bad_input', 'A distribution draws toolsets, and without tools there are none to draw.')
  const found = findDistribution(distribution, sources.distributions(), sources.toolsets())
  if (isRefusal(found)) throw new Fault('bad_input', found.refused)
  return found
}

/** The settings of a folder. The run keeps its original name unless another is given. */
function settingsOf(
  { runName, file, approve, tools, shard }: BatchOptions,
  modelId: string,
  distribution: Usable | undefined,
  { settings: before }: Standing,
): BatchSettings {
  return {
    version: 1,
    runName:
      runName ??
      before?.runName ??
      file
        .split(/[\\/]/)
        .at(-1)!
        .replace(/\.jsonl?$/i, ''),
    modelId,
    distribution: distribution ? { name: distribution.name, chances: distribution.chances } : null,
    approve,
    tools,
    shard: shard ?? null,
  }
}

/** The rows with attempts that have no state yet, and the number of those attempts. */
const openAttempts = (rows: readonly RowAt[], { attempts }: BatchOptions, { ended }: Standing) =>
  rows.flatMap(row => {
    let count = 0
    for (let attempt = 1; attempt <= attempts; attempt++)
      if (!ended.has(attemptName({ key: row.key, attempt }))) count++
    return count === 0 ? [] : [{ row, count }]
  })

async function estimate(
  open: ReturnType<typeof openAttempts>,
  {
    options,
    modelId,
    distribution,
    sources,
  }: { options: BatchOptions; modelId: string; distribution: Usable | undefined; sources: PlanSources },
): Promise<{ tokens: number; tools: Set<string> }> {
  const prompts = new Map<string, number>()
  const tools = new Set<string>()
  let tokens = 0
  for (const { row, count } of open) {
    const id = row.model ?? modelId
    const toolsets = distribution && drawToolsets(distribution, row.key)
    const name = JSON.stringify([id, toolsets])
    let cost = prompts.get(name)
    if (cost === undefined) {
      const built = prompts.size < MOST_PROMPTS ? await sources.promptFor(id, toolsets, options) : undefined
      if (built && 'tools' in built) for (const tool of built.tools) tools.add(tool)
      cost = built && 'tokens' in built ? built.tokens : Math.max(0, ...prompts.values())
      prompts.set(name, cost)
    }
    tokens +=
      count * (cost + Math.ceil(row.promptLength / LETTERS_A_TOKEN) + (row.hasImage ? IMAGE_TOKENS : 0))
  }
  return { tokens, tools }
}

/** Refuse a batch whose models or checks could run commands, if commands cannot be confined here. */
async function refuseUnconfined(
  { approve }: BatchOptions,
  { tools, checks, sources }: { tools: ReadonlySet<string>; checks: readonly string[]; sources: PlanSources },
): Promise<void> {
  if (!tools.has('terminal') && checks.length === 0) return
  const why = await sources.whyUnconfined()
  if (why === '') return
  const what = checks.length > 0 ? 'The checks of its rows are' : 'Its models may run'
  const way =
    checks.length > 0
      ? 'Use rows without checks, and --no-tools.'
      : 'Use --no-tools, or a distribution without “terminal”.'
  const also = approve === 'all' ? ' That also applies to --approve all.' : ''
  throw new Fault(
    'bad_input',
    `${what} commands that nobody looks at, and nothing confines commands here: ${why}${also} ${way}`,
  )
}

function remarksFor({
  options,
  distribution,
  isBuiltIn,
  tools,
}: {
  options: BatchOptions
  distribution: Usable | undefined
  isBuiltIn: boolean
  tools: ReadonlySet<string>
}): string[] {
  const remarks: string[] = []
  if (distribution && distribution.missing.length > 0)
    remarks.push(
      `The distribution “${distribution.name}” names toolsets that Talaria does not have, or that are not set up: ${distribution.missing.join(', ')}. They are never drawn.`,
    )
  if (isBuiltIn)
    remarks.push(
      'The built-in model knows six tools and answers in fixed sentences: it writes no texts and no code, and its trajectories teach little.',
    )
  if (options.approve !== 'all' && [...tools].some(name => name.startsWith('web_')))
    remarks.push('Calls to the web that would need approval are denied. With --approve all they are allowed.')
  if (tools.has('ask_models'))
    remarks.push(
      options.approve === 'all'
        ? 'Its models may put questions to a mixture: each takes several requests, which are not in the estimate.'
        : 'Questions to a mixture with models on other computers are denied. With --approve all they are allowed.',
    )
  if (options.approve === 'all')
    remarks.push('Everything except the hard limits runs without asking, and commands have network access.')
  return remarks
}
