import { styleText } from 'node:util'
import { formatBytes } from '../../../shared/text/amounts.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Fit, FoundFile, Model, ModelFile, ToolsTest } from '../../../shared/contract/models/model.ts'
import {
  BASE_MODEL,
  refusalNote,
  sayForChats,
  sayRereads,
  sayThinking,
  templateNote,
  toolsBadge,
  toolsNote,
} from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { escapeInvisible } from '../output/terminal-text.ts'
import { SIGNALS } from '../stop-on-signals.ts'

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const count = (number: number) => number.toLocaleString('en')

/** Models as text; the default for new chats has a star. */
export const showModels = (models: readonly Model[], defaultId: string): string =>
  models.map(model => showModel(model, model.id === defaultId)).join('\n')

function showModel(model: Model, star: boolean): string {
  const { id, name, problem, sizeBytes, contextTokens, detail, file, server, demo, options } = model
  const note = toolsNote(model)
  const isUntriedBase = file?.base === true && model.tools === null
  const size = sizeBytes === null ? [] : [formatBytes(sizeBytes)]
  const context = contextTokens === null ? [] : [`context ${count(contextTokens)}`]
  const where = file
    ? [escapeInvisible(file.folder)]
    : server
      ? [escapeInvisible(server.baseUrl)]
      : [escapeInvisible(detail)]
  const template = templateNote(model) ?? refusalNote(model)
  const told = [
    template,
    ...(file?.rereads?.part === 'chat' ? [sayRereads(file.rereads)] : []),
    ...(problem === null && file && file.thinking.length > 0
      ? [showThinking(file.thinking, options.thinking)]
      : []),
  ]
  const facts = [...size, ...(file ? factsIn(file) : []), ...context, ...where]
  const lines = [
    `${star ? '*' : ' '} ${escapeInvisible(name)}  ${dim(escapeInvisible(id))}`,
    `    ${facts.join(' · ')}`,
    ...(problem === null ? [] : [`    It cannot be used now: ${escapeInvisible(problem)}`]),
    ...(demo || problem !== null || isUntriedBase ? [] : [`    ${toolsBadge(model)}.`]),
    ...(note === undefined ? [] : [`    ${note}`]),
    ...(file?.base ? [`    ${BASE_MODEL}`] : []),
    ...told.flatMap(line => (line === undefined ? [] : [`    ${escapeInvisible(line)}`])),
  ]
  return lines.join('\n')
}

function showThinking(choices: ModelFile['thinking'], setTo: Model['options']['thinking']): string {
  const what = `Thinking: ${sayThinking(choices)}`
  return setTo === undefined ? `${what}.` : `${what}; you turned it ${setTo}.`
}

const factsIn = ({ quantisation, architecture, format, vision, parts, owned }: ModelFile): string[] =>
  [
    escapeInvisible(quantisation),
    escapeInvisible(architecture),
    `tools: ${format.name}`,
    vision === '' ? '' : 'reads images',
    parts > 1 ? `${parts} files` : '',
    owned ? 'Talaria’s own' : '',
  ].filter(each => each !== '')

/** Describe one step of the tool test of a model in a line. */
export function showTest(step: ToolsTest): string {
  switch (step.step) {
    case 'loading':
      return 'Loading the model…'
    case 'asking':
      return `Asking for a call of ${step.tool}, ${step.number} of ${step.of}…`
    case 'answered':
      return `  ${step.tool}: ${step.how === 'not' ? `failed, ${escapeInvisible(step.problem ?? '')}` : step.how}`
    case 'verdict':
      return [step.text, step.fix].filter(line => line !== '').join('\n')
  }
}

/** Found files, each with its description and whether it fits. */
export const showFound = (files: readonly FoundFile[]): string =>
  files.map(showFile).join('\n') || 'Found no models.'

function showFile({ path, name, app, sizeBytes, file, fit, problem, knownAs, copyOf }: FoundFile): string {
  const facts = [formatBytes(sizeBytes), ...(file ? factsIn(file) : []), ...(fit ? [LABELS[fit.label]] : [])]
  const note =
    knownAs !== null ? 'Already in the list.' : copyOf !== null ? `A copy of ${escapeInvisible(copyOf)}.` : ''
  const lines = [
    `  ${escapeInvisible(name)}${app === '' ? '' : `  ${dim(app)}`}`,
    `    ${facts.join(' · ')}`,
    `    ${escapeInvisible(path)}`,
    ...(problem === null ? [] : [`    It cannot be used: ${escapeInvisible(problem)}`]),
    ...(note === '' ? [] : [`    ${note}`]),
    ...(file?.base ? [`    ${BASE_MODEL}`] : []),
  ]
  return lines.join('\n')
}

const LABELS: Record<Fit['label'], string> = {
  gpu: 'fits the graphics card',
  memory: 'fits into memory',
  too_big: 'too big now',
  unknown: 'fit unknown',
}

