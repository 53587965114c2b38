import { join } from 'node:path'
import { z } from 'zod'
import { ToolsVerdict } from '../../../shared/contract/models/model.ts'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

/** The subject of a verdict. `key` names the model. `stamp` changes with all that the verdict depends on. */
export type TriedModel = { key: string; stamp: string }

/** The verdicts on the tools of models that were tried on this computer. */
export type Verdicts = {
  /** Return the verdict on a model in its current form; null if there is none. */
  find(tried: TriedModel): ToolsVerdict | null
  /** Save a verdict in place of an older one on the same model. */
  keep(tried: TriedModel, verdict: ToolsVerdict): void
}

/** Maximum number of verdicts. The oldest are dropped. */
const KEPT = 200

const text = z.string().max(LONGEST_TEXT)
const Kept = z.object({ key: text, stamp: text, verdict: ToolsVerdict })

/** Open the verdicts of a home folder. `doctor` also writes to them, beside a running host. */
export function openVerdicts(home: string, report: (error: unknown) => void): Verdicts {
  const path = join(home, 'cache', 'tool-verdicts.json')
  const list = openKeptList({ path, name: 'verdicts', item: Kept, most: KEPT, report })
  return {
    find: ({ key, stamp }) =>
      list.current().find(each => each.key === key && each.stamp === stamp)?.verdict ?? null,
    keep({ key, stamp }, verdict) {
      if (key.length > LONGEST_TEXT || stamp.length > LONGEST_TEXT) return
      list.replace([{ key, stamp, verdict }, ...list.current().filter(each => each.key !== key)])
    },
  }
}
