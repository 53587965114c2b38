import type { Contact, GatewayGroup } from '../../shared/contract/connections/gateway.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import type { Approval } from '../../shared/contract/runs/run.ts'
import type { ApprovalAnswer, TurnPorts } from '../agent/turn-types.ts'
import type { Store } from '../db/store.ts'
import type { Outbox } from './messages/open-outbox.ts'
import type { IncomingMessage, IncomingPress, Place, Platform, PlatformKind } from './platform.ts'

/** A contact as the gateway works with it. */
export type KnownContact = Omit<Contact, 'seen' | 'today' | 'lastAt'>

/** A contact who wrote a message or pressed a button in a place. */
export type Speaker = { platform: Platform; place: Place; contact: KnownContact }

/**
 * The verdict on a message. `ignored`: no answer at all. `handled`: part of a pairing. `told`: it gets this
 * answer and no turn. `speaks`: `text` is what the contact typed, `strangers` what others wrote, framed and
 * marked.
 */
export type Admission =
  | { kind: 'ignored'; why: string }
  | { kind: 'handled' }
  | { kind: 'told'; contact: KnownContact; text: string }
  | {
      kind: 'speaks'
      contact: KnownContact
      text: string
      strangers?: { text: string; marks: readonly StrangersMark[] }
      /** A stop or deny command from a contact over its limit: it is carried out without an answer. */
      isQuiet?: true
    }

/** Contacts and their rights. */
export type Contacts = {
  /** Check a message before anything else. Apart from an open pairing, this changes nothing. */
  admit(this: void, platform: Platform, message: IncomingMessage): Admission
  /** Return the contact of an account, for a button or command; undefined for strangers. */
  of(this: void, platform: Platform, accountId: string): KnownContact | undefined
  /** Return a contact's private place on a messenger, which only the contact reads. */
  privatePlace(this: void, contactId: string, platform: Platform): Place | undefined
  /** Change the id of a group. */
  groupMoved(this: void, platform: Platform, from: string, to: string): void
  /** Count what a contact used; false once its daily limit is reached. */
  spend(this: void, contactId: string, used: { messages?: number; tokens?: number }): boolean
  get(this: void, contactId: string): KnownContact | undefined
}

/** Shows a contact on its phone the questions that the window asks. */
export type PhoneQuestions = {
  /**
   * Ask in the contact's private place, and in the window by `follower`. The first answer counts, and the
   * other side is informed. Questions that cannot be decided on a phone are only shown there.
   */
  ask(
    this: void,
    where: { platform: Platform; place: Place; contact: KnownContact; runId: string; sessionId: string },
    approval: Approval,
    signal: AbortSignal,
    follower: TurnPorts['ask'],
  ): Promise<ApprovalAnswer>
  /** Handle a pressed button. Returns the line to show to the presser. */
  press(this: void, platform: Platform, press: IncomingPress): Promise<string>
  /** Handle `/approve 2` or `/deny` in a private place. Returns the answer. */
  answerInWords(this: void, where: Speaker, decision: 'once' | 'deny', words: string): Promise<string>
  /**
   * Treat a message as the answer to an open question of the model. Undefined if there is none, so that it is
   * an ordinary message; otherwise the reply, which may be empty.
   */
  reply(this: void, speaker: Speaker, text: string): string | undefined
  /** After connecting, edit the questions that a restart ended to say that they are over. */
  endLeft(this: void, platform: Platform): Promise<void>
}

/** Contacts and their rights, as the rest of the gateway uses them. */
export type GatewayRights = {
  contacts: Contacts
  questions: PhoneQuestions
  /** Return contacts and groups for the window. */
  shown(this: void): { contacts: Contact[]; groups: GatewayGroup[] }
  handlers: Pick<
    HostHandlers,
    'gateway.pair' | 'gateway.decide' | 'gateway.change' | 'gateway.remove' | 'gateway.allowGroup'
  >
  /** Forget everything about a messenger's contacts and groups. */
  forget(this: void, platform: string): void
  close(this: void): void
}

/** The dependencies for opening the rights. */
export type RightsNeeds = {
  store: Store
  outbox: Outbox
  /** Return a running messenger, with the agent’s own account once it is connected. */
  carried(
    this: void,
    name: string,
  ): { platform: Platform; me: { id: string; name: string; link: string } } | undefined
  /** Return the folder that a path means. Throws a Fault if chats may not work there. */
  folderOf(this: void, given: string): Promise<string>
  /** Return a warning if the computer's model can do little on a messenger; empty otherwise. */
  note(this: void): string
  changed(this: void): void
  now(this: void): number
  report(this: void, error: unknown): void
}

/** Replacements for tests: messengers, contacts, and shorter times. */
export type GatewayOptions = {
  platforms?: readonly PlatformKind[]
  rights?: (needs: RightsNeeds) => GatewayRights
  joinMs?: number
  waitMs?: number
}