/** Whether a model fits, with its memory use by purpose. */
export function showFit(name: string, fit: Fit): string {
  const { label, neededBytes, availableBytes, missingBytes, contextTokens, mostContextTokens, uncertain } =
    fit
  const context = `${sayForChats(fit.chats)} of ${count(contextTokens)} tokens`
  const needs = `It needs about ${formatBytes(neededBytes)} of the ${formatBytes(availableBytes)} that are free, ${context}.`
  const verdicts: Record<Fit['label'], string> = {
    gpu: `${escapeInvisible(name)} fits the graphics card. ${needs}`,
    memory: `${escapeInvisible(name)} fits into memory. ${needs}`,
    too_big: `${escapeInvisible(name)} is too big now: ${formatBytes(missingBytes)} are missing. ${needs}`,
    unknown: `It is unknown whether ${escapeInvisible(name)} fits.`,
  }
  const lines = [verdicts[label]]
  if (label !== 'unknown') {
    lines.push(
      `  weights ${formatBytes(fit.weightsBytes)}, context ${formatBytes(fit.contextBytes)} ${sayForChats(fit.chats)}, ` +
        `work ${formatBytes(fit.buffersBytes)}, program ${formatBytes(fit.processBytes)}`,
      mostContextTokens > 0
        ? `  The largest context that fits has ${count(mostContextTokens)} tokens.`
        : '  Not even a small context fits.',
    )
  }
  if (fit.freedBytes > 0) lines.push(`  Unloading another model frees ${formatBytes(fit.freedBytes)} of it.`)
  if (uncertain !== '') lines.push(`  ${uncertain}`)
  return lines.join('\n')
}

/** The progress of a transfer in one line. */
function showTransfer({ name, state, doneBytes, totalBytes, ...speed }: Transfer): string {
  if (state === 'waiting') return `${escapeInvisible(name)}: waiting for its turn`
  if (state === 'checking') return `${escapeInvisible(name)}: checking`
  const part = totalBytes ? `${Math.floor((doneBytes / totalBytes) * 100)} %  ` : ''
  const of = totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`
  const { bytesPerSecond, secondsLeft } = speed
  const pace = bytesPerSecond === null ? '' : `  ${formatBytes(bytesPerSecond)}/s`
  const left = secondsLeft === null ? '' : `  ${timeOf(secondsLeft)} left`
  return `${escapeInvisible(name)}: ${part}${formatBytes(doneBytes)}${of}${pace}${left}`
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** States in which a transfer stays until the user acts. */
const RESTS: readonly Transfer['state'][] = ['done', 'failed', 'paused']

/** Where to show a transfer; on a terminal, one line is updated in place. */
export type TransferScreen = {
  json: boolean
  isTerminal: boolean
  out(text: string): void
  aside(text: string): void
}

/** The result goes to standard output, progress and errors to standard error. */
export const processScreen = (json: true | undefined): TransferScreen => ({
  json: json === true,
  isTerminal: process.stderr.isTTY,
  out: text => void process.stdout.write(text),
  aside: text => void process.stderr.write(text),
})

/**
 * Start a transfer and follow it to its end. A signal pauses it; the same command resumes it later. Resolves
 * to the transfer in its final state.
 */
export async function followTransfer(
  client: HostClient,
  start: () => Promise<Transfer>,
  screen: TransferScreen,
): Promise<Transfer> {
  const leaving = new AbortController()
  const events = client['app.watch']({}, { signal: leaving.signal })
  let pausing: Promise<unknown> | undefined
  try {
    // After the first event, no later event is missed.
    await events.next()
    let now = await start()
    const { id } = now
    const pause = () => {
      pausing ??= client['download.pause']({ id })
    }
    for (const signal of SIGNALS) process.on(signal, pause)
    try {
      show(now, screen)
      while (!RESTS.includes(now.state)) {
        const next = await events.next()
        if (next.done) throw new Fault('disconnected', 'The host went away.')
        if (next.value.type !== 'transfers') continue
        const seen = next.value.transfers.find(each => each.id === id)
        if (!seen)
          throw new Fault('cancelled', 'The download was cancelled, and its partial file was deleted.')
        now = seen
        show(now, screen)
      }
    } finally {
      for (const signal of SIGNALS) process.off(signal, pause)
    }
    await pausing
    return now
  } finally {
    leaving.abort()
  }
}

/** Print the result. Returns whether the model is available now. */
export function showTransferEnd(transfer: Transfer, screen: TransferScreen): boolean {
  const { state, name, error, fix, modelId, here = false } = transfer
  if (screen.isTerminal && !screen.json) screen.aside('\n')
  if (state === 'done') {
    const as = modelId === null ? '' : `: ${escapeInvisible(modelId)}`
    const how = here ? 'on this computer already' : 'ready'
    if (!screen.json) screen.out(`${escapeInvisible(name)} is ${how}${as}\n`)
    if (here && !screen.json) screen.aside('Nothing was downloaded. Add --again to download it again.\n')
    return true
  }
  const why = state === 'failed' ? `${error} ${fix}`.trim() : 'Paused. Run the same command again to resume.'
  screen.aside(`${escapeInvisible(why)}\n`)
  return false
}

function show(transfer: Transfer, { json, isTerminal, out, aside }: TransferScreen): void {
  if (json) out(`${jsonLine(transfer)}\n`)
  else if (isTerminal) aside(`\r\u001b[K${showTransfer(transfer)}`)
}
