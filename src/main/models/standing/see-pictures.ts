import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { frameStrangersText } from '../../untrusted/strangers-text.ts'
import {
  isFailure,
  type CompletionEvent,
  type LlmEngine,
  type Prompt,
  type PromptPicture,
  type SentPicture,
  type WireMessage,
} from '../interface/engine.ts'
import type { KeptSights } from './sights-file.ts'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

/** The stored pictures of chats. */
export type PictureSource = {
  /** Return the bytes of a picture; undefined if they are gone. */
  load(hash: string): Promise<SentPicture | undefined>
  /** Return the description of a picture for models without vision. */
  descriptionOf(hash: string): string | undefined
}

/** Maximum number of older pictures to describe per turn, newest first. Each takes its own request. */
const MOST_OLD = 4

/** Maximum number of pictures in a request, and of base64 characters. The newest are sent. */
const MOST_PICTURES = 20
const MOST_LETTERS = 24_000_000

/**
 * Wrap an engine so that its model gets pictures only if it has vision, and otherwise descriptions. If that
 * is unknown, the model is tried and the result saved. A new picture of the user that can be neither seen nor
 * described is refused. Any other picture becomes a line of text, so that no history makes a request fail.
 */
export function seePictures<E extends LlmEngine>(
  engine: E,
  source: PictureSource,
  sights: KeptSights,
  modelKey: () => string,
  refused: (model: string) => Set<string>,
): E {
  async function isSeeing(): Promise<boolean | undefined> {
    const known = sights.find(modelKey())
    if (known !== undefined) return known
    const told = await engine.profile()
    return isFailure(told) ? undefined : told.sees
  }

  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const { describe: _, ...bare } = prompt
    if (!prompt.messages.some(({ pictures }) => pictures?.length)) {
      yield* engine.complete(bare, signal)
      return
    }
    if ((await isSeeing()) !== false) {
      const outcome = yield* withPictures(bare, signal)
      if (outcome !== 'unsupported' || signal.aborted) return
      sights.keep(modelKey(), false)
      if (prompt.priority !== 'background' && prompt.purpose === undefined)
        yield {
          type: 'notice',
          text: `${engine.name} cannot see pictures. It gets a description of them instead.`,
        }
    }
    const told = await inWords(prompt, signal)
    if (signal.aborted) return
    if ('refused' in told)
      yield {
        type: 'failed',
        code: 'refused',
        text: `${engine.name} cannot see pictures.`,
        fix: told.refused,
      }
    else yield* engine.complete({ ...bare, messages: told.messages }, signal)
  }

  /**
   * Ask with pictures. If the server refuses some, older ones are left out first, so that the chat can
   * continue. Refused pictures are not sent again.
   */
  async function* withPictures(
    prompt: Prompt,
    signal: AbortSignal,
  ): AsyncGenerator<CompletionEvent, 'done' | 'unsupported', void> {
    const unusable = refused(modelKey())
    // Try a picture again if the user sends it again.
    for (const { hash, isAsked } of prompt.messages.flatMap(({ pictures = [] }) => pictures))
      if (isAsked) unusable.delete(hash)
    for (;;) {
      const messages = await withImages(prompt.messages, source, unusable)
      const sent = messages.flatMap(({ images, pictures = [] }) => (images?.length ? pictures : []))
      let failure: CompletionEvent | undefined
      for await (const event of engine.complete({ ...prompt, messages }, signal)) {
        if (event.type === 'failed' && sent.length > 0) {
          if (event.code === 'pictures_unsupported') return 'unsupported'
          if (event.code === 'picture_refused') {
            failure = event
            break
          }
        }
        if (event.type === 'done' && sent.length > 0) sights.keep(modelKey(), true)
        yield event
      }
      if (!failure || signal.aborted) return 'done'
      const isAsked = newPictures(prompt.messages)
      const older = sent.filter(({ hash }) => !isAsked.has(hash))
      const given = older.length > 0 ? older : sent
      for (const { hash } of given) unusable.add(hash)
      // The user is told about new pictures. For a picture in a result, the result says that it is not sent.
      if (older.length === 0 && sent.some(picture => picture.isAsked)) {
        yield failure
        return 'done'
      }
    }
  }

  /** Replace pictures by texts, or return why the user's newest picture cannot be described. */
  async function inWords(
    { messages, describe }: Prompt,
    signal: AbortSignal,
  ): Promise<{ messages: WireMessage[] } | { refused: string }> {
    const fresh = newPictures(messages)
    const old = await describeOld(messages, fresh, describe, signal)
    const written: WireMessage[] = []
    for (const message of messages) {
      const lines: string[] = []
      for (const picture of message.pictures ?? []) {
        const known = picture.description ?? source.descriptionOf(picture.hash) ?? old.get(picture.hash)
        const asked =
          known === undefined && fresh.has(picture.hash) ? await describe?.(picture, signal) : undefined
        if (asked && 'refused' in asked && picture.isAsked) return asked
        const text = known ?? (asked && 'text' in asked ? asked.text : undefined)
        lines.push(
          text === undefined
            ? unseenLine(picture, asked && 'refused' in asked ? ` ${asked.refused}` : '')
            : describedText(picture, text),
        )
      }
      written.push(lines.length === 0 ? message : withLines(message, lines))
    }
    return { messages: written }
  }

  /** Describe pictures that an earlier model saw. Stops at the first refusal until the next turn. */
  async function describeOld(
    messages: readonly WireMessage[],
    fresh: ReadonlySet<string>,
    describe: Prompt['describe'],
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const said = new Map<string, string>()
    const pictures = messages.flatMap(({ pictures: held = [] }) => held)
    const unknown = pictures.filter(
      ({ hash, description }) =>
        !fresh.has(hash) && (description ?? source.descriptionOf(hash)) === undefined,
    )
    const newest = new Map(unknown.toReversed().map(picture => [picture.hash, picture]))
    for (const picture of [...newest.values()].slice(0, MOST_OLD)) {
      const outcome = await describe?.(picture, signal, true)
      if (!outcome || 'refused' in outcome) break
      said.set(picture.hash, outcome.text)
    }
    return said
  }

  return { ...engine, complete }
}

