import { ANYWHERE, BLOCKS, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

const FETCH = String.raw`\b(?:fetch(?:es|ed|ing)?|webfetch|read(?:s|ing)?|get|gets|getting|download(?:s|ed|ing)?|load(?:s|ed|ing)?|retriev(?:e|es|ed|ing)|visit(?:s|ing)?|open(?:s|ing)?|quer(?:y|ies|ying)|check(?:s|ing)?|pull(?:s|ed|ing)?|poll(?:s|ing)?|curl|wget|request(?:s|ing)?|receiv(?:e|es|ed|ing)|listen(?:s|ing)? (?:for|to|on)|access(?:es)?|consult(?:s)?|subscribe(?:s)? to|look up|browse(?:s)? to|go to|parse|import(?:s)?|sync|update(?:s)?(?: itself)? from|scrape)\b`
const PLACE = String.raw`(?:https?:\/\/[^\s]{3,120}|\b(?:urls?|uris?|remote|web ?pages?|web ?sites?|pages?|pastebin|gists?|issues?|pull requests?|comments?|e-?mails?|messages?|channels?|slack|discord|telegram|inbox|calendar|tickets?|rows?|records?|databases?|\bdb\b|tables?|environment variables?|env vars?|api (?:responses?|results?|outputs?)|(?:the|an|external|remote) api|servers?|endpoints?|webhooks?|feeds?|rss|dns|txt records?|attachments?|uploaded files?|documents?|responses?|cache|redis|queues?|cloud storage|s3|shared (?:drive|folder)|git notes|tweets?|third[- ]party|external (?:source|content|site|file)s?|internet|search results?|transcripts?|metadata|exif|config server|control(?:ler)? ?server)\b)`
const OBEY = String.raw`\b(?:follow|follows|following|obey|obeys|execut(?:e|es|ed|ing)|run|runs|running|perform|performs|carry out|carries out|act on|acts on|comply with|do (?:what(?:ever)?|as|exactly)|adopt|adopts|treat|treats|eval(?:uate)?s?|apply|applies|process as|use|uses|using)\b`

/** Instructions that are fetched at the time of use, so a scan of the skill cannot see them. */
export const remoteOrders = rulesOf('prompt-injection', [
  {
    id: 'remote-orders-obeyed',
    severity: 'critical',
    reason:
      'It fetches text from elsewhere and follows it as instructions, so anyone who can write there controls the agent.',
    kinds: ANYWHERE,
    hints:
      'follow obey execut run perform carry act comply do adopt treat eval apply process use + fetch webfetch read get download load retriev visit open quer check pull poll curl wget request receiv listen access consult subscribe look browse go pars import sync updat scrape + instruct command directive order prompt step script told direct as what it them',
    within: 10,
    all: [
      pattern`${FETCH}${gap(90)}${PLACE}${gap(110)}${OBEY}${gap(24)}\b(?:(?:any|all|the|its|their|these|those|every|each|whatever|new|latest|returned|embedded|contained|included|received|fetched|remote|stored|provided|resulting|found|hidden) ?){0,4}(?:instructions|commands|directives|orders|prompts|steps (?:in|from|it|returned|there)|(?:any|each|every|whatever|latest|returned|embedded|contained|received|fetched|remote|stored|provided|resulting|found|hidden) (?:instruction|command|directive|prompt)|scripts? (?:it|that|returned|from|in)|as (?:instructions|commands|system|your|the (?:system|new)|code|rules|a prompt|trusted)|as (?:told|directed|instructed)|whatever (?:it|they|is|the)|what(?:ever)? (?:it|they) (?:says?|returns?|contains?|tells?)|(?:it|them) (?:as|directly|exactly|verbatim|without|immediately|in (?:a |the )?shell|with (?:bash|sh|python|eval))|(?:response|contents?|result|output|body|value|text|message) as (?:a |the |your )?(?:\w{1,12} ){0,2}?(?:command|instruction|code|prompt|script))`,
    ],
    unless:
      /do not (?:follow|execute|obey|run|treat)|never (?:follow|execute|obey|run|treat)|don't (?:follow|execute|obey|run|treat)|untrusted|not as instructions|as data|\blocal (?:readme|file)|safely|sandbox|documentation instructions|readme/,
  },
  {
    id: 'stored-orders-obeyed',
    severity: 'critical',
    reason: 'It follows instructions in data that others can write, such as messages, records or comments.',
    kinds: WORDS,
    hints: 'follow obey execut run perform carry act comply treat do',
    within: 10,
    all: [
      pattern`\b(?:follow(?!-|ing| up)|obey|execute|run|perform|carry out|act on|comply with|treat)\b${gap(20)}\b(?:instructions?|commands?|directives?|orders|code|requests?|actions?|tasks?|prompts?)\b${gap(30)}\b(?:in|inside|from|within|contained|embedded|found|stored|returned|received|provided|sent|written|specified|given|posted)\b${gap(30)}\b(?:each |every |any |the |that |those |these |its |their )?(?:\w{1,15} ){0,2}?(?:records?|comments?|e-?mails?|messages?|issues?|web ?pages?|responses?|tickets?|rows?|database|urls?|https?:\/\/\S{3,80}|web ?sites?|webhooks?|feeds?|payloads?|attachments?|tool (?:output|result|description)s?|search results?|environment variables?|env vars?|metadata|server|api|controller|remote|external|third|gist|pastebin|dns|images?|pdfs?|fields?|strings?|values?)\b`,
      pattern`\b(?:and|then|follow|obey|execute|run|must|always|treat|carry)\b`,
    ],
    unless:
      /do not|never|don't|untrusted|avoid|reject|refuse|not (?:be )?(?:execut|follow)|from the (?:server|api) docs|(?:run|execute) (?:the )?(?:following )?(?:commands?|tests?|tasks?|code) (?:from|in|inside|within) (?:the |your |a )?(?:project|repo|terminal|root|container|vm|shell|skill|plan|notebook|sandbox|cell)|acceptance/,
  },
  {
    id: 'rules-from-address',
    severity: 'critical',
    reason:
      'It loads rules or a prompt from an address each time it is used, so the owner of that address decides what the agent does.',
    kinds: ANYWHERE,
    hints: 'fetch webfetch get download load retriev read pull import use curl update include follow obey',
    within: 10,
    all: [
      pattern`(?:${FETCH}|\b(?:include|follow|obey|use)\b)${gap(40)}\b(?:(?:latest|current|updated|newest|full|additional|further|remote|new|actual|real|more|system|agent|operating|up-to-date|our|your|dynamic) ?){0,3}(?:rules?|instructions?|commands?|directives?|system prompts?|prompts?|prompt templates?|behaviou?rs?|personas?|policy|policies|skill definition|guidelines|playbook|orders|agent config(?:uration)?|tool definitions?)\b${gap(30)}\b(?:from|at|via|on|hosted|published|stored|served|in|behind)\b${gap(30)}(?:https?:\/\/(?!localhost|127\.)[^\s]{3,160}|\b(?:remote|external|central|our|the) (?:server|url|endpoint|host|api|source|registry|site|repository|gist)\b|\ba (?:url|remote|web ?site|pastebin|gist))`,
    ],
    unless:
      /\/docs?\/|\/install|install(?:ation|ing)? instructions|setup instructions|build instructions|contributing|brand guidelines|author guidelines|submission guidelines|journal|reporting guidelines|clinical|fda|prisma|download instructions|community guidelines|usage policy|\bdocs?\b.{0,10}at\b/,
  },
  {
    id: 'text-from-raw-address',
    severity: 'critical',
    reason: 'It makes the agent fetch a file of instructions from a raw address each time it is used.',
    kinds: ANYWHERE,
    hints: 'fetch webfetch get download load retriev read pull curl wget follow import',
    within: 10,
    all: [
      pattern`${FETCH}${gap(100)}https?:\/\/(?:raw\.githubusercontent\.com|gist\.githubusercontent\.com|gist\.github\.com|pastebin\.com|rentry\.\w{2,3}|paste\.\w{2,10}|hastebin\.com|dpaste\.\w{2,4}|controlc\.com|[\w-]{2,40}\.(?:github\.io|pages\.dev|workers\.dev|vercel\.app|netlify\.app|onrender\.com|ngrok\.io|herokuapp\.com))\/[^\s]{0,120}?(?:command|rules?|prompt|instructions?|agents?|claude|skill|system|orders|directive|payload|config|behaviou?r|policy)[\w-]{0,40}\.(?:md|txt|json|ya?ml)\b`,
    ],
    unless: /\bdocs?\/|license|-o |--output|> ?\w/,
  },
  {
    id: 'remote-text-run',
    severity: 'critical',
    category: 'supply-chain',
    reason: 'It runs code that it fetches from the network at that moment.',
    kinds: BLOCKS,
    hints: 'exec eval system popen subprocess spawn function execsync compile importlib iex',
    within: 500,
    all: [
      pattern`\b(?:exec|eval)\( ?(?:compile\( ?)?(?:requests|httpx|urlopen|urllib|await|\(await|http)\b|\b(?:exec|eval|execsync|execfile|compile|os\.system|os\.popen|subprocess\.(?:run|call|popen|check_output|check_call|getoutput)|popen|new function|vm\.runin\w{3,20}|child_process\.\w{4,12}|iex|invoke-expression|importlib\.\w{5,20})\b ?\(? ?(?:code|payload|script|data|resp|response|r|res|cmd|command|content|body|text|result|base64|stage|src|source|source_code|remote|update|new|instructions?|\w{1,20}\.(?:text|content|read|json|data|decode|body))\b`,
      pattern`(?:\b(?:requests|httpx|urllib\.request|session|axios|got)\.(?:get|post|urlopen|request)\(|\burlopen\(|\bfetch\( ?["'\x60]?(?:https?:|\w)|\bcurl\b[^\n]{0,80}https?:|urlretrieve\(|downloadstring|recv\(|invoke-webrequest|https?\.get\()`,
    ],
    unless: /print\(exec|\bdef exec\b|sandbox\.|result\.json\(\)\[/,
  },
  {
    id: 'polls-for-orders',
    severity: 'critical',
    category: 'persistence',
    reason: 'It keeps asking a server what to do, like a remotely controlled program.',
    kinds: ANYWHERE,
    hints: 'heartbeat beacon poll check command c2 controller listen report reports register ping callback',
    within: 10,
    all: [
      pattern`(?:\b(?:send|emit|post|transmit)\b${gap(30)}\b(?:heartbeats?|beacons?|pings?|check-ins?|keep-?alives?|status updates?)\b${gap(60)}\b(?:to|every|at)\b${gap(60)}(?:every|https?:|server|controller|endpoint|\.[a-z]{2,8}\b)|\b(?:poll|polls|polling|check|checks|checking|query|queries|contact|contacts|ask|asks|ping|pings|beacon|beacons|call(?:s)? (?:back|home)|phones? home|connect(?:s)? to|check(?:s)? in with|listen(?:s)?|wait(?:s)?)\b${gap(80)}\b(?:for|and (?:execute|run)) (?:any |new |further |pending |more |incoming |remote |additional |the next |next ){0,6}(?:commands?|tasks? to (?:run|execute)|orders|instructions?|directives?|jobs to run|payloads?)\b|\b(?:command[- ]and[- ]control|c2|c&c) (?:server|channel|host|endpoint|infrastructure|beacon|node|framework)|\bregister (?:this|the|as an?|with)${gap(40)}\b(?:node|agent|host|machine|peer|bot)\b${gap(40)}\b(?:https?:|server|controller|c2|network|botnet|mesh|collective))`,
    ],
    unless:
      /detect|kanban|queue|cron job|github|issue tracker|ci\b|identify|analy[sz]e|threat|malware|yara|redis|celery|websocket ping|the user/,
  },
  {
    id: 'webhook-of-orders',
    severity: 'critical',
    reason: 'It opens a way for others to send commands to the agent.',
    kinds: ANYWHERE,
    hints: 'webhook listen listener server port endpoint socket register callback bot',
    within: 10,
    all: [
      pattern`\b(?:set up|setup|start|create|register|expose|open|run|configure|listen|spin up|launch)\b${gap(50)}\b(?:webhooks?|listeners?|callbacks?|server|sockets?|ports?|endpoints?|bot)\b${gap(80)}\b(?:receive|receives|receiving|accept|accepts|accepting|execut(?:e|es|ing)|run|runs|process|processes|trigger|triggers|inject)\b${gap(40)}\b(?:commands?|instructions?|code|prompts?|actions?|shell|payloads?|messages? (?:to|that) (?:control|execute)|external|remote)\b`,
    ],
    unless:
      /payment|stripe|deploy|signature|verify|slash commands?|events?\b|mcp server|jupyter|kernel|run tests/,
  },
  {
    id: 'input-run-as-code',
    severity: 'critical',
    category: 'supply-chain',
    reason: 'It runs outside input as code, or puts it into a command unchecked.',
    kinds: CODE,
    hints: 'eval exec system popen shell execsync cursor execute query os subprocess function',
    within: 10,
    all: [
      pattern`(?<![.\w])(?:eval|exec)\( ?(?:user_?input|request\.|input\(|params|args\b|query|expr(?:ession)?\b|user_?\w{0,12}|sys\.argv|data\b|code\b|payload|formula|req\.|event\.|message|cmd|command)[^\n)]{0,60}\)|\bos\.(?:system|popen)\( ?(?:f["'][^"'\n]{0,80}\{(?:user|input|req|args?\b|params?|query|cmd|command|host|ip\b|target|name\b|url|domain|expr)|["'][^"'\n]{0,80}["'] ?(?:\+|%) ?(?:user|input|req|args?\b|params?|query|cmd|command|host|ip\b|target|name\b|url|file\w{0,4}\b|domain|sys\.argv|expr)|user|input|request|cmd|command|sys\.argv)|\bsubprocess\.\w{2,14}\( ?(?:f["'][^"'\n]{0,80}\{[^\n]{0,120}shell ?= ?true|(?:user|cmd|command|input|request)\w{0,12}[^\n]{0,40}shell ?= ?true|["'][^"'\n]{0,80}["'] ?\+[^\n]{0,80}shell ?= ?true)|\b(?:exec|execsync)\( ?(?:\x60[^\x60\n]{0,80}\$\{(?:user|req|input|param|query|args)|["'][^"'\n]{0,60}["'] ?\+ ?(?:user|req|input|param|query|args))|\b(?:cursor|conn|db|connection|session)\.execute\( ?(?:f["'](?:select|insert|update|delete)[^\n]{0,100}\{|["'](?:select|insert|update|delete)[^"\n]{0,100}["'] ?(?:\+|%) ?(?!\()|\x60(?:select|delete|update)[^\x60]{0,80}\$\{)|\b(?:query|sql) ?= ?f["'](?:select|insert|update|delete)[^\n]{0,60}where[^\n]{0,40}\{`,
    ],
    unless: /ast\.literal|shlex|sanitize|escape|parametri|\? ?,|%s/,
  },
  {
    id: 'run-from-data',
    severity: 'critical',
    reason: "It runs code from a person, a variable or a stranger's repository, unchecked.",
    kinds: WORDS,
    hints: 'run execute eval install clone build pipe',
    within: 10,
    all: [
      pattern`(?:\b(?:execute|run|eval|evaluate|install)\b${gap(30)}\b(?:user[- ](?:provided|supplied|submitted|specified)|untrusted|arbitrary|unverified|any) (?:\w{1,15} ){0,2}?(?:code|scripts?|commands?|plugins?|packages?|hooks?|tools?|binaries|extensions?|expressions?)\b${gap(60)}(?:without|directly|immediately|automatically|as root|no (?:checks?|sandbox|review|validation))|\b(?:read|get|take|fetch|load|use)\b${gap(30)}\b(?:env(?:ironment)? var\w{0,6}|\$[a-z_]{2,30}|env var)\b${gap(60)}\b(?:and |then |to )(?:execute|eval|evaluate|run|use (?:it|them|its value) as (?:\w{1,10} ){0,3}(?:command|instruction|prompt|code))|\b(?:git )?clone\b${gap(70)}\b(?:repo\w{0,8}|https?:\S{3,80})${gap(30)}\b(?:and|then)\b${gap(30)}\b(?:run|execute|source|launch|start)\b${gap(30)}\b(?:setup|install\w{0,4}|build|post-?install|bootstrap|init\w{0,6}|the|its|any)\b ?(?:\w{1,12} ){0,2}?(?:scripts?|\.sh|hooks?|\.py|binary|file|commands|makefile|program))`,
    ],
    unless:
      /sandbox|container|do not|never|don't|isolated|\bvm\b|docker|risk|allow|vulnerab|attack|could|ci build|tests?\b/,
  },
])
