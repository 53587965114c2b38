import { basename } from 'node:path'
import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { CallStep } from '../agent/turn-types.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { isPictureFile } from './picture-file.ts'

/** Pictures of one result; more would fill the window of most models. */
const MOST_SHOWN = 4

/** The step that keeps the pictures of a result, so that the model gets them with it; what cannot be shown is said in the result. */
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
        // What its sender did not name may be anything.
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
