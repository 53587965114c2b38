import type { Refusal, Rereads, ToolsVerdict } from '../../shared/contract/models/model.ts'
import type { EngineFailure } from '../models/interface/engine.ts'

/** The facts in the header of the file. Sizes are in bytes; `trainedTokens` is 0 if unknown. */
export type FileReport = {
  path: string
  name: string
  architecture: string
  parameters: number
  /** Such as `Q4_K_M`; null if the name of the file does not contain it. */
  quantisation: string | null
  bitsPerWeight: number
  sizeBytes: number
  trainedTokens: number
}

/** How conversations are written for the model; `problem` says why its own template is not used. */
export type TemplateReport = {
  problem: string | null
  appendOnly: boolean
  toolRole: boolean
  /** The parts that the template rewrites in a longer chat; null if it only appends. */
  rereads: Rereads | null
  /** How the template refuses chats; null if it accepts all that were tried. */
  refuses: Refusal | null
  /** The values that thinking can be set to. */
  thinking: readonly ('on' | 'off')[]
}

/** The model's tool-call format, and how it was detected. */
export type FormatReport = { id: string; label: string; because: string }

/** The estimated maximum memory use and the free memory, in bytes. `chats`: how many side by side. */
export type MemoryReport = {
  contextTokens: number
  chats: number
  total: number
  weights: number
  context: number
  buffers: number
  process: number
  available: number
  fits: boolean
  /** The settings that were reduced so that the model fits, and why; null if none. */
  notice: string | null
}

/** How the model called a tool: unprompted, after the start of the call was written for it, or not at all. */
export type CallReport = {
  tool: string
  question: string
  how: 'by itself' | 'begun for it' | 'not'
  call: { name: string; arguments: Record<string, unknown> } | null
  /** Why it did not call unprompted; null if it did. */
  alone: string | null
  /** Why there is no valid call despite the help; null if there is one. */
  problem: string | null
}

/** Speeds in tokens per second. */
export type SpeedReport = { prefillPerSecond: number; tokensPerSecond: number }

/** The verdict as text; `ok` if the model loads and every call was valid. */
export type Verdict = { ok: boolean; text: string; fix: string }

/** The full report on a model; parts that were not reached are absent. */
export type ModelReport = {
  file?: FileReport
  template?: TemplateReport
  format?: FormatReport
  memory?: MemoryReport
  loading?: { seconds: number; contextTokens: number }
  calls: CallReport[]
  speed?: SpeedReport
  verdict?: Verdict
}

/** One part of a report, yielded as soon as it is known; several of kind `call`, and a final `verdict`. */
export type Finding =
  | { kind: 'file'; file: FileReport }
  | { kind: 'template'; template: TemplateReport; format: FormatReport }
  | { kind: 'memory'; memory: MemoryReport }
  | { kind: 'loading'; loading: { seconds: number; contextTokens: number } }
  | { kind: 'call'; call: CallReport }
  | { kind: 'speed'; speed: SpeedReport }
  | { kind: 'verdict'; verdict: Verdict }

/** The verdict on a model that never got to call a tool. */
export const cannotBeUsed = ({ text, fix }: EngineFailure): Verdict => ({
  ok: false,
  text: `Cannot be used: ${text}`,
  fix,
})

const count = (calls: readonly CallReport[], how: CallReport['how']) =>
  calls.filter(call => call.how === how).length

/** The verdict to store for a model that answered, shown wherever the model is listed. */
export function verdictOn(calls: readonly CallReport[], at: number): ToolsVerdict {
  const byItself = count(calls, 'by itself')
  const tools = count(calls, 'not') > 0 ? 'fail' : byItself === calls.length ? 'work' : 'helped'
  return { tools, byItself, of: calls.length, at }
}

/** The help that led a model to a call: the start was written for it, or it was told which tool to use. */
const HELP = { begun: 'Talaria started the call for it', told: 'it was told which tool to use' }

/** The verdict on a model that answered. */
export function judgeCalls(calls: readonly CallReport[], help: keyof typeof HELP = 'begun'): Verdict {
  const failed = count(calls, 'not')
  if (failed > 0) {
    return {
      ok: false,
      text: `Cannot be used as an agent: it made no valid call in ${failed} of ${calls.length} tries, even when ${HELP[help]}.`,
      fix: 'It may still chat. Try another choice at For experts > How tools are called on the page Models, or choose a model that was trained to call tools.',
    }
  }
  const begun = count(calls, 'begun for it')
  if (begun === calls.length) {
    return works(
      `Works with help: it called nothing by itself, and every call was valid when ${HELP[help]}.`,
      'In a chat it would talk instead of acting. For work with tools, choose another model.',
    )
  }
  if (begun > 0) {
    return works(
      `Works with help: ${begun} of ${calls.length} calls were valid only when ${HELP[help]}.`,
      'In a chat it may talk instead of acting.',
    )
  }
  return works('Works: it calls tools by itself, and every call was valid.', '')
}

const works = (text: string, fix: string): Verdict => ({ ok: true, text, fix })

/** Combine findings into a report. */
export function gatherReport(findings: readonly Finding[]): ModelReport {
  const report: ModelReport = { calls: [] }
  for (const { kind: _kind, ...parts } of findings) {
    if ('call' in parts) report.calls.push(parts.call)
    else Object.assign(report, parts)
  }
  return report
}
