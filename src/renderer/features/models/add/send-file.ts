/** Sends the bytes of a file for an announced upload. Resolves to whether the host accepted them. */
export type SendFile = (transferId: string, file: Blob) => Promise<boolean>

type Parts = { fetch: typeof fetch; hash: string; origin: string }

/** Uploads a file to the host that served this page. The browser streams it from disk. */
export async function sendFile(
  transferId: string,
  file: Blob,
  parts: Parts = { fetch: window.fetch.bind(window), hash: location.hash, origin: location.origin },
): Promise<boolean> {
  const token = new URLSearchParams(parts.hash.replace(/^#/u, '')).get('token') ?? ''
  const url = new URL(`/upload/${encodeURIComponent(transferId)}`, parts.origin)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
  try {
    return (await parts.fetch(url, { method: 'PUT', headers, body: file })).ok
  } catch {
    // The connection failed or the file is unreadable. Browsers report both as the same error.
    return false
  }
}
