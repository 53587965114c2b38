import { isRefusal } from '../../lib/expected-errors.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import type { CallAt, Failure } from '../turn-types.ts'

/**
 * Why a change of a file that the user agreed to is not made: the file, or who obeys it, is not what the card showed any more, so
 * this would be another change. Undefined if it is, or if the call shows no change of a single file. What cannot be described now is
 * left to the call, which says why.
 */
export async function whyNotAsShown({
  turn,
  tool,
  input,
  intent,
  permission,
  signal,
}: CallAt): Promise<Failure | undefined> {
  const byUser = permission && !permission.refusal && permission.byUser
  if (!byUser || intent.risk !== 'write' || intent.path === undefined || intent.command !== undefined)
    return undefined
  const { workspace, home, sessionId } = turn
  // A copy, because the path of the card is remembered under the arguments.
  const now = await tool.intent({ ...input }, { workspace, home, sessionId, signal })
  if (isRefusal(now) || now.path !== intent.path || isSame(now, intent)) return undefined
  return {
    ok: false,
    reason: `Nothing was done: while the user was asked, ${intent.path} changed, or what obeys it. They were shown another change than this would be now. Read the file again, and then decide what to do.`,
  }
}

const isSame = (one: Intent, other: Intent): boolean =>
  one.title === other.title &&
  one.detail === other.detail &&
  one.obeyed?.tier === other.obeyed?.tier &&
  one.obeyed?.by === other.obeyed?.by
