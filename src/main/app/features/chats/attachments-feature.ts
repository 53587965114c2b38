import { join } from 'node:path'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { attachmentHandlers } from '../../../attachments/attachment-handlers.ts'
import { readDocument, type SpawnReader } from '../../../documents/read-document.ts'
import { openAttachments, type KeptPicture } from '../../../attachments/open-attachments.ts'
import { readAttachmentTool, READ_ATTACHMENT } from '../../../attachments/read-attachment.ts'
import { sayChanged } from '../../../attachments/file-on-disk.ts'
import { chosenFrom, writeDocuments, type DocumentsFor } from '../../../attachments/sent-documents.ts'
import type { ReadingModel } from '../../../attachments/reading-model.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { isPictureFile } from '../../../pictures/picture-file.ts'
import type { Refusal } from '../../../lib/expected-errors.ts'
import { isFailure } from '../../../models/interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import type { Model } from '../../../../shared/contract/models/model.ts'
import { resolveTurnSetup, type TurnSources } from '../../../runs/turn-setup.ts'

type Needs = {
  /** The home whose contents are read; where nothing can be saved that is not the copy which the host works in. */
  home: string
  /** Nothing may be removed there. */
  isReadOnly: boolean
  store: Store
  sources: TurnSources
  /** Starts the reader of documents. */
  spawn: SpawnReader | undefined
  listModels(this: void): Promise<readonly Model[]>
  pictures: {
    keep(path: string): Promise<KeptPicture | Refusal>
    /** Why pictures cannot be described for chats with a model, and what would help. */
    whyNot(modelId: string): Promise<string | undefined>
  }
  feed: Pick<Feed, 'tell'>
  report(error: unknown): void
}

/** What the reader of documents says of a picture. */
const PICTURE = { kind: 'picture' as const, pages: [], problems: [] }
/** The folder of contents in a home. */
const FOLDER = 'attachments'
/** What is assumed of a model that cannot be asked. */
const UNKNOWN_WINDOW = 8_192
const SMALL_WINDOW = 8_000
/** The window from which the tool that reads on is always offered, in tokens. */
const ALWAYS_FROM = 32_000

/**
 * Whether a tool is offered in a chat: the one that reads attached files on takes room that a small window does not have, so there
 * only chats with such files have it. A chat that gets its first one later has it once its prompt is made anew.
 */
export const offerReading =
  ({ isIn }: Pick<Store['attachments'], 'isIn'>): NonNullable<TurnSources['mayOffer']> =>
  (tool, { id }, contextTokens) =>
    tool !== READ_ATTACHMENT || contextTokens >= ALWAYS_FROM || isIn(id)

/** Files that belong to messages: attached, sent, read on and removed. */
export function attachmentsFeature({
  home,
  isReadOnly,
  store,
  sources,
  spawn,
  listModels,
  pictures,
  feed,
  report,
}: Needs) {
  async function modelOf(session: Session): Promise<ReadingModel> {
    const setup = await resolveTurnSetup(sources, session)
    if (isFailure(setup))
      return {
        name: 'The model',
        contextTokens: UNKNOWN_WINDOW,
        isBuiltIn: false,
        canReadOn: false,
        readPerSecond: undefined,
        count: estimateTokens,
      }
    const { engine, profile, tools } = setup
    return {
      name: engine.name,
      contextTokens: profile.contextTokens,
      isBuiltIn: profile.guided === true,
      canReadOn: tools.some(({ name }) => name === READ_ATTACHMENT),
      readPerSecond: store.attachments.readSpeed(engine.name),
      count: text => engine.count(text),
    }
  }
  function sessionOf(id: string): Session {
    const session = store.sessions.get(id)
    if (!session) throw new Fault('not_found', 'This chat no longer exists.')
    return session
  }

  /** Why a chat's model can do nothing with a picture; undefined when it can. */
  async function whyUnseen(session: Session): Promise<string | undefined> {
    const setup = await resolveTurnSetup(sources, session)
    if (isFailure(setup) || setup.profile.sees !== false) return undefined
    const { engine, profile } = setup
    const why = profile.guided ? 'Choose a model that sees.' : await pictures.whyNot(session.modelId)
    return why === undefined ? undefined : `${engine.name} cannot see pictures. ${why}`
  }
  /** Throws a Fault where that is so for all of these models, so that the message stays a draft. */
  async function checkSight(session: Session, modelIds: readonly string[]): Promise<void> {
    const reasons = await Promise.all(modelIds.map(modelId => whyUnseen({ ...session, modelId })))
    if (reasons.every(why => why !== undefined))
      throw new Fault('bad_input', `${[...new Set(reasons)].join(' ')} Nothing was sent.`)
  }

  const attachments = openAttachments({
    folder: join(home, FOLDER),
    store: store.attachments,
    // What is a picture by its first bytes is decoded by others.
    readDocument: async (path, { password, ...options }) =>
      (await isPictureFile(path))
        ? PICTURE
        : readDocument(path, {
            ...options,
            ...(password !== undefined && { password }),
            ...(spawn && { spawn }),
          }),
    keepPicture: path => pictures.keep(path),
    modelOf,
    onChange: () => feed.tell('attachment'),
  })
  // What a crash left, or what was taken back while it was in use.
  if (!isReadOnly) attachments.contents.tidy(store.attachments.isUsed).catch(report)

  return {
    tool: readAttachmentTool({ attachments, store: store.attachments }),
    receive: attachments.receive,
    /** Attach bytes to the draft of a chat. */
    attach: attachments.add,
    /** Keep the picture in a file, for a message that will name it. */
    keepPicture: attachments.keepPicture,
    /** What a message gets of unsent attachments of its chat. */
    async prepare(...[session, hashes, asked]: Parameters<DocumentsFor>) {
      const { message, hasTools, modelIds = [session.modelId] } = asked
      const chosen = await Promise.all(
        chosenFrom(store.attachments.unsent(session.id), hashes).map(each =>
          sayChanged(each, store.attachments.sourceOf(session.id, each.hash)),
        ),
      )
      if (chosen.some(({ use }) => use === 'picture')) await checkSight(session, modelIds)
      const known = await modelOf(session)
      const model = { ...known, canReadOn: known.canReadOn && hasTools }
      return writeDocuments(attachments, session.id, { chosen, message, model })
    },
    handlers: attachmentHandlers({
      attachments,
      store: store.attachments,
      sessionOf,
      modelOf,
      whyUnseen,
      async largerModels() {
        const models = await listModels()
        return models
          .filter(
            ({ problem, kind, contextTokens }) =>
              problem === null && kind !== 'builtin' && (contextTokens ?? 0) >= SMALL_WINDOW,
          )
          .map(({ name }) => name)
      },
    }) satisfies Partial<HostHandlers>,
  }
}
