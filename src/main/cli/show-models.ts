import { styleText } from 'node:util'
import type { Fit, FoundFile, Model, ModelFile } from '../../shared/contract/model.ts'
import { escapeInvisible } from './terminal-text.ts'

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const count = (number: number) => number.toLocaleString('en')
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `3.8 MB`, `4.1 GB`: decimal units, as usual for file sizes. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return `${oneDigit.format(bytes / 1_000 ** power)} ${units[power]}`
}

/** Models as text; the default for new chats has a star. */
export const showModels = (models: readonly Model[], defaultId: string): string =>
  models.map(model => showModel(model, model.id === defaultId)).join('\n')

function showModel(
  { id, name, problem, sizeBytes, contextTokens, detail, file, server }: Model,
  star: boolean,
): string {
  const size = sizeBytes === null ? [] : [sizeOf(sizeBytes)]
  const context = contextTokens === null ? [] : [`context ${count(contextTokens)}`]
  const where = file
    ? [escapeInvisible(file.folder)]
    : server
      ? [escapeInvisible(server.baseUrl)]
      : [escapeInvisible(detail)]
  const facts = [...size, ...(file ? factsIn(file) : []), ...context, ...where]
  const lines = [
    `${star ? '*' : ' '} ${escapeInvisible(name)}  ${dim(escapeInvisible(id))}`,
    `    ${facts.join(' · ')}`,
    ...(problem === null ? [] : [`    It cannot be used now: ${escapeInvisible(problem)}`]),
  ]
  return lines.join('\n')
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

/** Found files, each with its description and whether it fits. */
export const showFound = (files: readonly FoundFile[]): string =>
  files.map(showFile).join('\n') || 'Found no models.'

function showFile({ path, name, app, sizeBytes, file, fit, problem, knownAs, copyOf }: FoundFile): string {
  const facts = [sizeOf(sizeBytes), ...(file ? factsIn(file) : []), ...(fit ? [LABELS[fit.label]] : [])]
  const note =
    knownAs !== null ? 'Already in the list.' : copyOf !== null ? `A copy of ${escapeInvisible(copyOf)}.` : ''
  const lines = [
    `  ${escapeInvisible(name)}${app === '' ? '' : `  ${dim(app)}`}`,
    `    ${facts.join(' · ')}`,
    `    ${escapeInvisible(path)}`,
    ...(problem === null ? [] : [`    It cannot be used: ${escapeInvisible(problem)}`]),
    ...(note === '' ? [] : [`    ${note}`]),
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
  const context = `with a context of ${count(contextTokens)} tokens`
  const needs = `It needs about ${sizeOf(neededBytes)} of the ${sizeOf(availableBytes)} that are free, ${context}.`
  const verdicts: Record<Fit['label'], string> = {
    gpu: `${escapeInvisible(name)} fits the graphics card. ${needs}`,
    memory: `${escapeInvisible(name)} fits into memory. ${needs}`,
    too_big: `${escapeInvisible(name)} is too big now: ${sizeOf(missingBytes)} are missing. ${needs}`,
    unknown: `It is unknown whether ${escapeInvisible(name)} fits.`,
  }
  const lines = [verdicts[label]]
  if (label !== 'unknown') {
    lines.push(
      `  weights ${sizeOf(fit.weightsBytes)}, context ${sizeOf(fit.contextBytes)}, ` +
        `work ${sizeOf(fit.buffersBytes)}, program ${sizeOf(fit.processBytes)}`,
      mostContextTokens > 0
        ? `  The largest context that fits has ${count(mostContextTokens)} tokens.`
        : '  Not even a small context fits.',
    )
  }
  if (fit.freedBytes > 0)
    lines.push(`  ${sizeOf(fit.freedBytes)} of it are freed by unloading another model.`)
  if (uncertain !== '') lines.push(`  ${uncertain}`)
  return lines.join('\n')
}
