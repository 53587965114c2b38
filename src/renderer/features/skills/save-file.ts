/** Give the person a file, as a download of the browser does it. */
export function saveFile(name: string, base64: string, type = 'application/zip'): void {
  const bytes = Uint8Array.from(atob(base64), sign => sign.codePointAt(0) ?? 0)
  const url = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then, and the memory is free again.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
