import type { Message } from '@grammyjs/types'
import type { IncomingFile } from '../platform.ts'

/** The facts that Telegram gives about any file. */
type Told = {
  file_id: string
  file_size?: number
  file_name?: string
  mime_type?: string
  duration?: number
}

/** Return the files of a message. Of a picture's several sizes, the largest counts. */
export function readFiles(message: Message): IncomingFile[] {
  const { photo, voice, audio, video, video_note: round, animation, document, message_id: id } = message
  const largest = photo?.toSorted((a, b) => a.width * a.height - b.width * b.height).at(-1)
  const isForwarded = message.forward_origin !== undefined
  const file = (kind: IncomingFile['kind'], told: Told | undefined, name: string, mime: string) =>
    told === undefined
      ? []
      : [
          {
            ref: told.file_id,
            kind,
            name: nameIn(told.file_name) || name,
            mime: told.mime_type ?? mime,
            bytes: told.file_size ?? 0,
            ...(told.duration !== undefined && { seconds: told.duration }),
            ...(isForwarded && { isForwarded: true as const }),
          },
        ]
  return [
    ...file('picture', largest, `picture-${id}.jpg`, 'image/jpeg'),
    ...file('voice', voice, `voice-${id}.ogg`, 'audio/ogg'),
    ...file('audio', audio, `audio-${id}`, 'audio/mpeg'),
    ...file('video', video ?? round ?? animation, `video-${id}.mp4`, 'video/mp4'),
    // Telegram reports each animation as a document too.
    ...file(
      kindOf(document?.mime_type),
      animation ? undefined : document,
      `file-${id}`,
      'application/octet-stream',
    ),
  ]
}

/** Return the kind of a file; a picture sent as a file is a picture too. */
const kindOf = (mime = ''): IncomingFile['kind'] =>
  /^image\/(?:jpeg|png|gif|webp)$/.test(mime) ? 'picture' : mime.startsWith('video/') ? 'video' : 'file'

/** Return the file name without any path that the sender put before it. */
const nameIn = (name = '') => name.split(/[/\\]/).at(-1)?.trim().slice(-120).toWellFormed() ?? ''

/** Describe content that is neither text nor file; undefined if it would mean nothing to a reader. */
export function nameOthers({
  sticker,
  location,
  venue,
  contact,
  poll,
  dice,
  story,
}: Message): string | undefined {
  if (sticker) return `(A sticker${sticker.emoji === undefined ? '' : ` ${sticker.emoji}`}.)`
  const place = venue?.location ?? location
  if (place) return `(A place on the map: ${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}.)`
  if (contact) return '(A contact card, which cannot be read here.)'
  if (poll) return '(A poll, which cannot be read here.)'
  if (dice) return `(${dice.emoji}: ${dice.value}.)`
  return story ? '(A story, which cannot be read here.)' : undefined
}
