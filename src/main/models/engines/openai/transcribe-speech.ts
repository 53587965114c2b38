import { parseJson } from '../../../lib/expected-errors.ts'
import { isThisComputer, OfflineError } from '../../../lib/network/offline.ts'

/** A server that transcribes speech by OpenAI's protocol. */
export type SpeechServer = { name: string; baseUrl: string; model: string; apiKey: string }

const ANSWER_MS = 120_000
/** Maximum size of the answer, far more than the text of any voice note. */
const MOST_ANSWER_BYTES = 1_000_000
const LONGEST_TEXT = 20_000
/** File endings, by which servers recognise the format. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
}

/** Let a server transcribe a recording. A problem never quotes its answer, which may contain the key. */
export async function transcribeSpeech(
  { name, baseUrl, model, apiKey }: SpeechServer,
  { bytes, mime }: { bytes: Uint8Array; mime: string },
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  const kind = mime.split(';')[0]?.trim().toLowerCase() ?? ''
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  form.set('file', new Blob([new Uint8Array(bytes)], { type: kind }), `voice.${ENDINGS[kind] ?? 'ogg'}`)
  // Sent as bytes, because a request through a proxy uses a `fetch` that does not know Node's forms.
  const encoded = new Response(form)
  const late = AbortSignal.timeout(ANSWER_MS)
  try {
    const response = await fetch(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: await encoded.bytes(),
      headers: {
        'content-type': encoded.headers.get('content-type') ?? '',
        ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
      },
      signal: AbortSignal.any([signal, late]),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { problem: whyNot(name, response.status) }
    }
    const text = await readText(response)
    return text === undefined
      ? { problem: `${name} answered with something that is not text.` }
      : { text: text.trim().slice(0, LONGEST_TEXT).toWellFormed() }
  } catch (error) {
    if (error instanceof OfflineError) return { problem: error.message }
    if (late.aborted) return { problem: `${name} did not answer within two minutes.` }
    const isHere = isThisComputer(URL.parse(baseUrl)?.hostname ?? '')
    return { problem: `${name} cannot be reached${isHere ? '. It may not be running' : ''}.` }
  }
}

function whyNot(name: string, status: number): string {
  if (status === 401 || status === 403) return `${name} does not accept its key.`
  if (status === 404) return `${name} cannot transcribe speech (status 404), or does not have this model.`
  if (status === 413) return `It is too large for ${name}.`
  return `${name} answered with status ${status}.`
}

/** Return the text in an answer; undefined for anything else. */
async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let json = ''
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    // Leaving the loop cancels the response.
    if (size > MOST_ANSWER_BYTES) return undefined
    json += decoder.decode(part, { stream: true })
  }
  const said = parseJson(json + decoder.decode())
  const text = typeof said === 'object' && said !== null && 'text' in said ? said.text : undefined
  return typeof text === 'string' ? text : undefined
}
