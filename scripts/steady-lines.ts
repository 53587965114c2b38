import { closingLine, type Ended } from './suites.ts'

/** Run number `run` of `of` of a suite, and whether two busy programs ran beside it. */
export type Run = Omit<Ended, 'failures'> & { suite: string; run: number; of: number; isBusy: boolean }

/** A run as a printed line. */
export function lineOf({ suite, run, of, isBusy, seconds, code, ...counts }: Run): string {
  const number = `run ${String(run).padStart(String(of).length)} of ${of}`
  const beside = isBusy ? 'beside two busy loops' : 'alone'
  const end = code === 0 ? 'passed' : `failed with code ${code}`
  return [
    suite.padEnd(7),
    number,
    beside.padEnd(21),
    `${seconds.toFixed(1).padStart(6)} s`,
    closingLine(counts),
    end,
  ].join('  ')
}

/** The counts from the last closing line of `npm test`. */
export function readTotals(output: string): { passed: number; failed: number; skipped: number } | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  return last && { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) }
}
