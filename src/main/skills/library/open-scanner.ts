import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import { Fault } from '../../../shared/rpc.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { openThread, ThreadEnded, type Thread } from '../../threads/start-thread.ts'
import { rememberScans } from '../check/known-scans.ts'
import type { ScanJob, ThreadScan } from './scan-thread.ts'

/** Scans in a separate thread, which starts with the first scan and ends after a while without work. */
export type Scanner = {
  /**
   * Scan in turn, after earlier scans. A scan that times out or crashes also gives a result: a finding that
   * blocks the skill. Throws the Fault `cancelled` if `signal` aborts.
   */
  scan(job: ScanJob, signal?: AbortSignal): Promise<ThreadScan>
  close(): Promise<void>
}

/**
 * Minimum size in bytes for a scan in a thread. A scan takes up to 7 µs per character, measured over the
 * shapes of `bench/bounds`, and nothing in the host may block for 100 ms.
 */
export const LONG_SCAN_BYTES = 16_000

/** Sized for a skill with 4 MB of text on a busy processor. */
const LIMITS = { timeMs: 60_000, memoryMb: 512 }
/** A busy scan cannot be asked to stop, and it has nothing to clean up. */
const CLEANING_MS = 50
const IDLE_MS = 20_000

/** Prepare a scanner. No thread starts before the first scan. */
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
    // The limit starts here, so that waiting behind another scan does not count.
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
