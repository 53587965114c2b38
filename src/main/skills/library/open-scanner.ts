import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { openThread, ThreadEnded, type Thread } from '../../threads/start-thread.ts'
import { rememberScans } from '../check/known-scans.ts'
import type { ScanJob, ThreadScan } from './scan-thread.ts'

/** Scans in a thread of its own, which starts with the first scan and ends when it had nothing to do for a while. */
export type Scanner = {
  /**
   * One scan after those before it. One that does not end in time, or breaks down, is an answer too: a finding that keeps the
   * skill back. Throws the Fault `cancelled` when `signal` aborts.
   */
  scan(job: ScanJob, signal?: AbortSignal): Promise<ThreadScan>
  close(): Promise<void>
}

/**
 * From so many bytes on a thread scans a skill. A scan takes up to 7 µs for a letter, measured over the shapes of
 * `bench/bounds`, and nothing else of the host is to wait for 100 ms.
 */
export const LONG_SCAN_BYTES = 16_000

/** A skill may have 4 MB of text, and a processor that others want as well. */
const LIMITS = { timeMs: 60_000, memoryMb: 512 }
/** What computes cannot be asked to stop; it has nothing to clean up either. */
const CLEANING_MS = 50
const IDLE_MS = 20_000

/** Prepare a scanner. Nothing is started before the first scan. */
export function openScanner(limits: Partial<typeof LIMITS> = {}): Scanner {
  const { timeMs, memoryMb } = { ...LIMITS, ...limits }
  const closing = new AbortController()
  let thread: Thread<ThreadScan> | undefined
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    clearTimeout(timer)
    const ended = thread
    thread = undefined
    await ended?.close()
  }

  async function scanNow(job: ScanJob, signal: AbortSignal): Promise<ThreadScan> {
    if (signal.aborted) throw reasonOf(signal)
    clearTimeout(timer)
    thread ??= openThread<ThreadScan>(entryPath('scan-thread'), { cleaningMs: CLEANING_MS, memoryMb })
    // Counted from here, so that a scan does not wait its own time away behind another.
    const time = AbortSignal.timeout(timeMs)
    try {
      let scan: ThreadScan | undefined
      for await (const scanned of thread.run(job, AbortSignal.any([signal, time]))) scan = scanned
      if (!scan) throw new ThreadEnded('The scan ended without a result.')
      rememberScans(scan.known)
      return scan
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal)
      if (time.aborted) return kept(TOO_LONG(timeMs))
      if (error instanceof ThreadEnded) return kept(BROKE_DOWN)
      throw error
    } finally {
      timer = setTimeout(() => void end(), IDLE_MS).unref()
    }
  }

  return {
    scan(job, given) {
      const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal
      const scanned = last.then(() => scanNow(job, signal))
      last = scanned.catch(() => undefined)
      return scanned
    },
    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      await last
      await end()
    },
  }
}

const reasonOf = ({ reason }: AbortSignal): Fault =>
  reason instanceof Fault ? reason : new Fault('cancelled', 'Cancelled.')

const kept = (finding: ScanFinding): ThreadScan => ({
  digest: '',
  report: { verdict: 'dangerous', findings: [finding] },
  known: [],
})

const unfinished = (rule: string, reason: string): ScanFinding => ({
  path: '',
  line: 1,
  rule,
  category: 'structure',
  severity: 'critical',
  block: true,
  reason,
  excerpt: '',
})

/** The finding of a scan that failed. */
export const BROKE_DOWN = unfinished(
  'scan-broke-down',
  'The security scan could not be finished, so this skill is unchecked.',
)

const TOO_LONG = (ms: number) =>
  unfinished(
    'scan-too-long',
    `The security scan did not end within ${ms / 1_000} seconds, so this skill is unchecked.`,
  )
