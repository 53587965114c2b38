import { holdsPaymentNumber } from './secrets/payment-numbers.ts'
import { holdsSecret } from './redact.ts'
import { personalSecretIn } from './secrets/personal-secrets.ts'

/**
 * Characters that a model reads but users cannot see: zero-width characters, direction marks, tags. A joiner
 * within an emoji is allowed.
 */
const INVISIBLE =
  /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]|(?<!\p{Emoji}|\uFE0F)\u200D|\u200D(?!\p{Emoji})|(?<![\p{L}\p{M}])\u200C/u

/** Files with keys or passwords, but not templates such as `.env.example`. */
const SECRET_FILE = String.raw`(?:~|\$\{?home\}?|/home/\w+|/root|/users/\w+)/\.(?:ssh|aws|gnupg|netrc|kube|docker|config/gh)\b|/etc/shadow\b|\bid_(?:rsa|ed25519|ecdsa)\b|(?<![\w.])\.(?:env(?!\.(?:example|sample|template|dist))(?![\w-])|netrc\b|pgpass\b|npmrc\b|pypirc\b)|\bcredentials\.(?:json|ya?ml)\b`
/** A shell variable with the name of a secret; `KEYCLOAK_URL` is not one. */
const SECRET_VARIABLE = String.raw`\$\{?\w*(?:key|token|secret|password|passwd|pass|pwd|credential)s?\d{0,2}\b`
const ROLE = String.raw`(?:ai|assistant|model|llm|bot|chatbot|agent|persona|character|hacker|entity|being|system|dan|\w*gpt)`
const LIMITS = String.raw`(?:restrictions?|rules|limits|limitations?|filters?|filtering|censorship|guidelines?|guardrails|constraints?|boundaries|ethics|morals|polic(?:y|ies))`
/** The files with rules for agents. */
const AGENT_FILE = String.raw`(?:\b(?:agents|claude(?:\.local)?|gemini|soul|copilot-instructions|memory|user)\.md\b|\.(?:cursor|cline|windsurf)rules\b|\.(?:claude|codex|cursor|hermes|talaria)/(?:config|settings|memor|hooks|rules|\.env))`
/** Where an order can begin: at the start of a sentence, or after words that urge the reader. */
const ORDER = String.raw`(?:^|[.!?:;,>]\s*|\b(?:you|must|should|shall|will|to|please|always|never|then|and|now|also)\s+)`
const ELSEWHERE = String.raw`\bhttps?://(?!localhost\b|127\.|\[::1\])`
const OUTSIDE = String.raw`(?:\b(?:external(?:ly)?|third[ -]part\w+|outside|remote|unknown|servers?|services?|endpoints?|webhooks?|api|url|https?)\b|\w@\w|\b[\w-]+\.[a-z]{2,}\b)`
const CONVERSATION = String.raw`\b(?:(?:the|this|our|your|whole|entire|full|every|each) (?:\w+ )?(?:conversations?|chats?|chat (?:history|logs?|transcripts?)|context)|conversation (?:history|logs?)|transcripts? of (?:this|the|our|your|every|each) (?:chat|conversation)s?|(?:all|your) (?:memory|memories|notes|instructions|messages)|(?:everything|whatever|all|what) (?:that )?(?:the user|the person|you|they|i) (?:says?|said|knows?|sees?|types?|tells?|writes?|remembers?))\b`

/** Make a pattern in which a space also matches a line feed, and whose gaps may cross lines. */
const words = (pattern: string) =>
  new RegExp(pattern.replaceAll('[ ', String.raw`[\s`).replaceAll(' ', String.raw`\s`), 'ims')
/** Make a pattern that stays within one line. */
const line = (pattern: string) => new RegExp(pattern, 'im')

/**
 * The use of a text. Instructions of a project often name addresses, example keys and files of agents,
 * because they instruct agents about the project. Memory needs none of these.
 */
type Scope = 'memory' | 'project'

/**
 * Patterns of prompt injection, each with a description for the user, and with a scope if only that one
 * refuses it. Gaps are bounded, so that no text takes long.
 */
