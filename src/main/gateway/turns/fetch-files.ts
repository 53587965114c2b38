import type { UnsentAttachment } from '../../../shared/contract/attachments.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { IncomingFile, Platform } from '../platform.ts'

type Parts = {
  /** Attach bytes to the draft of a chat. Throws a Fault that says why not. */
  attach(session: Session, name: string, bytes: Uint8Array): Promise<UnsentAttachment>
  /** What writes down voice notes, with its name; undefined where nothing does. */
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

/** What became of the files of messages: attached ones, and what the model is told instead of the others. */
export type FetchedFiles = { hashes: string[]; notes: string[]; said: string[] }

/** Fetch the files of messages and attach them to a chat. A voice note becomes its words, where something can hear them. */
export async function fetchFiles(
  { attach, speech }: Parts,
  { platform, session, files }: { platform: Platform; session: Session; files: readonly IncomingFile[] },
  signal: AbortSignal,
): Promise<FetchedFiles> {
  const fetched: FetchedFiles = { hashes: [], notes: [], said: [] }
  for (const file of files) {
    const isHeard = file.kind === 'voice' || file.kind === 'audio'
    // What somebody else said in a voice note that is sent on is not the word of who sends it.
    const isWord = file.kind === 'voice' && !file.isForwarded
    if (file.kind === 'video' || (isHeard && (!isWord || !speech))) {
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
      if (words === '') fetched.notes.push(`(${nameOf(file)}, which could not be written down${problem})`)
      else {
        fetched.said.push(words)
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

/** A file in words, such as “a voice note of 0:12”. */
function nameOf({ kind, name, seconds = 0, isForwarded }: IncomingFile): string {
  const length = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
  if (kind === 'voice') return `a ${isForwarded ? 'forwarded ' : ''}voice note of ${length}`
  if (kind === 'audio') return `the recording ${name} of ${length}`
  if (kind === 'video') return `the video ${name}`
  return `the file ${name}`
}
