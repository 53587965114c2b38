/** Send the bytes of a file for an upload that was announced; resolves to whether the host has taken them. */
export type SendFile = (transferId: string, file: Blob) => Promise<boolean>

type Parts = { fetch: typeof fetch; hash: string; origin: string }

/** Send a file to the host that served this page; the browser reads it from the disk while it goes. */
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
    // A line that broke, or a file that cannot be read any more; browsers do not tell which.
    return false
  }
}
