/** Save a file as a browser download. */
export function saveFile(name: string, base64: string, type = 'application/zip'): void {
  const bytes = Uint8Array.from(atob(base64), sign => sign.codePointAt(0) ?? 0)
  const url = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Free the memory once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
