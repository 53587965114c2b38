import { basename } from 'node:path'
import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { CallStep } from '../agent/turn-types.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { isPictureFile } from './picture-file.ts'

/** Maximum number of pictures per result; more would fill the context window of most models. */
const MOST_SHOWN = 4

/** The call step that stores a result's pictures for the model. The result says which cannot be shown. */
export const showPictures = (
  keep: (name: string, path: string) => Promise<Attachment | Refusal>,
): CallStep => ({
  name: 'pictures',
  async after(_call, result) {
    if (!result.ok || !result.pictures?.length) return result
    const { pictures, ...rest } = result
    const attachments: Attachment[] = []
    const lines: string[] = []
    for (const path of pictures) {
      const name = basename(path)
      if (!(await isPictureFile(path))) {
        // A file that its sender did not name may be anything.
        if (!path.endsWith('.bin')) lines.push(`${name} is not a picture that can be read.`)
        continue
      }
      if (attachments.length === MOST_SHOWN) {
        lines.push(`${name} is not shown, because a result shows at most ${MOST_SHOWN} pictures.`)
        continue
      }
      const kept = await keep(name, path)
      if (isRefusal(kept)) {
        lines.push(`${name}: ${kept.refused}`)
        continue
      }
      attachments.push(kept)
      lines.push(...(kept.problems ?? []))
    }
    const text = [rest.text, ...lines.map(line => `[${line}]`)].join('\n')
    return { ...rest, text, ...(attachments.length > 0 && { attachments }) }
  },
})
