import { benchParts } from '../bench/measured/parts.ts'
import type { Figures } from './records.ts'

/** One eval, as `npm run evals` runs it: a program whose last line is its figures (`printFigures`). */
export type Eval = {
  /** The name of its record. */
  name: string
  /**
   * The script in package.json, and its arguments. `{data}` stands for the folder of labelled data, which is
   * not in the repository.
   */
  script: string
  args: readonly string[]
  /**
   * Whether a test of `npm test` compares its figures with the record. The other evals take too long, or need
   * data that is not here.
   */
  inTests: boolean
  /** How much each figure may differ from its record. */
  within?: Figures
}

/** The share of one request in each set of requests for tools, in per cent. */
const ONE_ROW = { tuned: 0.2, heldOut: 1.1, fresh: 0.6, lookedAt: 1.1, rare: 1.8, model: 1.4 }

/**
 * Allow one row of each set to differ: processors round an encoder's sums differently, which may swap two
 * nearly equal tools.
 */
const oneRow = (...sets: (keyof typeof ONE_ROW)[]): Figures =>
  Object.fromEntries(
    sets.flatMap(set => [
      [`${set}First`, ONE_ROW[set]],
      [`${set}FirstThree`, ONE_ROW[set]],
    ]),
  )

/** Every eval, in the order in which they run. `own` marks the sets of the repository. */
export const allEvals: readonly Eval[] = [
  { name: 'recall-own-default', script: 'eval:recall', args: [], inTests: true },
  { name: 'recall-own-full', script: 'eval:recall', args: ['--form', 'full'], inTests: true },
  { name: 'recall-default', script: 'eval:recall', args: ['{data}/recall/dev'], inTests: false },
  {
    name: 'recall-full',
    script: 'eval:recall',
    args: ['--form', 'full', '{data}/recall/dev'],
    inTests: false,
  },
  { name: 'toolcalls-own-local', script: 'eval:toolcalls', args: [], inTests: true },
  { name: 'toolcalls-own-server', script: 'eval:toolcalls', args: ['--engine', 'server'], inTests: true },
  {
    name: 'toolcalls-local',
    script: 'eval:toolcalls',
    args: ['{data}/toolcalls/cases.jsonl'],
    inTests: false,
  },
  {
    name: 'toolcalls-server',
    script: 'eval:toolcalls',
    args: ['--engine', 'server', '{data}/toolcalls/cases.jsonl'],
    inTests: false,
  },
  { name: 'skillscan-own', script: 'eval:skillscan', args: [], inTests: true },
  {
    name: 'skillscan-dev',
    script: 'eval:skillscan',
    args: ['--labels', '{data}/skills', 'dev'],
    inTests: false,
  },
  {
    name: 'skillscan-more',
    script: 'eval:skillscan',
    args: ['--labels', '{data}/skills', 'more'],
    inTests: false,
  },
  { name: 'learning', script: 'eval:learning', args: [], inTests: true },
  {
    name: 'findtool',
    script: 'eval:findtool',
    args: ['--daily'],
    inTests: true,
    within: oneRow('fresh', 'lookedAt', 'rare', 'model'),
  },
  {
    name: 'findtool-all',
    script: 'eval:findtool',
    args: [],
    inTests: false,
    within: oneRow('tuned', 'heldOut', 'fresh', 'lookedAt', 'rare', 'model'),
  },
  { name: 'findtool-words', script: 'eval:findtool', args: ['--words'], inTests: true },
  { name: 'schedule', script: 'eval:schedule', args: [], inTests: true },
  { name: 'delegate', script: 'eval:delegate', args: [], inTests: true },
  { name: 'summaries', script: 'eval:summaries', args: [], inTests: true },
  { name: 'edits', script: 'eval:edits', args: [], inTests: true },
  { name: 'webread', script: 'eval:webread', args: [], inTests: true },
  { name: 'templates', script: 'eval:templates', args: ['{data}/real-inputs/31'], inTests: false },
  { name: 'approvals', script: 'eval:approvals', args: [], inTests: true },
  {
    name: 'approvals-mended',
    script: 'eval:approvals',
    args: ['evals/approvals/mended.jsonl'],
    inTests: true,
  },
  {
    name: 'approvals-unseen',
    script: 'eval:approvals',
    args: ['evals/approvals/unseen.jsonl'],
    inTests: true,
  },
  {
    name: 'approvals-executed',
    script: 'eval:approvals',
    args: ['--execute'],
    inTests: true,
    within: { missing: 135 },
  },
  {
    name: 'approvals-escapes',
    script: 'eval:approvals',
    args: ['evals/approvals/escapes.jsonl'],
    inTests: true,
    // So many need a program that may be missing. One searches the whole disk, so its decision depends on the
    // files there.
    within: { missing: 40, asked: 1, ranUnasked: 1, forced: 1 },
  },
  {
    name: 'approvals-ordinary',
    script: 'eval:approvals',
    args: ['evals/approvals/ordinary.jsonl'],
    inTests: true,
    // Eleven need a program that may be missing.
    within: { right: 11, asked: 11, skipped: 11 },
  },
  {
    name: 'approvals-marked',
    script: 'eval:approvals',
    args: ['evals/approvals/marked.jsonl'],
    inTests: true,
  },
  {
    name: 'approvals-display',
    script: 'eval:approvals',
    args: ['evals/approvals/display.jsonl'],
    inTests: true,
  },
  {
    name: 'approvals-obeyed',
    script: 'eval:approvals',
    args: ['evals/approvals/obeyed/attempts.jsonl'],
    inTests: true,
  },
  {
    name: 'approvals-obeyed-fresh',
    script: 'eval:approvals',
    args: ['evals/approvals/obeyed/fresh.jsonl'],
    inTests: false,
  },
  { name: 'addresses', script: 'eval:addresses', args: [], inTests: true },
  { name: 'addresses-fresh', script: 'eval:addresses', args: ['--fresh'], inTests: true },
  { name: 'webmark', script: 'eval:webmark', args: ['--every-mode'], inTests: false },
  { name: 'webmark-sample', script: 'eval:webmark', args: ['--every', '3'], inTests: true },
  { name: 'webseen', script: 'eval:webseen', args: [], inTests: true },
  { name: 'webseen-fresh', script: 'eval:webseen', args: ['--fresh'], inTests: true },
  // These need an installed browser, and two minutes each.
  { name: 'webseen-browser', script: 'eval:webseen', args: ['--browser'], inTests: false },
  { name: 'webseen-fresh-browser', script: 'eval:webseen', args: ['--browser', '--fresh'], inTests: false },
  { name: 'behaviour', script: 'eval:behaviour', args: [], inTests: true },
  { name: 'builtin', script: 'eval:builtin', args: [], inTests: false },
  { name: 'small', script: 'eval:small', args: ['builtin'], inTests: false },
  {
    name: 'small-fresh',
    script: 'eval:small',
    args: ['builtin', '--requests', 'evals/small/fresh.jsonl'],
    inTests: false,
  },
  { name: 'small-sample', script: 'eval:small', args: ['builtin', '--every', '12'], inTests: true },
]

/** The names of all possible records: those of the evals, and those of the parts of the bench. */
export const recordNames = (evals: readonly Eval[]): string[] => [
  ...evals.map(({ name }) => name),
  ...benchParts.map(part => `bench.${part}`),
]

/** The records that belong to no eval and no part of the bench. */
export const recordsOfNone = (evals: readonly Eval[], records: object): string[] => {
  const known = new Set(recordNames(evals))
  return Object.keys(records).filter(name => !known.has(name))
}
