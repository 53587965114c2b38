import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PairingStep } from '../../../shared/contract/connections/gateway.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { Fault } from '../../../shared/rpc.ts'
import { createBroadcast, type Broadcast } from '../../lib/topic.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import type { Clock } from '../../lib/timing.ts'
import type { IncomingMessage, Platform } from '../platform.ts'

/** How long a code is good for, in ms. */
const PAIRING_MS = 10 * 60_000
/** After a wrong code its sender is not heard for so long; each further one doubles it, up to the most. */
const SLOW_MS = 1_000
const SLOWEST_MS = 60_000
/** Senders of wrong codes that are remembered. */
const MOST_SENDERS = 1_000
/** What `base32` of 128 bits has, without letters that look like digits. */
const CODE_LETTERS = 26
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Who wrote the right code, as the user is asked about them. */
export type Applicant = Pick<IncomingMessage, 'from' | 'place'> & { platform: Platform }

/** Who was decided about, and as what. */
export type PairingDecision = { pairingId: string; seen: string; as: 'you' | 'other' | 'nobody' }

type Parts = {
  now: Clock
  /** What the model of this computer can do there, where that is little; empty otherwise. */
  note(this: void): string
  /** Say something to somebody who is no contact yet. */
  tell(this: void, applicant: Applicant, text: string): void
  newCode?(this: void): string
}

type Open = {
  id: string
  platform: Platform
  digest: Buffer
  expiresAt: number
  steps: Broadcast<PairingStep>
  applicant?: Applicant
  seen?: string
}

/** What is open of a pairing, by which accounts become contacts. Nothing of it is stored: a restart ends it. */
export type Pairings = ReturnType<typeof createPairings>

/** Create the pairings of this host. At most one of a messenger is open, and only while somebody follows it. */
export function createPairings({ now, note, tell, newCode = randomCode }: Parts) {
  const open = new Map<string, Open>()
  const slowed = new Map<string, { until: number; ms: number }>()

  /** Let one account be paired, until the follower goes, the time is over, or it is decided. */
  async function* follow(
    platform: Platform,
    me: { link: string },
    signal: AbortSignal,
  ): AsyncGenerator<PairingStep, void, void> {
    const before = open.get(platform.name)
    if (before) close(before, 'Pairing was started again somewhere else, so this code no longer works.')
    const code = newCode()
    const pairing: Open = {
      id: randomBytes(12).toString('base64url'),
      platform,
      digest: digestOf(code),
      expiresAt: now() + PAIRING_MS,
      steps: createBroadcast<PairingStep>(),
    }
    open.set(platform.name, pairing)
    const over = new AbortController()
    const timer = setTimeout(
      () => close(pairing, 'The ten minutes are over. Start again for a new code.'),
      PAIRING_MS,
    ).unref()
    try {
      await using steps = pairing.steps.listen(AbortSignal.any([signal, over.signal]))
      const link = platform.pairingLink(code, me)
      yield {
        step: 'code',
        pairingId: pairing.id,
        code,
        link,
        squares: await squaresOf(link),
        expiresAt: pairing.expiresAt,
      }
      for await (const step of steps) {
        yield step
        if (step.step !== 'asks') return
      }
    } finally {
      clearTimeout(timer)
      over.abort()
      if (open.get(platform.name) === pairing) open.delete(platform.name)
    }
  }

  function close(pairing: Open, text: string) {
    if (open.get(pairing.platform.name) === pairing) open.delete(pairing.platform.name)
    pairing.steps.publish({ step: 'over', text })
  }

  /** Take a message of somebody unknown as a code. Returns whether it was the right one. */
  function offer(platform: Platform, { from, place, text }: IncomingMessage): boolean {
    const pairing = open.get(platform.name)
    const code = codeIn(text)
    if (!pairing || pairing.applicant || code === undefined) return false
    if (pairing.expiresAt <= now()) return false
    const sender = `${platform.name} ${from.id}`
    const slow = slowed.get(sender)
    if (slow && slow.until > now()) return false
    if (!timingSafeEqual(digestOf(code), pairing.digest)) {
      const ms = Math.min(SLOWEST_MS, slow ? slow.ms * 2 : SLOW_MS)
      slowed.delete(sender)
      if (slowed.size >= MOST_SENDERS) slowed.delete(slowed.keys().next().value!)
      slowed.set(sender, { until: now() + ms, ms })
      return false
    }
    pairing.applicant = { platform, from, place }
    const shown = { name: from.name, username: from.username ?? '', accountId: from.id }
    pairing.seen = hashShown({ pairing: pairing.id, platform: platform.name, ...shown })
    pairing.steps.publish({ step: 'asks', pairingId: pairing.id, ...shown, note: note(), seen: pairing.seen })
    tell(pairing.applicant, 'Your computer now asks who this is. Answer there.')
    return true
  }

  /** End a pairing as the user decided about who was shown. `pair` makes the contact, and returns its id. */
  function decide(
    { pairingId, seen, as }: PairingDecision,
    pair: (applicant: Applicant, as: 'you' | 'other') => string,
  ): { contactId: string | null } {
    const pairing = [...open.values()].find(({ id }) => id === pairingId)
    if (!pairing?.applicant || pairing.seen === undefined || pairing.expiresAt <= now())
      throw new Fault('not_found', 'This pairing has ended. Start again for a new code.')
    refuseUnseen(seen, pairing.seen, 'Who wants to be paired')
    const contactId = as === 'nobody' ? null : pair(pairing.applicant, as)
    open.delete(pairing.platform.name)
    pairing.steps.publish(
      contactId === null ? { step: 'over', text: 'Nobody was paired.' } : { step: 'paired', contactId },
    )
    return { contactId }
  }

  return { follow, offer, decide }
}

/** 128 random bits in letters that can be read aloud and typed. */
function randomCode(): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let code = ''
  for (let at = 0; at < CODE_LETTERS; at++) {
    code += ALPHABET[Number(bits & 31n)]
    bits >>= 5n
  }
  return code
}

const digestOf = (code: string) => createHash('sha256').update(code).digest()

/** A code as it may be written: alone, or behind the command with which a link begins the chat; in groups, in capitals. */
function codeIn(text: string): string | undefined {
  if (text.length > 200) return undefined
  const bare = text
    .trim()
    .replace(/^\/start(?:@\w+)?\s+/i, '')
    .replaceAll(/[\s-]/g, '')
    .toLowerCase()
  return /^[a-z2-7]{26}$/.test(bare) ? bare : undefined
}

/** The squares of the QR code of a link, with the light edge that readers need. */
async function squaresOf(link: string): Promise<boolean[][]> {
  const { encode } = await import('uqr')
  return encode(link, { ecc: 'M', border: 2 }).data
}
