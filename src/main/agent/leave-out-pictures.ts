import { byCount } from '../../shared/text/amounts.ts'
import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { ToolMessage } from '../../shared/contract/chats/messages.ts'

/** Maximum number of names in one line. */
const MOST_NAMED = 4
const LONGEST_NAME = 100

/** A name that cannot close the brackets around it. */
const nameOf = ({ name }: Attachment): string => name.replaceAll(/[[\]\p{Cc}]/gu, ' ').slice(0, LONGEST_NAME)

/** Whether a result shows pictures to its model. */
export const showsPictures = ({ attachments = [] }: Pick<ToolMessage, 'attachments'>): boolean =>
  attachments.some(({ use }) => use === 'picture')

/** The line that replaces dropped pictures, so that the model knows their names and can open them again. */
function goneLine(pictures: readonly Attachment[]): string {
  const names = pictures.slice(0, MOST_NAMED).map(nameOf)
  const more = pictures.length > MOST_NAMED ? ' and others' : ''
  const named = `${names.join(', ')}${more}`
  return byCount(
    pictures.length,
    `[Its picture ${named} was left out to make room. Look at it again if you need it.]`,
    `[Its pictures ${named} were left out to make room. Look at them again if you need them.]`,
  )
}

/** Remove the pictures of a result and name them in its text. A result without pictures is returned as is. */
export function leaveOutPictures(message: ToolMessage): ToolMessage {
  const pictures = (message.attachments ?? []).filter(({ use }) => use === 'picture')
  if (pictures.length === 0) return message
  const { attachments: _, ...rest } = message
  return { ...rest, text: `${message.text}\n${goneLine(pictures)}` }
}
