import type { Refusal } from '../lib/expected-errors.ts'

/** Records a request that is about to leave, and throws `OfflineError` if it may not. `end` records how it went. */
export type RequestGate = (host: string) => { end(ok: boolean): void }

/** Why an update failed, and what to do if that is not simply to try again later. */
export type UpdateTrouble = Refusal & { fix?: string }

/** Fetches and installs newer versions of the application. Trouble that a person can understand is a refusal. */
export type Updater = {
  /** The host that updates come from. */
  source: string
  /** The newer version; undefined when there is none. */
  check(): Promise<{ version: string; sizeBytes: number | null } | undefined | UpdateTrouble>
  /** Download the version that `check` found. `onShare` hears how much there is, from 0 to 1. */
  download(onShare: (share: number) => void): Promise<undefined | UpdateTrouble>
  /** Let the application end, and the new version start. */
  install(): void
}
