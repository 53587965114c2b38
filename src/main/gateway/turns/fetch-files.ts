import type { UnsentAttachment } from '../../../shared/contract/chats/attachments.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, messageSource } from '../../untrusted/strangers-text.ts'
import type { IncomingFile, Platform } from '../platform.ts'

type Parts = {
  /** Attach bytes to the draft of a chat. Throws a Fault that says why not. */
  attach(session: Session, name: string, bytes: Uint8Array): Promise<UnsentAttachment>
  /** Transcribes voice notes, with its name; undefined if there is none. */
  speech?:
    | {
        name: string
        transcribe(
          bytes: Uint8Array,
          mime: string,
          signal: AbortSignal,
        ): Promise<{ text: string } | { problem: string }>
      }
    | undefined
}

/** A file of a message. `isOfOthers`: it was forwarded, so its speaker is not the sender. */
export type HeardFile = IncomingFile & { isOfOthers?: true }

/** The results: attachments, words of the sender and of others, and notes for the model on the rest. */
export type FetchedFiles = {
  hashes: string[]
  notes: string[]
  said: string[]
  strangers: { texts: string[]; marks: StrangersMark[] }
}

/** Fetch the files of messages and attach them to a chat. Voice notes are transcribed if possible. */
export async function fetchFiles(
  { attach, speech }: Parts,
  { platform, session, files }: { platform: Platform; session: Session; files: readonly HeardFile[] },
  signal: AbortSignal,
): Promise<FetchedFiles> {
  const fetched: FetchedFiles = { hashes: [], notes: [], said: [], strangers: { texts: [], marks: [] } }
  for (const file of files) {
    const isHeard = file.kind === 'voice' || file.kind === 'audio'
    if (file.kind === 'video' || (isHeard && (file.kind === 'audio' || !speech))) {
      fetched.notes.push(`(${nameOf(file)}, which cannot be heard or seen here.)`)
      continue
    }
    if (file.bytes > platform.limits.fetchBytes) {
      fetched.notes.push(`(${nameOf(file)} is too large to be fetched from ${platform.title}.)`)
      continue
    }
    const got = await platform.fetchFile(file, signal)
    if ('problem' in got) {
      fetched.notes.push(`(${nameOf(file)} could not be fetched: ${got.problem})`)
      continue
    }
    if (isHeard) {
      const heard = await speech?.transcribe(got.bytes, file.mime, signal)
      const problem = heard && 'problem' in heard ? `: ${heard.problem}` : '.'
      const words = heard && 'text' in heard ? heard.text.trim() : ''
      if (words === '') fetched.notes.push(`(${nameOf(file)}, which could not be transcribed${problem})`)
      else {
        keepWords(words, file, fetched)
        fetched.notes.push(`(${nameOf(file)}, written down by ${speech?.name}.)`)
      }
      continue
    }
    try {
      fetched.hashes.push((await attach(session, file.name, got.bytes)).hash)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      fetched.notes.push(`(${error.message})`)
    }
  }
  return fetched
}

/** Keep the words of a voice note. In a forwarded one they are not the sender's. */
function keepWords(words: string, { isOfOthers, isForwarded }: HeardFile, fetched: FetchedFiles): void {
  if (!isOfOthers && !isForwarded) return void fetched.said.push(words)
  const source = messageSource('')
  fetched.strangers.texts.push(`The user forwards this voice note:\n${frameStrangersText(source, words)}`)
  fetched.strangers.marks.push(newMark(source))
}

/** Describe a file, such as “a voice note of 0:12”, for the user’s message; never by its untrusted name. */
function nameOf({ kind, seconds = 0, isForwarded }: IncomingFile): string {
  const length = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
  if (kind === 'voice') return `a ${isForwarded ? 'forwarded ' : ''}voice note of ${length}`
  if (kind === 'audio') return `a recording of ${length}`
  if (kind === 'video') return 'a video'
  return kind === 'picture' ? 'a picture' : 'a file'
}
