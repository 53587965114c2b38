import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { formatBytes, byCount } from '../../../shared/text/amounts.ts'
import { sayForChats, sayRefusals, sayRereads, sayThinking } from '../../../shared/words/model-words.ts'
import { examineModel, keepExamined } from '../../doctor/examine-model.ts'
import { gatherReport, type Finding, type CallReport, type MemoryReport } from '../../doctor/model-report.ts'
import { existingHome } from '../../config/home.ts'
import { CONTEXT_TOKENS } from '../../config/schema.ts'
import { absolutePath } from '../command-line.ts'
import { stripControls, escapeInvisible } from '../output/terminal-text.ts'
import { examineComputer, surroundingsHere, type Check } from '../../doctor/examine-computer.ts'
import { rootFolder } from '../../lib/disk/shipped-files.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type DoctorOptions = { json?: boolean; threads?: number; context?: number; home?: string }

/**
 * Examine a model file and print the findings. Keeps the verdict in the home folder, if there is one.
 * Resolves to whether the model loads and all its calls were valid.
 */
export async function doctorModel(
  file: string,
  { json, threads, context, home: given }: DoctorOptions,
): Promise<boolean> {
  using stopping = stopOnSignals()
  // Stop if the reader of our output is gone, as with `head`.
  process.stdout.on('error', stopping.stop)
  const findings: Finding[] = []
  const examination = { threads: threads ?? ('auto' as const), contextTokens: context ?? CONTEXT_TOKENS }
  for await (const finding of examineModel(absolutePath(file), examination, stopping.signal)) {
    findings.push(finding)
    if (json) continue
    const gap = finding.kind === 'verdict' && findings.length > 1 ? '\n' : ''
    process.stdout.write(gap + showFinding(finding))
  }
  if (stopping.signal.aborted) {
    process.stderr.write('Stopped.\n')
    return false
  }
  const report = gatherReport(findings)
  const home = existingHome(given)
  const say = (error: unknown) => void process.stderr.write(`The verdict was not kept: ${String(error)}\n`)
  if (home !== undefined) await keepExamined(home, absolutePath(file), report.calls, say)
  if (json) process.stdout.write(`${jsonLine(report)}\n`)
  return report.verdict?.ok === true
}

const column = 10
/** Maximum characters of an argument, which can be a whole file. */
const longest = 100

/** One finding about a model as text. */
export function showFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'file': {
      const { name, architecture, parameters, quantisation, bitsPerWeight, sizeBytes, path } = finding.file
      const weights = `${quantisation ? `${quantisation}, ` : ''}${bitsPerWeight.toFixed(1)} bits per weight`
      const trained = finding.file.trainedTokens
      return lines(
        ['Model', [name || 'without a name', architecture, inWords(parameters), weights].join(' · ')],
        ['File', `${path} · ${formatBytes(sizeBytes)}`],
        ['Trained', trained > 0 ? `with a context of ${tokens(trained)}` : 'with an unknown context length'],
      )
    }
    case 'template': {
      const { problem, toolRole, rereads, refuses, thinking } = finding.template
      const growing = rereads === null ? 'a longer chat only extends it' : 'earlier turns are rendered again'
      const results = `${toolRole ? 'a' : 'no'} role for tool results`
      const { label, because } = finding.format
      return lines(
        ['Template', problem === null ? 'its own' : `ChatML. ${problem}`],
        ['', `${growing}; ${results}; for thinking, ${sayThinking(thinking)}`],
        ...(rereads === null ? [] : [['', sayRereads(rereads)] satisfies Row]),
        ...(refuses === null ? [] : [['', sayRefusals(refuses)] satisfies Row]),
        ['Format', `${label}: ${because}`],
      )
    }
    case 'memory':
      return lines(...memoryInWords(finding.memory))
    case 'loading': {
      const { seconds, contextTokens } = finding.loading
      return lines(['Loaded', `in ${seconds.toFixed(1)} s, with a context of ${tokens(contextTokens)}`])
    }
    case 'call':
      return lines(['Call', callInWords(finding.call)])
    case 'speed': {
      const { prefillPerSecond, tokensPerSecond } = finding.speed
      return lines([
        'Speed',
        `reads ${speed(prefillPerSecond)}, writes ${speed(tokensPerSecond)} tokens per second`,
      ])
    }
    case 'verdict': {
      const { text, fix } = finding.verdict
      return `${stripControls([text, fix].filter(line => line !== '').join('\n'))}\n`
    }
  }
}

