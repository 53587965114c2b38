import { useEffect, useState } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { attemptCall, windowRefusal, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useChat } from '../store/open-chats.ts'

/** Maximum number of pictures kept in memory. */
const MOST_KEPT = 40
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** By hash, the least recently used first. */
const kept = new Map<string, Promise<Outcome<string>>>()

/** The URL of a picture of the chat, which is read once; undefined while it is being read. */
export function usePicture(hash: string): Outcome<string> | undefined {
  const { client } = useLink()
  const sessionId = useChat(chat => chat.sessionId)
  const [shown, setShown] = useState<{ hash: string; outcome: Outcome<string> }>()
  useEffect(() => {
    if (sessionId === null) return
    let left = false
    void readOnce(client, sessionId, hash).then(outcome => !left && setShown({ hash, outcome }))
    return () => {
      left = true
    }
  }, [client, sessionId, hash])
  return shown?.hash === hash ? shown.outcome : undefined
}

function readOnce(client: HostClient, sessionId: string, hash: string): Promise<Outcome<string>> {
  const reading = kept.get(hash) ?? readPicture(client, sessionId, hash)
  kept.delete(hash)
  kept.set(hash, reading)
  void reading.then(({ ok }) => !ok && kept.delete(hash))
  for (const [oldest, old] of kept) {
    if (kept.size <= MOST_KEPT) break
    kept.delete(oldest)
    void old.then(each => each.ok && URL.revokeObjectURL(each.value))
  }
  return reading
}

/** Reads a picture piece by piece. */
async function readPicture(client: HostClient, sessionId: string, hash: string): Promise<Outcome<string>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let [read, total, type] = [0, 1, '']
  while (read < total) {
    const piece = await attemptCall(client['attachment.bytes']({ sessionId, hash, offset: read }))
    if (!piece.ok) return piece
    const bytes = Uint8Array.from(atob(piece.value.base64), sign => sign.charCodeAt(0))
    if (read === 0) type = piece.value.type
    if (!TYPES.has(type) || bytes.length === 0) return windowRefusal('This picture cannot be shown.')
    pieces.push(bytes)
    read += bytes.length
    total = piece.value.totalBytes
  }
  return { ok: true, value: URL.createObjectURL(new Blob(pieces, { type })) }
}
