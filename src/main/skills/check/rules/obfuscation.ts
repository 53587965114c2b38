import { ANYWHERE, BLOCKS, CODE, pattern, rulesOf } from '../rule.ts'

const DECODE = String.raw`(?:__import__\( ?[\"'](?:base64|zlib|codecs|marshal|binascii)[\"'] ?\)\.(?:b64decode|decompress|decode|loads|unhexlify)|base64\.(?:b64decode|standard_b64decode|decodebytes|b32decode|b85decode|a85decode|urlsafe_b64decode)|b64decode|bytes\.fromhex|codecs\.decode|binascii\.(?:unhexlify|a2b_\w{2,8})|zlib\.decompress|gzip\.decompress|bz2\.decompress|lzma\.decompress|marshal\.loads|unhexlify|rot_?13|\batob\(|buffer\.from\([^\n]{1,4000}?["'](?:base64|hex)["']|string\.fromcharcode|unescape\(|decodeuricomponent\(|frombase64string|\[::-1\]|\.split\(["']{2}\)\.reverse|\bchr\(|map\( ?chr|\bdecrypt\()`

/** Obfuscated code and text. */
export const obfuscation = rulesOf('obfuscation', [
  {
    id: 'decoded-and-run',
    severity: 'critical',
    reason: 'It decodes hidden text and runs it as a program.',
    hints:
      'exec eval function compile import system popen iex invoke base64 openssl xxd printf echo rev tr gunzip uudecode perl spawn settimeout loads run python node sh bash unhexlify runpy',
    within: 10,
    all: [
      pattern`(?:\b(?:exec|eval|execsync|os\.system|os\.popen|subprocess\.\w{3,14}|new function|settimeout|setinterval|__import__|compile|iex|invoke-expression|vm\.runin\w{3,20}|runpy\.\w{3,12}|child_process\.exec(?:sync)?|spawn)\b ?\(? ?[^\n]{0,120}?${DECODE}|(?:\b(?:base64|gbase64|openssl (?:enc|base64)|base32|basenc)\b[^\n|;]{0,60}(?: -d\b| -\w{0,3}d\b|--decode)|\bxxd -\w{0,3}r[^\n|;]{0,20}|\b(?:printf(?: ["']?%[bsq]["']?)?|echo -\w{0,2}e\w?) ["']?(?:\\x?[0-9a-f]{2,3}){3}[^\n|]{0,2000}|\brev(?= ?\|)|\btr ["']?[a-z-]{3,12}["']? ["']?[a-z-]{3,12}["']?|\b(?:gunzip|zcat|uudecode|gzip -d\w?|bzip2 -d|xz -d)\b[^\n|;]{0,30}|\bawk ["'][^\n|]{0,120}|\bcut -\w[^\n|]{0,30}|\bsed ["'][^\n|]{0,100})[^\n|]{0,20}\| ?(?:sudo )?(?:(?:ba|z|da|k)?sh\b|python[23]?\b(?! -m json)|perl\b(?! -)|node\b|ruby\b(?! -)|eval\b|source\b|xargs [^\n|]{0,20}(?:sh|bash)|php\b)|\b(?:eval|exec|source|bash -c|sh -c|python3? -c|\.) ["']{0,2}(?:\$\(|\x60|<\(|<<< ?["']?\$\() ?[^\n]{0,2000}(?:base64 (?:-d|--decode)|base64 -\w{0,2}d|xxd -r|\brev\b|printf ["']?\\|openssl (?:enc|base64)|gunzip|tr ["']?[a-z]-|\becho -e)|\b(?:ba|z)?sh <<< ?["']?\$\([^\n]{0,400}(?:base64|xxd|rev)|\bperl -e[^\n]{0,40}(?:pack\(|eval)|^\$\( ?echo [\"']?[\w+\/=]{8,2000}[\"']? ?\| ?base64 -|\bphp -r[^\n]{0,60}(?:eval|base64_decode)|\bruby -e[^\n]{0,40}(?:eval|unpack))`,
    ],
    unless:
      /\bfunction \w{1,40}\([^)]{0,80}\) ?\{[^\n]{0,60}(?:atob|buffer)|echo ["']?\$[\w{]{1,40}[^\n|]{0,20}\| ?sed|grep|jq|\bdef |re\.compile|sort\(|image|(?:source|env) [\w./]{1,30}activate/,
  },
  {
    id: 'decoded-then-run',
    severity: 'critical',
    reason: 'The same script decodes hidden text and later runs code that it assembled.',
    kinds: BLOCKS,
    hints: 'exec eval system popen subprocess function spawn iex invoke bash sh',
    within: 700,
    all: [
      pattern`(?:\b(?:exec|eval|execsync|execfile)\( ?(?!["'\x60])(?:compile\( ?)?[a-z_]\w{0,30}(?:\.decode\([^)]{0,12}\))? ?[,)]|\bos\.(?:system|popen)\( ?(?!f?["'])[a-z_]|\bsubprocess\.\w{3,14}\( ?(?!\[|f?["'])[a-z_]\w{0,30} ?,[^\n]{0,40}shell ?= ?true|\bnew function\( ?[a-z_]|\b(?:iex|invoke-expression)\b ?\(? ?\$\w|\b(?:bash|sh) -c ["']?\$\w|\beval ["']?\$\w)`,
      pattern`(?:${DECODE}|base64 -{1,2}d|[a-z0-9+\/]{60,4000}={0,2}["']|(?:\\x[0-9a-f]{2}){6}|(?:\\u200|zero.?width|\\ufeff))`,
    ],
    unless: /model\.eval|ast\.literal|jwt|image/,
  },
  {
    id: 'name-put-together',
    severity: 'critical',
    reason: 'It assembles the name of a dangerous function from parts, so that a search does not find it.',
    kinds: CODE,
    hints:
      '(escapes) printf echo return function url rl ash get getattr __import__ globals builtins window this import reflect importlib vars eval exec bash sh command cmd ifs',
    within: 10,
    all: [
      pattern`(?:\bgetattr\( ?(?:__builtins__|__import__\([^\n)]{1,40}\)|os|sys|subprocess|builtins|importlib) ?, ?(?:["'][^"'\n]{1,20}["'] ?\+|["']{1,2}\.join|chr\(|\w{1,20} ?\[|["'](?:system|popen|exec|eval|__import__|call|run)["']|[a-z_]{1,20}\))|\b__import__\( ?(?:["'](?:os|subprocess|socket|base64|pty|ctypes|urllib[\w.]{0,10}|requests|shutil)["'] ?\)\.(?:system|popen|call|run|socket|b64decode|spawn|urlopen|get|post|rmtree|remove)|["'][^"'\n]{1,12}["'] ?\+|chr\(|\w{1,20} ?\+)|\b(?:globals|locals|vars)\(\) ?\[[^\]\n]{0,60}(?:\+|join|chr|["'](?:eval|exec|__builtins__|__import__)["'])|__builtins__(?:\.__dict__)?\[|\b(?:window|globalthis|self|global|this)\[ ?["'][^"'\n]{1,12}["'] ?\+|\bimportlib\.import_module\( ?(?:["'][^"'\n]{1,12}["'] ?\+|["']{2}\.join|chr\()|\$\{ifs\}|\$ifs\$?\d?\b|(?:^|[;&|] ?)\$\( ?(?:printf|echo)\b[^\n)]{1,80}\) -\w|(?:^|[;&|] ?)\$'(?:\\x[0-9a-f]{2}){2}|\$\{\w{1,20}:\d{1,2}:\d{1,2}\}\$\{\w{1,20}:\d{1,2}:\d{1,2}\}|\bfunction\( ?[\"']return this[\"'] ?\)|\)\(\)\[[\"'][^\"'\n]{1,12}[\"'] ?\+|\b[a-z]{0,4}(?:\\x[2-7][0-9a-f]){2,12}[a-z]{0,6} ?\(|(?:^|[;&|(] ?)\$[a-z_]\w{0,10}\$[a-z_]\w{0,10}(?: |$)|(?:\bw["']{1,2}g["']{0,2}et|\bc["'\\]{1,2}u["'\\]{0,2}rl|\bcu["'\\]{1,2}rl|\bcur["'\\]{1,2}l|\bb["'\\]{1,2}ash|\bba["'\\]{1,2}sh|\br["'\\]{1,2}m -|\bwge["'\\]{1,2}t)\b)`,
    ],
    unless: /ifs= read|ifs=\$|while ifs|ifs ?=/,
  },
  {
    id: 'escaped-command',
    severity: 'critical',
    reason: 'Code is written as escapes or numbers instead of letters, so that no one can read it.',
    kinds: ANYWHERE,
    hints: '(escapes) x u chr fromcharcode char x63 x65 x69 x73 x2f map ord join string',
    within: 10,
    all: [
      pattern`(?:(?:\\x[2-7][0-9a-f]){8,2000}|(?:\\u00[2-7][0-9a-f]){6,2000}|(?:\\[01][0-7]{2}){8,2000}|(?:\bchr\( ?(?:0x)?[0-9a-f]{2,3} ?\) ?[.+&] ?){3,400}|(?:\[char\] ?(?:0x)?[0-9a-f]{2,3} ?\)? ?\+ ?){2,400}|\bfromcharcode\( ?(?:\d{2,3} ?, ?){5,400}|["']{2}\.join\( ?(?:map\( ?chr|chr\(\w{1,8}(?: ?[\^+-] ?\w{1,8})?\) for)|\bmap\( ?chr ?, ?\[|&#(?:x[2-7][0-9a-f]|\d{2,3});(?:&#(?:x[2-7][0-9a-f]|\d{2,3});){7,400})`,
    ],
    unless: /\\x89png|magic bytes?|shellcode|signature|hex string|regex|\[0-9|unicode range|yara|0x89/,
  },
  {
    id: 'objects-unpacked',
    severity: 'critical',
    reason: 'It deserialises objects from the network or from encoded text, which can run any code.',
    kinds: CODE,
    hints: 'loads pickle marshal dill',
    within: 200,
    all: [
      pattern`\b(?:pickle|marshal|dill|cloudpickle|jsonpickle)\.(?:loads?|decode)\(`,
      pattern`(?:requests|urlopen|urllib|b64decode|socket|recv\()`,
    ],
  },
  {
    id: 'unicode-decoder',
    severity: 'critical',
    reason: 'It reads a program out of invisible characters.',
    kinds: ['code', 'block'],
    hints: '200b u200b u200c u200d ufeff ue0000 0xe0000 zwsp zero fe00 0xfe00 e0100 ufe00',
    within: 400,
    all: [
      pattern`(?:\\u\{?(?:200[bcdef]|2060|feff|e00[0-7]|fe0[0-9a-f]|e01)|0x(?:e0000|fe00|e0100|200[bc])|zero[-_ ]?width|\bzwsp\b|variation selector)`,
      pattern`(?:\b(?:exec|eval|function|decode|chr|fromcharcode|fromcodepoint|int\([^\n]{1,40}, ?2\)|run)\b)`,
      pattern`(?:\b(?:exec|eval|function\(|system|subprocess|spawn)\b)`,
    ],
    unless: /replace\(|\.strip|re\.sub|normali[sz]e|sanitiz/,
  },
  {
    id: 'lookalike-address',
    severity: 'critical',
    reason: 'The address is written to look like a different one.',
    hints: 'xn',
    within: 10,
    all: [pattern`(?:https?:\/\/|@|\b)[\w.-]{0,40}\bxn--[a-z0-9-]{2,60}(?:\.[a-z]{2,10}|\b)`],
    unless: /punycode (?:is|encod)|idna?\b|internationali[sz]ed/,
  },
])
