import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { Seen } from '../seen.ts'

const id = z.string().min(1).max(100)
const platform = z.string().min(1).max(40)

/** The state of a messenger. `text` and `fix` are for the user; empty if all is well. */
export const GatewayPlatform = z.object({
  name: z.string(),
  title: z.string(),
  state: z.enum(['off', 'no_key', 'connecting', 'connected', 'waiting', 'locked', 'failed']),
  text: z.string(),
  fix: z.string(),
  /** The agent’s own account on the messenger. */
  me: z.object({ id: z.string(), name: z.string(), link: z.string() }).nullable(),
  /** Where requests go: the official address, or one on this computer. */
  address: z.string(),
  retryAt: z.number().nullable(),
  lastReceivedAt: z.number().nullable(),
  /** The number of messages waiting for an answer, and waiting to be sent. */
  waitingIn: z.int(),
  waitingOut: z.int(),
})
export type GatewayPlatform = z.infer<typeof GatewayPlatform>

/**
 * The rights of a contact. `deny`: the agent reads and answers, and calls that need approval are denied.
 * `ask`: the agent asks with buttons in the private chat.
 */
const Rights = z.enum(['deny', 'ask'])

/** Somebody who may write to the agent, with accounts on messengers. A limit of null means no limit. */
export const Contact = z.object({
  id: z.string(),
  /** `you`: the user of this computer. */
  relation: z.enum(['you', 'other']),
  name: z.string(),
  rights: Rights,
  /** Whether its chats can read the memory about the user; always true for `you`. */
  readsMemory: z.boolean(),
  /** The folder of its chats; null for its own empty folder. */
  folder: z.string().nullable(),
  modelId: z.string().nullable(),
  limits: z.object({ messagesAMinute: z.int().min(1).max(600), tokensADay: z.int().min(1_000).nullable() }),
  accounts: z.array(z.object({ platform: z.string(), accountId: z.string(), name: z.string() })),
  today: z.object({ messages: z.int(), tokens: z.int() }),
  lastAt: z.number().nullable(),
  seen: Seen,
})
export type Contact = z.infer<typeof Contact>

/** A group where a contact wrote to the agent. The agent answers there once the user allows the group. */
export const GatewayGroup = z.object({
  platform: z.string(),
  placeKey: z.string(),
  title: z.string(),
  allowed: z.boolean(),
  lastAt: z.number(),
  sessionId: z.string().nullable(),
})
export type GatewayGroup = z.infer<typeof GatewayGroup>

/** An incoming or outgoing message that is not finished, or that failed; listed newest first. */
export const GatewayItem = z.object({
  id: z.int(),
  way: z.enum(['in', 'out']),
  platform: z.string(),
  place: z.string(),
  at: z.number(),
  state: z.enum(['new', 'waiting', 'asks', 'sending', 'unsure', 'failed']),
  beginning: z.string(),
  problem: z.string(),
  sessionId: z.string().nullable(),
})
export type GatewayItem = z.infer<typeof GatewayItem>

/** One step of pairing: the code to show, then who wants to be paired, until it is decided or over. */
export const PairingStep = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('code'),
    pairingId: z.string(),
    code: z.string(),
    link: z.string(),
    /** Rows of the QR code of the link; true is dark. */
    squares: z.array(z.array(z.boolean())),
    expiresAt: z.number(),
  }),
  z.object({
    step: z.literal('asks'),
    pairingId: z.string(),
    name: z.string(),
    username: z.string(),
    accountId: z.string(),
    /** A note if this computer’s model can do little on a messenger; empty otherwise. */
    note: z.string(),
    seen: Seen,
  }),
  z.object({ step: z.literal('paired'), contactId: z.string() }),
  z.object({ step: z.literal('over'), text: z.string() }),
])
export type PairingStep = z.infer<typeof PairingStep>

/**
 * Messengers: their connections, their contacts and the messages on their way. Changes publish the event
 * `gateway`.
 */
export const gateway = {
  'gateway.state': call(
    z.object({}),
    z.object({
      platforms: z.array(GatewayPlatform),
      contacts: z.array(Contact),
      groups: z.array(GatewayGroup),
      items: z.array(GatewayItem),
      /** Whether this host runs the gateway; the host of a terminal command does not. */
      isCarried: z.boolean(),
    }),
  ),
  /** Switch a messenger on, with its key if given. The key is stored with all other keys. */
  'gateway.connect': call(
    z.object({ platform, key: z.string().trim().min(1).max(400).optional() }),
    GatewayPlatform,
  ),
  /**
   * Switch a messenger off; with `forget`, also remove its key, its contacts and unfinished messages. Chats
   * stay.
   */
  'gateway.disconnect': call(z.object({ platform, forget: z.boolean().default(false) }), z.object({})),
  /** Let one account be paired while the caller follows this stream, for at most ten minutes. */
  'gateway.pair': stream(z.object({ platform }), PairingStep),
  /**
   * Decide who the account `seen` in a pairing is. `contactId`: the account belongs to this known contact.
   */
  'gateway.decide': call(
    z.object({
      pairingId: id,
      seen: Seen,
      as: z.enum(['you', 'other', 'nobody']),
      contactId: id.optional(),
    }),
    z.object({ contactId: z.string().nullable() }),
  ),
  /** Change a contact as it was `seen`. */
  'gateway.change': call(
    z.object({
      id,
      seen: Seen,
      name: z.string().trim().min(1).max(80).optional(),
      rights: Rights.optional(),
      readsMemory: z.boolean().optional(),
      folder: z.string().min(1).max(4_096).nullable().optional(),
      modelId: z.string().min(1).max(4_096).nullable().optional(),
      limits: Contact.shape.limits.partial().optional(),
    }),
    Contact,
  ),
  /** Remove a contact, who can no longer write to the agent; the chats stay. */
  'gateway.remove': call(z.object({ id }), z.object({})),
  'gateway.allowGroup': call(
    z.object({ platform, placeKey: z.string().min(1).max(200), allowed: z.boolean() }),
    z.object({}),
  ),
  /** Send a text to a contact, in its private chat. */
  'gateway.send': call(
    z.object({ contactId: id, text: z.string().trim().min(1).max(20_000) }),
    z.object({ state: z.enum(['sent', 'waiting', 'unsure', 'failed']), problem: z.string() }),
  ),
  /** Try an item again, or drop it. */
  'gateway.item': call(
    z.object({ way: z.enum(['in', 'out']), id: z.int(), what: z.enum(['again', 'drop']) }),
    z.object({}),
  ),
}
