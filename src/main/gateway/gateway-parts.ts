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

/** Somebody who wrote or pressed in a place. */
export type Speaker = { platform: Platform; place: Place; contact: KnownContact }

/**
 * Whether something that arrived is heard. `ignored`: it gets no answer at all. `handled`: it was part of a pairing. `told`: it gets this
 * answer and no turn. `speaks`: `text` is what the contact typed, `strangers` what others wrote in it, framed and marked.
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
      /** A command that stops or refuses, of somebody who wrote too much: it is done without a word. */
      isQuiet?: true
    }

/** Who may speak, and what they may. */
export type Contacts = {
  /** Judge a message before anything else is done with it. It changes nothing but what a pairing waits for. */
  admit(this: void, platform: Platform, message: IncomingMessage): Admission
  /** Who an account belongs to, for a press of a button or a command; undefined for everybody else. */
  of(this: void, platform: Platform, accountId: string): KnownContact | undefined
  /** The private place of a contact on a messenger, where it alone reads. */
  privatePlace(this: void, contactId: string, platform: Platform): Place | undefined
  /** A group has another id from now on. */
  groupMoved(this: void, platform: Platform, from: string, to: string): void
  /** Count what a contact used; false once its day is used up. */
  spend(this: void, contactId: string, used: { messages?: number; tokens?: number }): boolean
  get(this: void, contactId: string): KnownContact | undefined
}

/** What asks a contact, on its phone, what the window asks too. */
export type PhoneQuestions = {
  /**
   * Ask in the private place of the contact, and in the window by `follower`; the first answer counts, and the other side is told. What may not be decided on
   * a phone is only said there.
   */
  ask(
    this: void,
    where: { platform: Platform; place: Place; contact: KnownContact; runId: string; sessionId: string },
    approval: Approval,
    signal: AbortSignal,
    follower: TurnPorts['ask'],
  ): Promise<ApprovalAnswer>
  /** A button was pressed. Returns the line that its presser sees. */
  press(this: void, platform: Platform, press: IncomingPress): Promise<string>
  /** `/approve 2` or `/deny` was written in a private place. Returns what is answered there. */
  answerInWords(this: void, where: Speaker, decision: 'once' | 'deny', words: string): Promise<string>
  /**
   * A message that may answer a question of the model. Undefined where none waits: then it is a message like any other. Else what is
   * to be said, empty for nothing.
   */
  reply(this: void, speaker: Speaker, text: string): string | undefined
  /** The messenger is connected: say below the questions that a restart ended that they are over. */
  endLeft(this: void, platform: Platform): Promise<void>
}

/** Who may speak and what they may, as the rest of the gateway uses it. */
export type GatewayRights = {
  contacts: Contacts
  questions: PhoneQuestions
  /** For the window. */
  shown(this: void): { contacts: Contact[]; groups: GatewayGroup[] }
  handlers: Pick<
    HostHandlers,
    'gateway.pair' | 'gateway.decide' | 'gateway.change' | 'gateway.remove' | 'gateway.allowGroup'
  >
  /** Forget everybody of a messenger, and its groups. */
  forget(this: void, platform: string): void
  close(this: void): void
}

/** What rights are opened with. */
export type RightsNeeds = {
  store: Store
  outbox: Outbox
  /** A messenger that is carried now, with the agent’s own account there once it is connected. */
  carried(
    this: void,
    name: string,
  ): { platform: Platform; me: { id: string; name: string; link: string } } | undefined
  /** The folder that a path means, where chats may work. Throws a Fault for any other. */
  folderOf(this: void, given: string): Promise<string>
  /** What the model of this computer can do on a messenger, where that is little; empty otherwise. */
  note(this: void): string
  changed(this: void): void
  now(this: void): number
  report(this: void, error: unknown): void
}

/** What tests give the gateway: messengers of their own, who may speak, and shorter times. */
export type GatewayOptions = {
  platforms?: readonly PlatformKind[]
  rights?: (needs: RightsNeeds) => GatewayRights
  joinMs?: number
  waitMs?: number
}
