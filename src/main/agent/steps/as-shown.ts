import { isRefusal } from '../../lib/expected-errors.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import type { CallAt, Failure } from '../turn-types.ts'

/**
 * Why an approved change of a file is not made: the file or the programs that obey it have changed since the
 * card was shown, so this would be a different change. Undefined if nothing changed, or if the call does not
 * change a single file. If the change cannot be described now, the call itself reports why.
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
  // A copy, because the path on the card is cached per arguments object.
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
