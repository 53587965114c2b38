/** A number of bytes as a person reads it, in the units of download pages. */
export function inWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const [unit, size] = bytes < 1e6 ? ['KB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9]
  const amount = bytes / size
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`
}

/** A time to wait, as a person reads it. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