/** A label and a text. A row without a label continues the row above. */
type Row = [label: string, text: string]

const lines = (...rows: Row[]) =>
  rows
    .map(([label, text]) => `${label.padEnd(column)}${escapeInvisible(text.replace(/[\n\t]/g, ' '))}\n`)
    .join('')

function memoryInWords({
  contextTokens,
  chats,
  total,
  available,
  fits,
  notice,
  ...parts
}: MemoryReport): Row[] {
  const { weights, context, buffers, process } = parts
  const holds = `${byCount(chats, 'one chat', `${chats} chats`)} of ${tokens(contextTokens)}`
  const room = fits
    ? `${formatBytes(available)} are free`
    : `it does not fit: only ${formatBytes(available)} are free`
  return [
    ['Memory', `about ${formatBytes(total)} for ${holds}; ${room}`],
    [
      '',
      `weights ${formatBytes(weights)}, context ${formatBytes(context)} ${sayForChats(chats)}, buffers ${formatBytes(buffers)}, process ${formatBytes(process)}`,
    ],
    ...(notice === null ? [] : [['', notice] satisfies Row]),
  ]
}

function callInWords({ tool, how, call, alone, problem }: CallReport): string {
  const written = call ? `${call.name} ${shorten(JSON.stringify(call.arguments))}` : (problem ?? '')
  if (how === 'by itself') return `${tool.padEnd(12)}by itself: ${written}`
  if (how === 'begun for it') return `${tool.padEnd(12)}started for it (${alone}): ${written}`
  return `${tool.padEnd(12)}not: ${written}`
}

const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
const tokens = (count: number) => `${count.toLocaleString('en-US')} tokens`
const speed = (perSecond: number) =>
  perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en-US')

function inWords(parameters: number): string {
  const [size, unit] = parameters >= 1e9 ? [parameters / 1e9, 'billion'] : [parameters / 1e6, 'million']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit} parameters`
}

const SIGNS: Record<Check['state'], string> = { good: 'ok', note: 'note', bad: 'BAD' }
const COLOURS = { good: 'green', note: 'yellow', bad: 'red' } as const

/** Examine this computer and print the findings. Resolves to whether Talaria can work here. */
export async function doctorComputer({ home, json }: { home?: string; json?: boolean }): Promise<boolean> {
  using stopping = stopOnSignals()
  const checks: Check[] = []
  for await (const check of examineComputer(home, surroundingsHere(hasElectron()), stopping.signal)) {
    checks.push(check)
    if (!json) process.stdout.write(showCheck(check))
  }
  const ok = checks.every(check => check.state !== 'bad') && !stopping.signal.aborted
  if (json) process.stdout.write(`${jsonLine({ ok, checks })}\n`)
  else
    process.stdout.write(
      ok ? '\nTalaria works on this computer.\n' : '\nSomething prevents Talaria from working.\n',
    )
  return ok
}

function showCheck({ name, state, text, fix }: Check): string {
  const sign = styleText(COLOURS[state], SIGNS[state].padEnd(5), { stream: process.stdout })
  const more = fix === '' ? '' : `\n${' '.repeat(20)}${fix}`
  return name.padEnd(15) + sign + stripControls(`${text}${more}\n`)
}

/** Check for the folder, because importing the package would download the binary. */
const hasElectron = (): boolean => existsSync(join(rootFolder(), 'node_modules/electron/dist'))
