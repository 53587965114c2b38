import type { Refusal } from '../lib/expected-errors.ts'

/** Records an outgoing request, and throws `OfflineError` if it is blocked. `end` records the outcome. */
export type RequestGate = (host: string) => { end(ok: boolean): void }

/** Why an update failed, and the remedy if it is not simply to try again later. */
export type UpdateTrouble = Refusal & { fix?: string }

/** Fetches and installs newer versions of the application. Trouble that users can understand is a refusal. */
export type Updater = {
  /** The host that updates come from. */
  source: string
  /** Return the newer version; undefined if there is none. */
  check(): Promise<{ version: string; sizeBytes: number | null } | undefined | UpdateTrouble>
  /** Download the version that `check` found. `onShare` receives the finished share, from 0 to 1. */
  download(onShare: (share: number) => void): Promise<undefined | UpdateTrouble>
  /** Let the application end, and the new version start. */
  install(): void
}