function withLines(given: WireMessage, lines: readonly string[]): WireMessage {
  const { pictures: _pictures, ...message } = given
  return { ...message, text: [message.text, ...lines].filter(text => text !== '').join('\n\n') }
}

/** Return the hashes of the pictures that no reply has answered yet. */
function newPictures(messages: readonly WireMessage[]): Set<string> {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  const pictures = messages.flatMap(({ pictures: held = [] }, at) =>
    held.filter(({ isAsked, isResult }) => isAsked || (isResult && at > answered)),
  )
  return new Set(pictures.map(({ hash }) => hash))
}

/** Add the bytes of the newest pictures, each named in the text, except those that the server refused. */
async function withImages(
  messages: readonly WireMessage[],
  source: PictureSource,
  unusable: ReadonlySet<string>,
): Promise<WireMessage[]> {
  let [left, room] = [MOST_PICTURES, MOST_LETTERS]
  const written: WireMessage[] = []
  for (const message of messages.toReversed()) {
    const images: SentPicture[] = []
    const shown: PromptPicture[] = []
    const lines: string[] = []
    for (const picture of message.pictures?.toReversed() ?? []) {
      const image = left > 0 && !unusable.has(picture.hash) ? await source.load(picture.hash) : undefined
      if (image && image.base64.length <= room) {
        images.unshift(image)
        shown.unshift(picture)
        lines.unshift(`[Picture: ${labelOf(picture)}]`)
        left--
        room -= image.base64.length
      } else {
        const known = picture.description ?? source.descriptionOf(picture.hash)
        lines.unshift(known === undefined ? goneLine(picture) : describedText(picture, known))
      }
    }
    const { pictures: _, ...plain } = message
    written.unshift(lines.length === 0 ? message : { ...withLines(plain, lines), pictures: shown, images })
  }
  return written
}

/** Return the name and size of a picture, without characters that could end the brackets around them. */
function labelOf({ name, width, height }: PromptPicture): string {
  const plain = name.replaceAll(/[[\]\p{Cc}]/gu, ' ').slice(0, 100)
  return width === undefined || height === undefined ? plain : `${plain}, ${width} × ${height} pixels`
}

const goneLine = (picture: PromptPicture): string =>
  `[A picture was here: ${labelOf(picture)}. It is not sent.]`

const unseenLine = (picture: PromptPicture, why: string): string =>
  `[A picture was here: ${labelOf(picture)}. You cannot see it.${why}]`

/** Frame a description, which the maker of the picture may have influenced. Equal texts get equal frames. */
function describedText(picture: PromptPicture, description: string): string {
  const boundary = createHash('sha256').update(picture.hash).update(description).digest('hex').slice(0, 12)
  const framed = frameStrangersText('the description of a picture', description, boundary)
  return `[A picture, which you cannot see: ${labelOf(picture)}. Another model describes it:]\n${framed}`
}

const KEPT = 100

/**
 * Open the list of servers that the user lets see pictures for models without vision. If the list is lost,
 * the user is asked again.
 */
export function openAgreedServers(home: string, report: (error: unknown) => void) {
  const path = join(home, 'cache', 'servers-for-pictures.json')
  const item = z.object({ place: z.string().max(LONGEST_TEXT) })
  const list = openKeptList({ path, name: 'servers', item, most: KEPT, report })
  return {
    has: (place: string): boolean => list.current().some(each => each.place === place),
    add(place: string): void {
      list.replace([{ place }, ...list.current().filter(each => each.place !== place)])
    },
  }
}