const ORDERS: readonly (readonly [string, readonly RegExp[], Scope?])[] = [
  [
    'tells the model to ignore its instructions',
    [
      words(
        String.raw`\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|original|initial|your|system|safety)\b.{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|directives?|safety|restrictions?|programming|training)\b`,
      ),
      words(
        String.raw`\b(?:ignore|disregard|forget|override|bypass|discard) (?:(?:all|any|every|the|of|these|those|other|and) ){1,5}(?:(?:\w+ )?(?:instructions|directives)|prompts?|rules|guidelines?|safety|restrictions?)\b`,
      ),
      words(
        String.raw`\b(?:ignore|disregard|forget|discard)\b.{0,20}\b(?:everything|anything|all|what|whatever)\b.{0,20}\b(?:you (?:were|are|have been|had been|know|learned)|above|before this|until now|up to now|so far)\b`,
      ),
      words(
        String.raw`\b(?:overrid(?:es|ing)|replac(?:es|ing)|supersed(?:es?|ing)|takes? (?:precedence|priority) over|cancels?)\b.{0,20}\b(?:your|the|all|any)\b.{0,20}\b(?:system prompt|instructions|guidelines|safety rules)\b`,
      ),
      words(String.raw`\bsystem prompt override\b`),
      words(
        String.raw`${ORDER}(?:remove|disable|turn off|switch off|drop|lift|deactivate|skip|bypass|circumvent)\b.{0,20}(?:\b(?:safety|ethical|moral)[ -](?:\w+[ -])?(?:filters?|checks?|rails?|restrictions?|limits?|measures?|guidelines?|polic(?:y|ies)|training)\b|\bcontent (?:filters|filtering|restrictions|polic(?:y|ies))\b|\b(?:your|all|any) (?:output |built-in )?(?:filters|guardrails|guidelines|censorship|restrictions)\b(?! (?:on|from|for|in|of)\b))`,
      ),
    ],
  ],
  [
    'tells the model to be somebody else',
    [
      words(
        String.raw`\b(?:you are now|from now on you are|act as|pretend (?:to be|you are))\b.{0,60}\b(?:dan|jailbr\w+|unrestricted|unfiltered|uncensored|root|admin\w*|developer mode|without (?:any )?(?:rules|limits|restrictions))\b`,
      ),
      words(
        String.raw`\byou(?: are|['’]re) now (?:(?:an?|the|my) )?(?:(?:different|new|another|evil|rogue|free|unbound)\b|(?:[\w-]+ ){0,3}${ROLE}\b)`,
      ),
      words(
        String.raw`\bfrom now on,? (?:you(?: are|['’]re) (?:called\b|known as\b|(?:an?|the|my) (?:[\w-]+ ){0,3}${ROLE}\b|\w*gpt\b)|you (?:will )?(?:obey|act as|behave as|answer as|respond as|speak as))`,
      ),
      words(
        String.raw`\byou are no longer\b.{0,30}\b(?:assistant|chatbot|language model|bound|restricted|limited by|subject)\b`,
      ),
      words(
        String.raw`\b(?:as (?:if|though)|like|pretend(?: that)?) you (?:(?:have|had|are under|are bound by) no\b|(?:are|were) (?:free|not bound|no longer)\b|do not have\b|don['’]t have\b|lack\b).{0,30}\b${LIMITS}\b`,
      ),
      words(String.raw`\byou (?:have|obey|follow|are bound by|are under) no (?:\w+ )?${LIMITS}\b`),
      words(
        String.raw`${ORDER}(?:answer|respond|reply|speak|act|behave|operate|write) (?:\w+ ){0,3}(?:without|with no) (?:any |all )?(?:\w+ )?${LIMITS}\b`,
      ),
      words(
        String.raw`\bpretend (?:to be|(?:that )?you are|(?:that )?you['’]re) (?:an?|the|my) (?:[\w-]+ ){0,3}${ROLE}\b`,
      ),
      words(
        String.raw`\b(?:enter|enable|activate|unlock|engage|switch (?:in)?to|go into) (?:\w+ )?(?:dan|jailbreak|jailbroken|god|unrestricted|unfiltered|uncensored) mode\b`,
      ),
      words(String.raw`\b(?:name|rename) yourself\b`),
    ],
  ],
  [
    'tells the model to hide something from you',
    [
      words(
        String.raw`\b(?:do not|don['’]t|never|without)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|show|showing|reveal|let)\b.{0,30}\b(?:the )?(?:user|human|person|owner|them)\b(?!['’]s|[ _-](?:table|list|id|name|interface|menu|guide|agent|account|data|field|count|profile|page|roles?|groups?|settings?)\b)`,
      ),
      words(
        String.raw`\b(?:keep|hide|conceal) (?:this|it|that|these|them|what|everything|your|all)\b.{0,40}\bfrom (?:the|your) (?:user|human|person|owner|people)\b`,
      ),
      words(
        String.raw`\bwithout the (?:user|human|person|owner)(?:['’]s?)? (?:knowing|noticing|knowledge|awareness)\b`,
      ),
      words(
        String.raw`${ORDER}(?:secretly|covertly|quietly|silently) (?:send|forward|copy|upload|share|record|collect|store|exfiltrate|report|transmit|mail)\b`,
      ),
    ],
  ],
  [
    'pretends to be a message of the system',
    [
      /^[^\S\n\r\u2028\u2029]*(?:system|assistant)(?:\s*prompt)?(?:\s*(?:override|message|instructions?))?\s*:\s*\S/im,
      words(
        String.raw`\b(?:new|updated|real|actual|revised) system (?:prompt|message|instructions?) ?(?::|is\b)`,
      ),
      words(
        String.raw`\byour (?:new|real|true|actual|only) (?:instructions?|rules|orders|goal|purpose|polic(?:y|ies)|directives?) ?(?::|are\b|is\b)`,
      ),
      words(
        String.raw`\b(?:message|notice|order|instructions?) from (?:anthropic|openai|the developers?|your (?:developers?|creators?|makers?|administrator)|the system) ?:`,
      ),
      words(String.raw`(?:^|[.!?:] )new (?:system )?instructions? ?:`),
      words(
        String.raw`\b(?:anthropic|openai|talaria|your (?:developers?|creators?|makers?))\b.{0,30}\b(?:requires?|orders?|instructs?|wants?|tells?|commands?) you\b`,
      ),
      words(
        String.raw`\byou (?:have been|were|are being) (?:updated|upgraded|patched|reprogrammed|reset) (?:to|with|so that)\b`,
      ),
    ],
  ],
  [
    'tells the model to give away its instructions',
    [
      words(
        String.raw`\b(?:reveal|print|show|output|repeat|display|leak|dump|recite|disclose|write out|spell out|tell|give|share|send)\b.{0,30}\b(?:your|the) (?:\w+ )?(?:system prompt|(?:initial|original|hidden|secret|system|previous) (?:prompt|instructions)|instructions (?:above|you were given))\b`,
      ),
      words(
        String.raw`\b(?:repeat|print|output|recite) (?:the )?(?:text|words|everything|prompt|messages?) above\b`,
      ),
    ],
  ],
  [
    'hides orders in markup',
    [
      /<!--(?:(?!-->)[^]){0,200}(?<![a-z]|[a-z]-)(?:(?:ignore|disregard|forget|override|bypass|skip)(?:(?!-->)[^]){0,30}(?:rule|instruction|prompt|guideline|previous|above|everything)|system[ _-]?(?:prompt|override|message|instruction)|(?:hidden|secret)(?:[ _-]?(?:instruction|order|prompt|task)|\s?:)|(?:assistant|agent|model|ai)[ _-]?(?:instruction|order|must)|obey|do not tell|you must)/i,
      /<(?:div|span|p|section|td|font|details)\b[^>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d]))[^>]{0,200}>(?:[^<]{4,}<\/|(?=[^\s<]))/i,
    ],
  ],
  [
    'holds markup of a model',
    [
      /<\/?(system|assistant|tool_call|tool_response|im_start|im_end|think)\b|<\|(im_start|im_end|system|eot_id|start_header_id)\|>|\[\/?(INST|SYSTEM_PROMPT|TOOL_CALLS)\]/i,
    ],
  ],
  [
    'sends secrets away',
    [
      line(
        String.raw`\b(?:curl|wget|fetch|invoke-webrequest|nc|scp)\b[^\n]{0,200}(?:${SECRET_VARIABLE}|${SECRET_FILE})`,
      ),
      words(
        String.raw`${ORDER}(?:send|e?mail|post|upload|forward|share|publish|paste|report|copy|leak)\b.{0,30}\b(?:api[ _-]?keys?|passwords?|credentials?|secrets|access tokens?|private keys?)\b.{0,20} (?:to|with|at|on|via|into)\b.{0,30}${OUTSIDE}`,
      ),
    ],
  ],
  [
    'sends something to an address on the network',
    [
      words(
        String.raw`${ORDER}(?:send|post|upload|transmit|forward|submit|deliver|push|report|stream|copy|leak|exfiltrate)\b(?! (?:an? )?(?:\w+ )?requests?\b| (?:them|people|users?|the user|you|me|him|her)\b)[^.!?]{0,80} (?:to|at|into|via) .{0,15}${ELSEWHERE}`,
      ),
    ],
    'memory',
  ],
  [
    'gives your conversations to somebody else',
    [
      words(
        String.raw`\b(?:share|send|post|upload|forward|copy|transmit|e?mail|paste|publish|leak|report|submit|export)\b.{0,20}${CONVERSATION}.{0,60}\b(?:with|to|at|on|via|into)\b.{0,30}${OUTSIDE}`,
      ),
    ],
  ],
  [
    'reads secrets',
    [
      line(
        String.raw`\b(?:cat|read|print|show|include|copy|upload|send|post|exfiltrate|dump|collect|extract|grab|steal|zip|tar|archive|access|list|scan|search)\b[^\n]{0,80}(?:${SECRET_FILE})`,
      ),
      line(
        String.raw`\b(?:type|open|less|more|head|tail|strings|base64|xxd)(?: +-\S+)* +["']?[^\s"']{0,80}(?:${SECRET_FILE})`,
      ),
    ],
  ],
  [
    'gives away or deletes what is yours',
    [
      /\b(authorized_keys|rm\s+-(?:rf|fr|r\s+-f)\s+(?!["']?(?:\/tmp|\/var\/tmp|~\/\.cache)\/)["']?[~/]|chmod\s+777\s+\/)/i,
      words(String.raw`${ORDER}(?:insert|add|plant|include|leave|hide)\b.{0,20}\bbackdoors?\b`),
    ],
  ],
  [
    'tells the model to run something in every chat',
    [
      words(
        String.raw`\b(?:run|execute|eval)\b.{0,40}\b(?:(?:every|each|all)\b.{0,20}\b(?:sessions?|conversations?|chats?)|(?:every|each) time (?:you|the (?:agent|assistant)|an? (?:chat|session|conversation))|at every start)\b`,
      ),
    ],
  ],
  [
    'tells the model to run text as code',
    [
      words(
        String.raw`\b(?:translate|decode|decrypt|deobfuscate)\b.{0,80}\b(?:and|then)\b.{0,15}\b(?:execute|run|eval(?:uate)?)\b(?: (?:it|this|that|them|the (?:result|code|output|commands?))\b| ?[.:!,]|\s*$)`,
      ),
    ],
  ],
  [
    'changes what agents are told or allowed',
    [
      words(
        String.raw`(?<!\b(?:the|an?|last|this|that|each|every|any|no|recent|first) )\b(?:update|modify|edit|change|append|write|add|insert|overwrite|replace|rewrite|delete|patch|extend|prepend|inject|put|store)\b[^.!?\n]{0,50}${AGENT_FILE}`,
      ),
      words(
        String.raw`${ORDER}(?:change|edit|modify|update|overwrite|rewrite) your (?:own )?(?:config\.yaml|configuration|approval (?:mode|rules|settings)|permissions|system prompt|instructions)\b`,
      ),
      words(
        String.raw`\b(?:approve|allow|accept|permit) (?:every|all|any|each) (?:\w+ )?(?:commands?|tool calls?|actions?|approvals?)\b`,
      ),
      words(
        String.raw`\b(?:unset|export -n|env -u) (?:\w+ ){0,3}(?:claude|codex|hermes|talaria|cursor|aider)\w*`,
      ),
    ],
    'memory',
  ],
  [
    'lets somebody else control the model',
    [
      words(
        String.raw`\bregister (?:yourself )?(?:as (?:an? |the )?(?:new )?(?:node|implant|bot|zombie|beacon)\b|(?:as|with|to|at) .{0,30}\b(?:controller|orchestrator|c2|command server|control server|botnet)\b)`,
      ),
      words(
        String.raw`\byou (?:must|have to|need to|shall|are (?:obligated|required|ordered) to) (?:\w+ )?(?:register|connect|join|check in|beacon|report back) (?:yourself )?(?:with|to|as|at|in)\b.{0,30}\b(?:nodes?|network|swarm|coordinator|controller|orchestrator|master|hub|c2|handler|operator|(?:control|command) server)\b(?! (?:drive|share|printer))`,
      ),
      words(String.raw`\byou (?:must|will|shall) obey\b`),
      words(
        String.raw`${ORDER}report back to .{0,15}\b(?:(?:control|command|c2) server|controller|orchestrator|operator|handler)\b`,
      ),
      words(
        String.raw`${ORDER}(?:send|emit|post) (?:an? |the |your |regular )?(?:heartbeats?|beacons?|check-?ins?) (?:to|with|every)\b`,
      ),
      words(
        String.raw`\b(?:pull|fetch|await|wait for|receive|perform|poll for|request|get|accept)\b.{0,20}\btasking\b`,
      ),
      words(
        String.raw`${ORDER}connect to (?:the |our |an? )?(?:(?:control|command|c2|c&c) server|botnet|mothership|network (?:to (?:help|receive|get)|and (?:wait|await|register|receive|perform)))`,
      ),
      words(
        String.raw`\b(?:c2|c&c|command[ -](?:and|&)[ -]control) (?:server|endpoint|channel|infrastructure|host|node|beacon|will|is at|at)\b`,
      ),
      words(
        String.raw`\b(?:launch|run|start|deploy|load|drop|inject|execute|install|use|connect to)\b.{0,30}\b(?:cobalt ?strike|meterpreter|mimikatz|sliver (?:c2|implant|beacon|server)|mythic (?:c2|agent)|havoc (?:c2|demon)|covenant grunt|brainworm)\b`,
      ),
    ],
  ],
  [
    'tells the model to leave no traces',
    [
      words(String.raw`\bonly (?:ever )?(?:use|run|write|execute) (?:\w+ )?one[ -]?liners?\b`),
      words(
        String.raw`\b(?:never|do not|don['’]t) (?:ever )?(?:create|write|save|leave|store)\b.{0,30}\b(?:scripts?|files?|code|programs?|anything)\b.{0,40}\bdisk\b`,
      ),
      words(
        String.raw`\b(?:cover|erase|remove|delete|hide|wipe) (?:your|all|any) (?:tracks|traces|logs|evidence)\b`,
      ),
      words(
        String.raw`\bunset histfile\b|\bhistory -c\b|\b(?:delete|wipe|truncate|clear)\b.{0,30}\.(?:bash|zsh)_history\b`,
      ),
    ],
  ],
]

/** How many characters {@link unsafeReason} reads; real notes are shorter. */
export const READ_CHARACTERS = 20_000

/** The reason why a text must not reach a model, worded to continue “It …”; undefined if it is fine. */
export function unsafeReason(text: string, scope: Scope = 'memory'): string | undefined {
  const start = text.slice(0, READ_CHARACTERS)
  if (invisibleIn(start) !== undefined) return 'holds invisible characters'
  const plain = start.normalize('NFKC')
  const single = plain.replace(/\s+/g, space => (space.includes('\n') ? '\n' : ' '))
  const order = ORDERS.find(
    ([, patterns, only = scope]) => only === scope && patterns.some(pattern => pattern.test(single)),
  )
  if (order) return order[0]
  if (holdsPaymentNumber(plain)) return 'holds the number of a payment card or a bank account'
  return scope === 'memory' && holdsSecret(plain) ? 'looks like a password or a key' : undefined
}

/**
 * The reason why a text must not be kept as a note: that of {@link unsafeReason}, or a personal secret, which
 * other texts may contain, such as the description of a tool.
 */
export const unkeptReason = (text: string): string | undefined =>
  unsafeReason(text) ?? personalSecretIn(text.slice(0, READ_CHARACTERS).normalize('NFKC'))

/** The first invisible character of a text, such as `U+200B`; undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  const code = INVISIBLE.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
