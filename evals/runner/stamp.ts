import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { Recorded } from '../records.ts'

/** The files that `npm run evals -- --write` writes. They do not count as a change of the measured code. */
export const writtenFiles = {
  records: 'bench/records.json',
  measured: 'docs/measurements',
  withMarks: ['README.md', 'SECURITY.md'],
} as const

/** The measured commit, the day and the machine; or why git cannot tell. */
export function readStamp(root: string, now: Date): Omit<Recorded, 'figures'> | { why: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  const ours = [writtenFiles.records, writtenFiles.measured, ...writtenFiles.withMarks]
  try {
    const commit = git('rev-parse', 'HEAD').slice(0, 10)
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      '.',
      ...ours.map(file => `:!${file}`),
    )
    return {
      commit: changed === '' ? commit : `${commit}+`,
      on: now.toISOString().slice(0, 10),
      machine: describeMachine(),
    }
  } catch (error) {
    return {
      why: `git does not say which commit this is: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

const describeMachine = (): string =>
  `${cpus().length} x ${cpus()[0]?.model.trim() || 'unknown processor'}, ${process.platform} ${process.arch}, Node ${process.version}`
