import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Model, ModelFile } from '../../shared/contract/models/model.ts'
import { askForCalls } from './engines/local/templates/ask-template.ts'
import { detectFormat } from './formats/detect-format.ts'
import { formatOf } from './formats/format-table.ts'
import { isFailure, type EngineFailure } from './interface/engine.ts'
import { allPartPaths, folderForDisplay } from './files/model-paths.ts'
import { judgeFile } from './judge-file.ts'
import { readTemplate } from './engines/local/templates/chat-template.ts'

/** A model that runs on this computer. */
export type LocalModel = { id: string; name: string; path: string; demo: boolean }

/** The facts in a model file's header, known before any weights are loaded. */
export type ModelFacts = {
  /** Total size of all files of a split model. */
  sizeBytes: number
  architecture: string
  /** What the file contains, as text for the user, if it holds no language model. */
  other?: string
  /** The name in the file's metadata; empty if there is none. */
  name: string
  parameters: number
  /** Number of files of the model. */
  parts: number
  quantisation: string
  bitsPerWeight: number
  licence: string
  chatTemplate: string | undefined
  /** The context length that the model was trained on, in tokens; 0 if unknown. */
  trainedTokens: number
}

export type ReadFacts<F extends ModelFacts = ModelFacts> = (path: string) => Promise<F | EngineFailure>

/** Cache facts until the file changes. A file without a chat model is a failure; failures are not cached. */
export function chatFacts<F extends ModelFacts>(read: ReadFacts<F>): ReadFacts<F> {
  const known = new Map<string, { stamp: string; facts: F }>()
  return async path => {
    const stamp = await stampOf(path)
    const hit = known.get(path)
    if (stamp !== undefined && hit?.stamp === stamp) return hit.facts
    known.delete(path)
    const facts = await read(path)
    if (isFailure(facts)) return facts
    if (judgeFile(facts).kind === 'other') return cannotChat(path, facts)
    if (stamp !== undefined) known.set(path, { stamp, facts })
    return facts
  }
}

/** Changes when any file of a model changes; undefined if a file is missing. */
async function stampOf(path: string): Promise<string | undefined> {
  const parts = await Promise.all(allPartPaths(path).map(part => stat(part).catch(() => undefined)))
  return parts.every(part => part !== undefined)
    ? parts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(', ')
    : undefined
}

const cannotChat = (path: string, { other, architecture }: ModelFacts): EngineFailure => ({
  code: 'model_unreadable',
  text: `${path} is not made for chats: it is ${other ?? `a ${architecture} model`}.`,
  fix: 'Nothing is wrong with the file. Choose a model that is made to follow instructions.',
})

/** Facts that follow from the location of a file. */
export type FileOrigin = { owned: boolean; vision: string }

/** Describe a local model for the user interface. An unreadable model has a problem instead of figures. */
export function describeLocal(
  { id, name, path, demo }: LocalModel,
  facts: ModelFacts | EngineFailure,
  place: FileOrigin,
): Model {
  const failed = isFailure(facts)
  const figures = failed ? [] : [parametersIn(facts), facts.architecture]
  return {
    id,
    name,
    kind: demo ? 'builtin' : 'file',
    detail: demo
      ? 'Tiny, and only for a first look. Real work needs a bigger model.'
      : [...figures, folderForDisplay(path)].join(' · '),
    sizeBytes: failed ? null : facts.sizeBytes,
    contextTokens: failed || facts.trainedTokens === 0 ? null : facts.trainedTokens,
    demo,
    problem: failed ? facts.text : null,
    file: failed ? nothing(path, place) : describeFile(path, facts, place),
    server: null,
    options: {},
    tools: null,
  }
}

/** The details of an unreadable file. Its kind of model is unknown, so nothing is said about it. */
const nothing = (path: string, place: FileOrigin): ModelFile => ({
  ...describeFile(path, NO_FACTS, place),
  base: false,
})

const NO_FACTS: ModelFacts = {
  sizeBytes: 0,
  architecture: '',
  name: '',
  parameters: 0,
  parts: 1,
  quantisation: '',
  bitsPerWeight: 0,
  licence: '',
  chatTemplate: undefined,
  trainedTokens: 0,
}

type Trial = Pick<ModelFile, 'templateProblem' | 'refuses' | 'rereads' | 'thinking'>

const knownTrials = new Map<string, Trial>()
/** How long a template trial may take, in ms. No usable template takes this long. */
const LONGEST_TRIAL_MS = 2_000

/** Try a chat template out, once per template: its problems, what it refuses, and how it renders thinking. */
function tryTemplate(template: string): Trial {
  const known = knownTrials.get(template)
  if (known) return known
  const read = readTemplate(template, { bos: '<s>', eos: '</s>' }, LONGEST_TRIAL_MS)
  const { problem = null, refuses = null, rereads = null, thinking } = read
  const trial = { templateProblem: problem, refuses, rereads, thinking: [...thinking] }
  if (knownTrials.size > 50) knownTrials.clear()
  knownTrials.set(template, trial)
  return trial
}

const NOT_TRIED: Trial = { templateProblem: null, refuses: null, rereads: null, thinking: [] }

/** The details of a file, with the call format of its model. */
export function describeFile(path: string, facts: ModelFacts, { owned, vision }: FileOrigin): ModelFile {
  const { architecture, parameters, parts, quantisation, bitsPerWeight, trainedTokens, licence } = facts
  const template = facts.chatTemplate
  const { kind, madeForTools } = judgeFile(facts)
  const { id, format, from } = detectFormat({
    writes: askForCalls(template),
    template,
    name: facts.name || basename(path),
    architecture,
  })
  return {
    path,
    folder: folderForDisplay(path),
    owned,
    parts,
    architecture,
    parameters,
    quantisation,
    bitsPerWeight,
    trainedTokens,
    licence,
    base: kind === 'base',
    ...(template === undefined ? NOT_TRIED : tryTemplate(template)),
    madeForTools,
    format: { id, name: formatOf(format).label, from },
    vision,
  }
}

function parametersIn({ parameters }: ModelFacts): string {
  const [size, unit] = parameters >= 1e9 ? [parameters / 1e9, 'billion'] : [parameters / 1e6, 'million']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit} parameters`
}
