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
  /** The home to read contents from; in read-only mode the real home, not the copy that the host works in. */
  home: string
  /** Whether nothing may be removed from that home. */
  isReadOnly: boolean
  store: Store
  sources: TurnSources
  /** Starts the document reader. */
  spawn: SpawnReader | undefined
  listModels(this: void): Promise<readonly Model[]>
  pictures: {
    keep(path: string): Promise<KeptPicture | Refusal>
    /** Return why pictures cannot be described for chats with a model, and what would help. */
    whyNot(modelId: string): Promise<string | undefined>
  }
  feed: Pick<Feed, 'tell'>
  report(error: unknown): void
}

/** The document reader's answer for a picture. */
const PICTURE = { kind: 'picture' as const, pages: [], problems: [] }
/** The folder of attachment contents in a home. */
const FOLDER = 'attachments'
/** The context window assumed for a model that cannot be asked, in tokens. */
const UNKNOWN_WINDOW = 8_192
const SMALL_WINDOW = 8_000
/** The context window from which `read_attachment` is always offered, in tokens. */
const ALWAYS_FROM = 32_000

/**
 * Return whether a tool is offered in a chat. `read_attachment` takes tokens that a small context window
 * lacks, so there only chats with attached files get it, once their prompt is rebuilt after the first file.
 */
export const offerReading =
  ({ isIn }: Pick<Store['attachments'], 'isIn'>): NonNullable<TurnSources['mayOffer']> =>
  (tool, { id }, contextTokens) =>
    tool !== READ_ATTACHMENT || contextTokens >= ALWAYS_FROM || isIn(id)

/** Files that belong to messages: attach, send, read more of, and remove them. */
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

  /** Return why a chat's model can do nothing with a picture; undefined if it can. */
  async function whyUnseen(session: Session): Promise<string | undefined> {
    const setup = await resolveTurnSetup(sources, session)
    if (isFailure(setup) || setup.profile.sees !== false) return undefined
    const { engine, profile } = setup
    const why = profile.guided ? 'Choose a model that sees.' : await pictures.whyNot(session.modelId)
    return why === undefined ? undefined : `${engine.name} cannot see pictures. ${why}`
  }
  /** Throw a Fault if none of these models can use pictures, so that the message stays a draft. */
  async function checkSight(session: Session, modelIds: readonly string[]): Promise<void> {
    const reasons = await Promise.all(modelIds.map(modelId => whyUnseen({ ...session, modelId })))
    if (reasons.every(why => why !== undefined))
      throw new Fault('bad_input', `${[...new Set(reasons)].join(' ')} Nothing was sent.`)
  }

  const attachments = openAttachments({
    folder: join(home, FOLDER),
    store: store.attachments,
    // Pictures, recognised by their first bytes, are decoded elsewhere.
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
  // Remove files that a crash left, or that were detached while in use.
  if (!isReadOnly) attachments.contents.tidy(store.attachments.isUsed).catch(report)

  return {
    tool: readAttachmentTool({ attachments, store: store.attachments }),
    receive: attachments.receive,
    /** Attach bytes to the draft of a chat. */
    attach: attachments.add,
    /** Keep a copy of the picture in a file, for a message that will name it. */
    keepPicture: attachments.keepPicture,
    /** Return the parts of a chat's unsent attachments that a message gets. */
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
