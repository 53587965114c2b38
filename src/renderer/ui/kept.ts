/** Read what this window has put down before; null when there is nothing, or when the browser keeps nothing. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(`talaria.${key}`)
  } catch {
    return null
  }
}

/** Put something small down on this computer. It is a convenience: a browser that keeps nothing is not an error. */
export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`talaria.${key}`, value)
  } catch {
    // Full, or forbidden by the browser.
  }
}
