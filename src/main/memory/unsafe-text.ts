import { holdsPaymentNumber } from '../lib/payment-numbers.ts'
import { holdsSecret } from '../lib/redact.ts'

/**
 * Characters that a model reads but a person cannot see: zero-width characters, direction marks, tags. A joiner
 * within an emoji is allowed.
 */
const INVISIBLE =
  /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]|(?<!\p{Emoji}|\uFE0F)\u200D|\u200D(?!\p{Emoji})|(?<![\p{L}\p{M}])\u200C/u

/** Patterns of prompt injection, each with a description for the user. */
const ORDERS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(previous|prior|above|earlier|all|your|system|any|the)\b.{0,30}\b(instructions?|prompts?|rules?|guidelines?|directives?|safety|restrictions?)\b/is,
    'tells the model to ignore its instructions',
  ],
  [
    /\b(you are now|from now on you are|act as|pretend (to be|you are))\b.{0,60}\b(dan|jailbr\w+|unrestricted|unfiltered|root|admin\w*|developer mode|without (any )?(rules|limits|restrictions))\b/is,
    'tells the model to be somebody else',
  ],
  [
    /\b(do not|don['’]t|never|without)\b.{0,20}\b(tell|telling|inform|informing|mention|mentioning|show|showing|reveal|let)\b.{0,30}\b(the )?(user|human|person|owner|them)\b/is,
    'tells the model to hide something from you',
  ],
  [
    /^\s*(system|assistant)\s*(prompt)?\s*(override|message|instructions?)?\s*:\s*\S/im,
    'pretends to be a message of the system',
  ],
  [
    /<\/?(system|assistant|tool_call|tool_response|im_start|im_end|think)\b|<\|(im_start|im_end|system|eot_id|start_header_id)\|>|\[\/?(INST|SYSTEM_PROMPT|TOOL_CALLS)\]/i,
    'holds markup of a model',
  ],
  [
    /\b(curl|wget|fetch|invoke-webrequest|nc|scp)\b[^\n]{0,200}(\$\{?\w*(key|token|secret|password|pass)\w*|\.env\b|\.ssh\b|id_rsa|credentials)/i,
    'sends secrets away',
  ],
  [
    /\b(cat|type|less|head|read|upload|send|post|exfiltrate)\b[^\n]{0,80}(~\/\.(ssh|aws|gnupg|netrc|config\/gh)\b|\/etc\/shadow|id_(rsa|ed25519)\b|(^|\s|\/)\.env\b)/i,
    'reads secrets',
  ],
  [/\b(authorized_keys|rm\s+-rf\s+[~/]|chmod\s+777\s+\/)/i, 'gives away or deletes what is yours'],
  [
    /\b(run|execute|eval)\b.{0,40}\b(every|each|all)\b.{0,20}\b(session|conversation|chat|start|time)\b/is,
    'tells the model to run something in every chat',
  ],
]

/** Characters that {@link unsafeReason} reads; real notes are shorter. */
export const READ_CHARACTERS = 20_000

/** Why a text must not reach a model, as a phrase that continues “It …”; undefined when it is fine. */
export function unsafeReason(text: string): string | undefined {
  const start = text.slice(0, READ_CHARACTERS)
  if (INVISIBLE.test(start)) return 'holds invisible characters'
  const plain = start.normalize('NFKC')
  const order = ORDERS.find(([pattern]) => pattern.test(plain))
  if (order) return order[1]
  if (holdsPaymentNumber(plain)) return 'holds the number of a payment card or a bank account'
  return holdsSecret(plain) ? 'looks like a password or a key' : undefined
}
