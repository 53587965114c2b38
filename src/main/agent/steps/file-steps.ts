import type { FileWriters } from '../../files/file-writers.ts'
import type { ToolContext, ToolResult } from '../../tools/registry/tool.ts'
import { offReason } from '../prepare-call.ts'
import { whyNotAsShown } from './as-shown.ts'
import type { CallStep } from '../turn-types.ts'

/** Stops a call that was switched off in the meantime, or that would now differ from its card. */
export const asAgreedStep = (): CallStep => ({
  name: 'as_agreed',
  async around(at, given, run) {
    const off = offReason(at.turn, at.tool.name)
    if (off !== undefined) return { ok: false, reason: off }
    return (await whyNotAsShown(at)) ?? (await run(given))
  },
})

/** Runs the work of a call on a file so that no other chat's change to it is lost. */
export const fileWritersStep = (writers: FileWriters): CallStep => ({
  name: 'file_writers',
  async around({ turn: { sessionId }, intent: { path, risk, undoable } }, given, run): Promise<ToolResult> {
    if (path === undefined || undoable) return await run(given)
    if (risk === 'write') {
      const result = await writers.write(
        sessionId,
        path,
        () => run(given),
        done => done.ok,
      )
      return 'refused' in result ? { ok: false, reason: result.refused } : result
    }
    const result = await run(given)
    if (result.ok) writers.read(sessionId, path)
    return result
  },
})

type KeepCopy = NonNullable<ToolContext['keepCopy']>

/** Keeps a copy of each file before a call changes it. */
export const copiesStep = (
  keep: (
    by: { sessionId: string; callId: string; folder: string },
    ...change: Parameters<KeepCopy>
  ) => ReturnType<KeepCopy>,
): CallStep => ({
  name: 'copies',
  around({ turn, call }, given, run) {
    const by = { sessionId: turn.sessionId, callId: call.id, folder: turn.workspace }
    return run({ ...given, keepCopy: (path, content) => keep(by, path, content) })
  },
})
