import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { attachedMark, writePassages, writeWhole } from './document-text.ts'
import type { Attachments } from './open-attachments.ts'
import { roomForPassages, roomForWhole, type ReadingModel } from './reading-model.ts'

/** The attachments of a message: what to show, the documents' text for its model, and that text's marks. */
type SentDocuments = {
  attachments: Attachment[]
  documents?: string
  marks: StrangersMark[]
}

/** Prepare unsent attachments of a chat for a message. `hasTools`: its model may call tools. */
export type DocumentsFor = (
  this: void,
  session: Session,
  hashes: readonly string[],
  /** `modelIds`: the models that read the message instead of the chat's model. */
  asked: { message: string; hasTools: boolean; modelIds?: readonly string[] },
) => Promise<SentDocuments>

/**
 * Write the documents of a message as its model reads them. One that should be sent whole but does not fit
 * with the others is sent as passages, and the message says so. Throws a Fault if one has left the draft.
 */
export async function writeDocuments(
  { pagesOf }: Pick<Attachments, 'pagesOf'>,
  sessionId: string,
  { chosen, message, model }: { chosen: readonly Attachment[]; message: string; model: ReadingModel },
): Promise<SentDocuments> {
  const documents = chosen.filter(({ use }) => use !== 'picture')
  let room = roomForWhole(model)
  const uses = new Map<string, 'whole' | 'passages'>()
  for (const { hash, use, tokens = 0 } of documents.toSorted((a, b) => (a.tokens ?? 0) - (b.tokens ?? 0))) {
    const isWhole = use === 'whole' && tokens <= room
    if (isWhole) room -= tokens
    uses.set(hash, isWhole ? 'whole' : 'passages')
  }
  const inPassages = documents.filter(({ hash }) => uses.get(hash) === 'passages')
  const each = Math.floor(roomForPassages(model) / Math.max(1, inPassages.length))
  const attachments: Attachment[] = []
  const texts: string[] = []
  for (const attachment of chosen) {
    const use = uses.get(attachment.hash)
    if (!use) {
      attachments.push(attachment)
      continue
    }
    const { read } = await pagesOf(sessionId, attachment.hash)
    attachments.push({ ...attachment, use })
    texts.push(
      use === 'whole'
        ? writeWhole(attachment, read)
        : writePassages(attachment, read, message, {
            tokens: each,
            canReadOn: model.canReadOn,
            count: model.count,
          }),
    )
  }
  return {
    attachments,
    ...(texts.length > 0 && { documents: texts.join('\n\n') }),
    marks: documents.map(attachedMark),
  }
}

/** The unsent attachments that a message names, in its order. Throws a Fault if one is missing. */
export function chosenFrom(unsent: readonly Attachment[], hashes: readonly string[]): Attachment[] {
  return [...new Set(hashes)].map(hash => {
    const found = unsent.find(each => each.hash === hash)
    if (!found)
      throw new Fault(
        'bad_input',
        'One of the attachments has already been sent or removed. Nothing was sent.',
      )
    return found
  })
}
