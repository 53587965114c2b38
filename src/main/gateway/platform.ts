import type { Refusal } from '../lib/expected-errors.ts'

/** A sender on a messenger. Rights depend on `id` alone, because anybody can change their name. */
export type Sender = { id: string; name: string; username?: string; isBot: boolean }

/** A place on a messenger: a chat, and a topic within it. `key` is unique on its messenger. */
export type Place = {
  key: string
  kind: 'private' | 'group' | 'channel'
  title: string
  /** The id of the chat alone, even if a topic makes the key longer. */
  chatId: string
  topic?: { id: string; title: string }
}

/** A file that came with a message. It is fetched by `ref` on demand. */
export type IncomingFile = {
  ref: string
  kind: 'voice' | 'audio' | 'picture' | 'video' | 'file'
  name: string
  mime: string
  /** The size in bytes; 0 if the messenger does not report it. */
  bytes: number
  seconds?: number
  /** Somebody else made it, so its content is not the word of the sender. */
  isForwarded?: true
}

/** A received message. Only `text` is the sender's: forwarded and quoted text is by others. */
export type IncomingMessage = {
  kind: 'message'
  place: Place
  from: Sender
  messageId: string
  /** When it was written, in epoch ms. */
  at: number
  text: string
  /** A forwarded text with its author; empty if only files were forwarded. */
  forwarded?: string
  /** `isOurs`: it quotes the agent itself. */
  quoted?: { text: string; of: string; isOurs?: true }
  files: readonly IncomingFile[]
  /** The same for all messages of one album. */
  albumId?: string
  /** Whether it addresses the agent where others read too: it names the bot or answers it. */
  isAddressed: boolean
  /** Why it is not the sender's request: an anonymous admin, a channel, a bot in between, an edit. */
  noOrder?: string
}

/** A pressed button. `data` was sent with the button. */
export type IncomingPress = {
  kind: 'press'
  place: Place
  from: Sender
  /** The id for answering the press in time. */
  pressId: string
  messageId: string
  data: string
}

/** A chat got another id, or the agent was removed from it. */
export type IncomingChange =
  | { kind: 'moved'; from: string; to: string }
  | { kind: 'left'; place: Place; why: string }

/** One received event. `key` stays the same if the messenger repeats it. */
export type Incoming = { key: string } & (IncomingMessage | IncomingPress | IncomingChange)

/** A button in a row below a part; `data` has at most 64 bytes. */
export type Button = { text: string; data: string }

/**
 * One messenger message ready to send, as JSON that only its platform reads. Senders of long texts make and
 * store the parts first, so that it is always known what was sent.
 */
export type Part = { payload: string; plain: string }

/**
 * The outcome of sending. `unsure`: may have arrived. `wait`: retry after so many ms. `gone`: place closed.
 */
export type SendResult =
  | { kind: 'sent'; messageId: string }
  | { kind: 'unsure'; why: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'not_sent'; why: string }
  | { kind: 'refused'; why: string }
  | { kind: 'moved'; to: string }
  | { kind: 'gone'; why: string }

/** The state of a messenger's connection, as text for the user. */
export type Standing =
  | { state: 'connecting' }
  | { state: 'connected'; me: { id: string; name: string; link: string } }
  | { state: 'waiting'; text: string; retryAt: number }
  | { state: 'failed'; text: string; fix: string }

/** Callbacks for a platform while it receives. */
export type Receiving = {
  /** The offset up to which messages are stored; empty at the beginning. */
  offset: string
  /** Store messages durably, with the offset after them; only then may they be confirmed. */
  take(this: void, arrived: readonly Incoming[], offset: string): void
  standing(this: void, standing: Standing): void
  signal: AbortSignal
}

/** A messenger. Failures are values. `receive` ends with the signal, or if only the user can help. */
export type Platform = {
  name: string
  title: string
  limits: {
    /** Minimum time between two edits in one place, in ms. */
    editMs: number
    /** Maximum size of files that can be fetched and sent, in bytes. */
    fetchBytes: number
    sendBytes: number
  }
  receive(receiving: Receiving): Promise<void>
  /** Split a Markdown text into parts. `isLive`: more will follow, so its last word may be incomplete. */
  compose(markdown: string, isLive?: boolean): readonly Part[]
  send(place: Place, part: Part, options: SendOptions): Promise<SendResult>
  edit(
    place: Place,
    messageId: string,
    part: Part,
    buttons?: readonly (readonly Button[])[],
  ): Promise<SendResult>
  /** Answer a pressed button with a line that only the presser sees. */
  answerPress(pressId: string, text: string): Promise<void>
  showTyping(place: Place): Promise<void>
  fetchFile(file: IncomingFile, signal: AbortSignal): Promise<{ bytes: Uint8Array } | { problem: string }>
  sendFile(
    place: Place,
    file: { name: string; mime: string; bytes: Uint8Array; caption: string },
  ): Promise<SendResult>
  /** Set the commands that the messenger suggests. */
  offerCommands(commands: readonly { name: string; help: string }[]): Promise<void>
  /** Return the address that opens a private chat with the agent, which then starts with the code. */
  pairingLink(code: string, me: { link: string }): string
}

/** Options for sending a part: without a sound, with buttons, as an answer to a message. */
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
  /** Return where requests go: the official address, or one on this computer. */
  address(this: void): string
  /** Extract the key from what the user entered. */
  readKey?(this: void, typed: string): string | Refusal
  /** Return whether a request is a poll, so that the ledger counts all of them in one line. */
  isPoll?(this: void, url: URL): boolean
  open(this: void, given: { key: string; fetch: typeof fetch; now(): number }): Platform | Promise<Platform>
}
