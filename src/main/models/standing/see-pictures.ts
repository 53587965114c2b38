import { createHash } from 'node:crypto'
import { frameStrangersText } from '../../lib/strangers-text.ts'
import {
  isFailure,
  type CompletionEvent,
  type LlmEngine,
  type Prompt,
  type PromptPicture,
  type SentPicture,
  type WireMessage,
} from '../engine.ts'
import type { KeptSights } from './sights-file.ts'

/** The pictures of chats, as they are kept. */
export type PictureSource = {
  /** The bytes of a picture; undefined when they are not there any more. */
  load(hash: string): Promise<SentPicture | undefined>
  /** What was said of a picture for models that do not see. */
  descriptionOf(hash: string): string | undefined
}

/** The most pictures of a request, and the letters that their bytes take. The newest are sent. */
const MOST_PICTURES = 20
const MOST_LETTERS = 24_000_000

/**
 * The same engine, which is given pictures only if its model sees, and otherwise reads what is in them. A model of which that is not
 * known is tried; what comes of it is kept. A picture that the person sends now and that can neither be seen nor described is
 * refused; any other becomes a line, so that nothing in a history can make a request fail.
 */
export function seePictures<E extends LlmEngine>(
  engine: E,
  source: PictureSource,
  sights: KeptSights,
  modelKey: () => string,
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
    const sees = await isSeeing()
    if (sees !== false) {
      const messages = await withImages(prompt.messages, source)
      let isRefused = false
      for await (const event of engine.complete({ ...bare, messages }, signal)) {
        isRefused = event.type === 'failed' && event.code === 'pictures_unsupported'
        if (isRefused) break
        if (event.type === 'done' && messages.some(({ images }) => images?.length))
          sights.keep(modelKey(), true)
        yield event
      }
      if (!isRefused || signal.aborted) return
      sights.keep(modelKey(), false)
      if (prompt.priority !== 'background' && prompt.purpose === undefined)
        yield {
          type: 'notice',
          text: `${engine.name} takes no pictures. It gets what is said of them instead.`,
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

  /** The messages with texts in place of their pictures, or why the newest picture of the person can be none. */
  async function inWords(
    { messages, describe }: Prompt,
    signal: AbortSignal,
  ): Promise<{ messages: WireMessage[] } | { refused: string }> {
    const answered = messages.findLastIndex(({ role }) => role === 'assistant')
    const written: WireMessage[] = []
    for (const [at, message] of messages.entries()) {
      const lines: string[] = []
      for (const picture of message.pictures ?? []) {
        const known = picture.description ?? source.descriptionOf(picture.hash)
        const isNew = picture.isAsked || (picture.isResult && at > answered)
        const asked = known === undefined && isNew ? await describe?.(picture, signal) : undefined
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

  return { ...engine, complete }
}

const withLines = ({ pictures: _, ...message }: WireMessage, lines: readonly string[]): WireMessage => ({
  ...message,
  text: [message.text, ...lines].filter(text => text !== '').join('\n\n'),
})

/** The messages with the bytes of their newest pictures, each named in the text. */
async function withImages(messages: readonly WireMessage[], source: PictureSource): Promise<WireMessage[]> {
  let [left, room] = [MOST_PICTURES, MOST_LETTERS]
  const written: WireMessage[] = []
  for (const message of messages.toReversed()) {
    const images: SentPicture[] = []
    const shown: PromptPicture[] = []
    const lines: string[] = []
    for (const picture of message.pictures?.toReversed() ?? []) {
      const image = left > 0 ? await source.load(picture.hash) : undefined
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

/** The name and size of a picture, which cannot end the brackets around them. */
function labelOf({ name, width, height }: PromptPicture): string {
  const plain = name.replaceAll(/[[\]\p{Cc}]/gu, ' ').slice(0, 100)
  return width === undefined || height === undefined ? plain : `${plain}, ${width} × ${height} pixels`
}

const goneLine = (picture: PromptPicture): string =>
  `[A picture was here: ${labelOf(picture)}. It is not sent.]`

const unseenLine = (picture: PromptPicture, why: string): string =>
  `[A picture was here: ${labelOf(picture)}. You cannot see it.${why}]`

/** What is said of a picture. Whoever made the picture may have written it, so it is framed; equal texts have equal frames. */
function describedText(picture: PromptPicture, description: string): string {
  const boundary = createHash('sha256').update(picture.hash).update(description).digest('hex').slice(0, 12)
  const framed = frameStrangersText('the description of a picture', description, boundary)
  return `[A picture, which you cannot see: ${labelOf(picture)}. Another model describes it:]\n${framed}`
}
