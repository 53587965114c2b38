/** Whether a host is this very computer. Names that only look like it do not count, because somebody answers for them. */
export const isThisComputer = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(hostname.toLowerCase())

/** A request that was kept from leaving by the offline lock. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError'
  readonly host: string
  constructor(host: string) {
    super(`The offline lock is on, so nothing was sent to ${host}.`)
    this.host = host
  }
}

/** What to do about it. */
export const unlock = 'Switch the offline lock off under Settings, Privacy and network.'
/** The same for whoever wanted an answer from a model. */
export const unlockFix = `${unlock.slice(0, -1)}, or use a model on this computer.`
