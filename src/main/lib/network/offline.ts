/** Return whether a host is this computer. Names that only look local do not count: DNS resolves them. */
export const isThisComputer = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?(::1|::ffff:(127(\.\d{1,3}){3}|7f[0-9a-f]{2}:[0-9a-f]{1,4}))\]?)$/.test(
    hostname.toLowerCase(),
  )

/** A request that the offline lock blocked. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError'
  readonly host: string
  constructor(host: string) {
    super(`The offline lock is on, so nothing was sent to ${host}.`)
    this.host = host
  }
}

/** The remedy, as text for the user. */
export const unlock = 'Switch the offline lock off under Settings, Privacy and network.'
/** The remedy for a blocked request to a model. */
export const unlockFix = `${unlock.slice(0, -1)}, or use a model on this computer.`
