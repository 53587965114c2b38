/** Reads a value from local storage; null if it is missing or storage is unavailable. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(`talaria.${key}`)
  } catch {
    return null
  }
}

/**
 * Saves a small value in local storage. Unavailable storage is not an error, because the value is only a
 * convenience.
 */
export function keepValue(key: string, value: string): void {
  try {
    localStorage.setItem(`talaria.${key}`, value)
  } catch {
    // Storage is full or blocked by the browser.
  }
}
