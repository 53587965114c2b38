import { examineModel } from '../doctor/examine-model.ts'
import { gather, type Finding } from '../doctor/report.ts'
import { absolutePath } from './user-paths.ts'
import { showFinding } from './show-finding.ts'

export type DoctorOptions = { json?: boolean; threads?: number; context: number }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Examine a model file and print the findings. Resolves to whether the model loads and all its calls were valid. */
export async function doctorModel(file: string, { json, threads, context }: DoctorOptions): Promise<boolean> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  // Only once, so that a second Ctrl-C ends the process at once.
  for (const signal of SIGNALS) process.once(signal, stop)
  // The reader is gone, as with `head`.
  process.stdout.on('error', stop)
  const findings: Finding[] = []
  try {
    const examination = { threads: threads ?? ('auto' as const), contextTokens: context }
    for await (const finding of examineModel(absolutePath(file), examination, stopping.signal)) {
      findings.push(finding)
      if (json) continue
      const gap = finding.kind === 'verdict' && findings.length > 1 ? '\n' : ''
      process.stdout.write(gap + showFinding(finding))
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  if (stopping.signal.aborted) {
    process.stderr.write('Stopped.\n')
    return false
  }
  const report = gather(findings)
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`)
  return report.verdict?.ok === true
}
