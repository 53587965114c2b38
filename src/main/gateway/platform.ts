import type { Refusal } from '../lib/expected-errors.ts'

/** A person as a messenger knows them. Rights hang on `id` alone: names can be changed by anybody. */
export type Sender = { id: string; name: string; username?: string; isBot: boolean }

/** Where on a messenger something is written: a chat, and a topic within it. `key` tells it apart from all others of its messenger. */
export type Place = {
  key: string
  kind: 'private' | 'group' | 'channel'
  title: string
  /** The chat alone, where a topic makes the key longer. */
  chatId: string
  topic?: { id: string; title: string }
}

/** A file that came with a message. It is fetched with `ref` when it is wanted. */
export type IncomingFile = {
  ref: string
  kind: 'voice' | 'audio' | 'picture' | 'video' | 'file'
  name: string
  mime: string
  /** In bytes; 0 where the messenger does not say. */
  bytes: number
  seconds?: number
  /** Somebody else made it: what is said in it is not the word of who sent it on. */
  isForwarded?: true
}

/** What somebody wrote. Only `text` is theirs: what is forwarded or quoted is the text of others. */
export type IncomingMessage = {
  kind: 'message'
  place: Place
  from: Sender
  messageId: string
  /** When it was written, in epoch ms. */
  at: number
  text: string
  /** Text of somebody else that it carries, with who that is in words; empty where what is forwarded is files alone. */
  forwarded?: string
  /** `isOurs`: it quotes the agent itself. */
  quoted?: { text: string; of: string; isOurs?: true }
  files: readonly IncomingFile[]
  /** Messages of one album have the same. */
  albumId?: string
  /** Whether it speaks to the agent where others read too: it names the bot or answers it. */
  isAddressed: boolean
  /** It is no order of its sender, whoever that is, and why: an anonymous admin, a channel, a bot in between, an edit. */
  noOrder?: string
}

/** A button was pressed. `data` is what was sent with the button. */
export type IncomingPress = {
  kind: 'press'
  place: Place
  from: Sender
  /** What answers the press, in time. */
  pressId: string
  messageId: string
  data: string
}

/** A chat got another id, or wants nothing of the agent any more. */
export type IncomingChange =
  | { kind: 'moved'; from: string; to: string }
  | { kind: 'left'; place: Place; why: string }

/** One thing that arrived. `key` is the same whenever the messenger says it again. */
export type Incoming = { key: string } & (IncomingMessage | IncomingPress | IncomingChange)

/** A row of buttons below a part; `data` has at most 64 bytes. */
export type Button = { text: string; data: string }

/**
 * One message on a messenger, ready to be sent, as JSON that its platform alone reads. Whoever sends long texts makes parts first and
 * stores them, so that what was sent is known whatever happens.
 */
export type Part = { payload: string; plain: string }

/** What became of sending. `unsure`: it may have arrived. `wait`: again after so many ms. `gone`: this place takes nothing any more. */
export type SendResult =
  | { kind: 'sent'; messageId: string }
  | { kind: 'unsure'; why: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'not_sent'; why: string }
  | { kind: 'refused'; why: string }
  | { kind: 'moved'; to: string }
  | { kind: 'gone'; why: string }

/** How the connection to a messenger stands, in words for the person. */
export type Standing =
  | { state: 'connecting' }
  | { state: 'connected'; me: { id: string; name: string; link: string } }
  | { state: 'waiting'; text: string; retryAt: number }
  | { state: 'failed'; text: string; fix: string }

/** What follows a platform while it receives. */
export type Receiving = {
  /** How far what arrived is stored; empty at the beginning. */
  offset: string
  /** Store what arrived, with the offset behind it, durably. Only then may it be confirmed to the messenger. */
  take(this: void, arrived: readonly Incoming[], offset: string): void
  standing(this: void, standing: Standing): void
  signal: AbortSignal
}

/** A messenger. Failures are values; the promise of `receive` ends with the signal, or when only the person can help. */
export type Platform = {
  name: string
  title: string
  limits: {
    /** Least time between two edits in one place, in ms. */
    editMs: number
    /** Largest files that can be fetched and sent, in bytes. */
    fetchBytes: number
    sendBytes: number
  }
  receive(receiving: Receiving): Promise<void>
  /** The parts that a Markdown text is sent as. `isLive`: more of it follows, so its last word may not be whole. */
  compose(markdown: string, isLive?: boolean): readonly Part[]
  send(place: Place, part: Part, options: SendOptions): Promise<SendResult>
  edit(
    place: Place,
    messageId: string,
    part: Part,
    buttons?: readonly (readonly Button[])[],
  ): Promise<SendResult>
  /** Answer a press of a button, with a line that its presser alone sees. */
  answerPress(pressId: string, text: string): Promise<void>
  showTyping(place: Place): Promise<void>
  fetchFile(file: IncomingFile, signal: AbortSignal): Promise<{ bytes: Uint8Array } | { problem: string }>
  sendFile(
    place: Place,
    file: { name: string; mime: string; bytes: Uint8Array; caption: string },
  ): Promise<SendResult>
  /** The commands that it offers to complete. */
  offerCommands(commands: readonly { name: string; help: string }[]): Promise<void>
  /** The address that opens a private chat with the agent, which then begins with the code. */
  pairingLink(code: string, me: { link: string }): string
}

/** How a part is sent: without a sound, with buttons, as an answer to a message. */
type SendOptions = {
  isQuiet: boolean
  buttons?: readonly (readonly Button[])[]
  answers?: string
  signal: AbortSignal
}

/** A messenger that can be switched on. `keyName`: the name of the key that it needs; null for none. */
export type PlatformKind = {
  name: string
  title: string
  keyName: string | null
  /** Where requests go: the official address, or one on this computer. */
  address(this: void): string
  /** The key in what somebody entered as one. */
  readKey?(this: void, typed: string): string | Refusal
  /** Whether a request is one of those that are made all the time, which the ledger counts in one line. */
  isPoll?(this: void, url: URL): boolean
  open(this: void, given: { key: string; fetch: typeof fetch; now(): number }): Platform | Promise<Platform>
}
