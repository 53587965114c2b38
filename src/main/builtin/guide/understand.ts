import type { Message } from '../../../shared/contract/chats/messages.ts'
import { runToEnd } from '../../lib/timing.ts'
import { readChatRequest } from './chat-rules.ts'
import { readCommandRequest } from './command-rules.ts'
import { fileRequestSteps } from './file-rules.ts'
import { callsIn, lastSaved, readFollowUp } from './follow-ups.ts'
import { pathsIn } from './paths-in-requests.ts'
import { readMemoryRequest } from './memory-rules.ts'
import {
  firstMeaning,
  tidyRequest,
  type Done,
  type Meaning,
  type Reading,
  type Scene,
  type WantedCall,
} from './guide-scene.ts'

/** “… and show it”: the match is opened. */
const AND_SHOW =
  /(?:,|(?<!\s))\s+and (?:then )?(?:show|read|open|print|display)(?: me| it| that file| the file| them)*(?: to me)?$/i
/** Maximum length of a plain request, in characters. */
const LONGEST = 600

/** Maximum length to read at all, in characters: a longer text may be a pasted file. */
const MOST_READ = 8_000

/** The meaning of a request by the rules; undefined if a model has to decide. `history`: what came before. */
export const understandRequest = (
  request: string,
  scene: Scene,
  history: readonly Message[],
): Meaning | undefined => runToEnd(understandSteps(request, scene, history))

/** Like `understandRequest`, with one step for each kind of request. */
export function* understandSteps(request: string, scene: Scene, history: readonly Message[]): Reading {
  const whole = request.trim()
  if (whole.length > MOST_READ) return undefined
  if (whole.length > LONGEST && !/^(?:remember|note|write|save)\b/i.test(whole)) return undefined
  const meaning = yield* understandSentence(whole, scene, history)
  if (meaning && (meaning.kind !== 'call' || meaning.isSure)) return meaning
  // “By the way, I live in Oslo. List my files”: facts beside a request are left to a review.
  const last = whole.split(/(?<=[.!?])\s+/).at(-1)!
  const asked = last === whole ? undefined : yield* understandSentence(last, scene, history)
  if (asked?.kind !== 'call' || !asked.isSure || asked.call.name === 'memory') return meaning
  // “How much disk space is left? Run df -h”: the command says how to answer. Other questions may be
  // unrelated to the last sentence.
  return asked.call.name !== 'terminal' && /\?\s+\S/.test(whole) ? meaning : asked
}

function* understandSentence(whole: string, scene: Scene, history: readonly Message[]): Reading {
  const tidy = tidyRequest(whole)
  const saved = lastSaved(callsIn(history))
  const meaning = yield* firstMeaning([
    () => readFollowUp(whole, tidy, scene, history),
    () => chained(tidy, scene),
    () => readCommandRequest(tidy, scene),
    () => (isAboutFile(tidy, scene) ? undefined : readMemoryRequest(whole, tidy, scene, saved)),
    () => readChatRequest(tidy, scene),
  ])
  return meaning ?? (yield* fileRequestSteps(whole, tidy, scene))
}

/** “Note in todo.md: buy milk” is meant for the file, not for the notebook. */
const isAboutFile = (tidy: string, scene: Scene): boolean =>
  /^(?:write|save|add|put|note|store|remember|jot|log|record|append|type)\b/i.test(tidy) &&
  pathsIn(tidy, scene).some(({ at }) =>
    /\b(?:in|into|to|as|under)(?: the)?(?: file)?(?: called| named)?\s*["'“`]?$/i.test(tidy.slice(0, at)),
  )

/** A search whose first match is then read. */
function chained(tidy: string, scene: Scene): Meaning | undefined {
  if (!AND_SHOW.test(tidy)) return undefined
  const first = runToEnd(fileRequestSteps(tidy, tidy.replace(AND_SHOW, ''), scene))
  if (first?.kind !== 'call' || first.call.name !== 'search_files') return undefined
  return { ...first, onResult: openFound }
}

function openFound({ ok, text }: Done): WantedCall | undefined {
  const path = /^([^\r\n:[]+):\d+/m.exec(text)?.[1]
  return ok && path !== undefined ? { name: 'read_file', arguments: { path } } : undefined
}
