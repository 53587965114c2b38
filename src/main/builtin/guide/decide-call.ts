import type { ReadCall } from '../../agent/guide.ts'
import { unkeptReason } from '../../untrusted/unsafe-text.ts'
import { askWhich } from './ask-back.ts'
import { skillIn } from './chat-rules.ts'
import { pathsIn } from './paths-in-requests.ts'
import { mendCall, queryFrom } from './mend-call.ts'
import { isComposing } from './memory-rules.ts'
import { tidyRequest, type Meaning, type Scene, type WantedCall } from './guide-scene.ts'
import { judgeByMeaning, type Encode } from './second-opinion.ts'

/** Tools that only read. A wrong call of these costs little. */
const READS = new Set([
  'list_files',
  'read_file',
  'search_files',
  'session_search',
  'skills_list',
  'skill_view',
])
/** How much nearer to one meaning a request must be for that meaning alone to decide. */
const CLEAR = 0.06

type Opinions = {
  request: string
  scene: Scene
  /** The call that the rules find likely, without being sure. */
  likely: WantedCall | undefined
  /** The calls that the model wrote. */
  wrote: readonly ReadCall[]
  encode: Encode | undefined
}

/**
 * Weigh what the model wrote against the rules and the meaning of the request. Two that agree give a call; if
 * they differ, the user is asked. Undefined: no tool is wanted.
 */
export async function decideCall(
  { request, scene, likely, wrote, encode }: Opinions,
  signal: AbortSignal,
): Promise<Meaning | undefined> {
  const readable = wrote.find(({ problem }) => problem === undefined)?.call
  const written = readable?.name === 'memory' && isComposing(tidyRequest(request)) ? undefined : readable
  const mended = written && mendCall({ name: written.name, arguments: written.arguments }, request, scene)
  if (mended && likely?.name === mended.call.name) return run(likely)
  const judged = await judgeByMeaning(encode, request, scene.known.tools, signal)
  const isNone = judged !== undefined && judged.tool === undefined
  if (!mended) {
    if (likely && judged?.tool === likely.name) return run(likely)
    if (likely) return isNone && judged.lead > CLEAR ? undefined : question([likely])
    const guessed =
      judged?.tool !== undefined && judged.lead > CLEAR ? guessCall(judged.tool, request, scene) : undefined
    return guessed && question([guessed])
  }
  const { call, isGrounded } = mended
  // Dropped without a question: “Shall I run rm line?” frightens a user who asked for the second line.
  if (call.name === 'terminal' && !isGrounded) return likely && question([likely])
  const agrees = judged?.tool === call.name
  if (isGrounded && (agrees || changesNamed(call, request, scene))) return run(call)
  if (likely)
    return question([call, likely].toSorted((a, b) => Number(READS.has(b.name)) - Number(READS.has(a.name))))
  if (isGrounded && READS.has(call.name) && !isNone) return run(call)
  // The request contains nothing that the call would need, and does not mean that tool.
  if (!isGrounded && !agrees) return undefined
  if (isNone && judged.lead > CLEAR) return undefined
  if (!isGrounded && !hasAll(call)) return undefined
  return question([call])
}

/** Whether a call changes the one skill that the request names. The change is shown, and can be undone. */
const changesNamed = ({ name, arguments: given }: WantedCall, request: string, { skills }: Scene): boolean =>
  name === 'skill_manage' && given['action'] === 'patch' && skillIn(request, skills) === given['name']

const run = (call: WantedCall): Meaning => ({ kind: 'call', call, isSure: true })
const question = (calls: readonly WantedCall[]): Meaning => {
  const [only] = calls
  // The tool refuses such a call with a reason, so nobody is asked about it.
  if (calls.length === 1 && only && isNeverKept(only)) return run(only)
  return { kind: 'ask', ...askWhich(calls) }
}

const isNeverKept = ({ name, arguments: { content } }: WantedCall): boolean =>
  name === 'memory' && typeof content === 'string' && unkeptReason(content) !== undefined

const hasAll = ({ arguments: given }: WantedCall): boolean => Object.values(given).every(each => each !== '')

/** A call of the tool that the request seems to mean, if its arguments are obvious. */
export function guessCall(name: string, request: string, scene: Scene): WantedCall | undefined {
  if (name === 'list_files' || name === 'skills_list') return { name, arguments: {} }
  if (name === 'session_search') return { name, arguments: { query: queryFrom(request) } }
  const [path] = pathsIn(request, scene)
  return name === 'read_file' && path?.isThere ? { name, arguments: { path: path.path } } : undefined
}
