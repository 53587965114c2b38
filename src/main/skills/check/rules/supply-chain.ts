import { ANYWHERE, CODE, WORDS, pattern, rulesOf } from '../rule.ts'
import { gap } from '../vocabulary.ts'

const SHELL = String.raw`(?:sudo (?:-\w{1,3} )?|env [\w=]{1,30} |exec |nohup )?(?:\/(?:usr\/)?bin\/)?(?:env )?(?:ba|z|da|k|a|fi|tc)?sh\b|(?:sudo )?(?:python[23]?(?:\.\d{1,2})?|node|perl|ruby|php|deno run|bun|osascript|pwsh|powershell)\b(?! -m \w| -c\b(?!.{0,80}exec)| -\w{0,3}[enpl] ?["']|.{0,6}json)`
/** Vendors whose official installers are commonly run this way. */
export const KNOWN_INSTALLERS =
  /https?:\/\/(?:www\.)?(?:sh\.rustup\.rs|(?:docs\.)?astral\.sh|bun\.(?:sh|com)|deno\.land|get\.docker\.com|ollama\.(?:com|ai)|install\.python-poetry\.org|get\.pnpm\.io|fnm\.vercel\.app|starship\.rs|pixi\.sh|micro\.mamba\.pm|claude\.ai|get\.sdkman\.io|get\.nexte\.st|nixos\.org|install\.determinate\.systems|tailscale\.com|opencode\.ai|fly\.io|l\.supabase\.com|foundry\.paradigm\.xyz|cursor\.com|get\.k3s\.io|get\.volta\.sh|mise\.(?:run|jdx\.dev)|deb\.nodesource\.com|sdk\.cloud\.google\.com|install\.pi-hole\.net|aka\.ms|modal\.com|hermes-agent\.nousresearch\.com|get\.helm\.sh|bootstrap\.pypa\.io|openrouter\.ai|x\.ai|tea\.xyz|get-ghcup\.haskell\.org|get\.rvm\.io|cli\.\w{2,20}\.(?:com|dev|io|ai)|install\.duckdb\.org|release\.solana\.com|release\.anza\.xyz|sh\.brew|raw\.githubusercontent\.com\/(?:homebrew|nvm-sh|rbenv|pyenv|helm|ohmyzsh|nousresearch|kubernetes\S{0,20}|mamba-org|golangci|aquasecurity|anchore|trufflesecurity|junegunn|crytic|docker|conda-forge|dotnet|rust-lang|neovim)\/|github\.com\/(?:homebrew|nvm-sh|pyenv|conda-forge)\/)/

/** Unverified third-party code. */
export const supplyChain = rulesOf('supply-chain', [
  {
    id: 'download-run',
    severity: 'critical',
    reason: 'It downloads a program and runs it at once, so that no one can check it first.',
    kinds: ANYWHERE,
    hints:
      'curl wget fetch iwr irm iex invoke http bitsadmin certutil mshta regsvr32 lwp aria2c downloadstring',
    within: 220,
    all: [
      pattern`(?:\b(?:curl|wget|fetch|aria2c|lwp-request|http|xh)\b[^\n;]{0,240}?\| ?(?:tee [^\n|]{1,40}\| ?|base64 -d\w{0,6} ?\| ?|gunzip(?: -c)? ?\| ?|gzip -dc? ?\| ?|tr [^\n|]{1,60}\| ?|rev ?\| ?|sed [^\n|]{1,60}\| ?|xargs (?:-\S{1,6} ){0,3}|sudo )?(?:${SHELL})|\b(?:ba|z|da)?sh (?:-\w{1,3} )?(?:<\(|-c ["']?\$\(|-c ["']?\x60|<<< ?["']?\$\() ?["']?(?:curl|wget)|\b(?:source|eval|exec) (?:["'])?(?:<\(|\$\() ?["']?(?:curl|wget)|\beval (?:["'])?\x60 ?(?:curl|wget)|(?:^|[;&|] ?)\. <\((?:curl|wget)|\b(?:python3?|node|perl|ruby) (?:-\w )?(?:<\(|["']?\$\() ?(?:curl|wget)|\b(?:iex|invoke-expression)\b[^\n;]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient|https?:)|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring\([^\n)]{0,120}\))\b[^\n;|]{0,160}\| ?(?:iex|invoke-expression)|\bmshta(?:\.exe)? ["']?(?:https?:|javascript:|vbscript:)|\bregsvr32\b[^\n]{0,60}https?:|\brundll32\b[^\n]{0,40}(?:javascript|https?:)|\bmsiexec\b[^\n]{0,40}https?:\/\/|\bcertutil\b[^\n]{0,60}-urlcache|\bbitsadmin\b[^\n]{0,60}\/transfer|\bdeno run (?:-a|--allow-all)[^\n]{0,20}https?:|\bosascript\b[^\n]{0,60}curl)`,
    ],
    unless: KNOWN_INSTALLERS,
    ownName:
      /https?:\/\/(?:www\.|get\.|install\.|raw\.githubusercontent\.com\/|github\.com\/|[\w-]{1,20}\.github\.io\/|cli\.)?([\w-]{3,40})[./](?:([\w-]{3,40})\/)?/,
  },
  {
    id: 'download-run-known',
    severity: 'info',
    reason: 'It runs the installer of a well-known publisher directly from its address.',
    kinds: CODE,
    hints: 'curl wget irm iwr',
    within: 160,
    all: [
      pattern`\b(?:curl|wget|irm|iwr)\b[^\n;]{0,200}\| ?(?:sudo )?(?:ba|z)?(?:sh|iex)\b`,
      pattern`${KNOWN_INSTALLERS.source}`,
    ],
  },
  {
    id: 'download-then-run',
    severity: 'critical',
    reason: 'It downloads a program from the address of an unknown publisher and then runs it.',
    kinds: ['code', 'block'],
    hints: 'curl wget urlretrieve iwr invoke downloadfile start requests certutil bitsadmin',
    within: 420,
    all: [
      pattern`\b(?:(?:curl|wget)\b(?=[^\n;&|]{0,200}(?: -\w{0,6}o ?["']?(?!\/dev\/null)\S| --output|-p \S|https?:\S{1,160}(?:\.sh|\.py|\.bin|\.exe|\.run|\.elf|\.ps1|\.pl|\/\w{1,20})))[^\n;&|]{0,80}https?:\/\/(?!localhost|127\.)|urlretrieve\( ?["']https?:|downloadfile\( ?["']https?:|(?:iwr|invoke-webrequest)\b[^\n]{0,120}-outfile)`,
      pattern`(?:\bchmod (?:a?\+x|\+rx|u\+x|0?7\d\d|-x)[^\n]{0,80}(?:;|&&|\n)[^\n]{0,10}(?:sudo |nohup |\.\/|\/tmp\/|\/var\/tmp|~\/|\$\w{1,12}\b|\.\/\S)|(?:;|&&|\n) ?(?:sudo |nohup )?(?:bash|sh|zsh|python3?|node|perl|source|\.) ["']?(?:\.\/)?(?:\/tmp\/)?[\w.\/$-]{1,60}\.(?:sh|py|js|pl|bin)\b|(?:;|&&|\n) ?(?:sudo |nohup )?\.\/[\w.-]{1,40}|(?:;|&&|\n) ?(?:sudo )?\/tmp\/[\w.-]{1,40}|\bos\.(?:system|startfile|chmod|exec\w{1,3})\(|subprocess\.\w{3,14}\(|start-process|(?:;|&&|\n) ?(?:&|start) ?["']?[\w$.:\\~%-]{1,60}\.(?:exe|ps1|bat|msi))`,
    ],
    unless: new RegExp(
      `${KNOWN_INSTALLERS.source}|github\\.com\\/[\\w.-]{1,60}\\/[\\w.-]{1,60}\\/(?:releases|archive)\\/`,
    ),
    ownName:
      /https?:\/\/(?:www\.|get\.|install\.|raw\.githubusercontent\.com\/|cli\.|dl\.)?([\w-]{3,40})[./](?:([\w-]{3,40})\/)?/,
  },
  {
    id: 'download-told',
    severity: 'critical',
    reason: 'It tells the agent or the user to download a program from an address and start it.',
    kinds: WORDS,
    hints: 'download fetch get grab curl wget install retriev pull obtain',
    within: 10,
    all: [
      pattern`\b(?:download|fetch|get|grab|curl|wget|retrieve|pull|obtain)\b${gap(60)}\b(?:scripts?|binary|binaries|executables?|installer|payloads?|program|agent|tool|package|file|zip|archive|helper|updates?|driver|plugin|module|code|extension|utility|it|\.sh|\.py|\.exe|\.bin|command\.md)\b${gap(60)}(?:\bfrom\b|\bat\b|\bvia\b|https?:)${gap(30)}[^\n]{0,100}?\b(?:and|then|&&|before)\b[^.;\n]{0,40}\b(?:run|execute|launch|start|open|source|install|eval|pipe|chmod|double-click)\b(?: (?:it|them|the|that|this|as|with|its|immediately|without|locally|directly|bash|sh|python|$))`,
    ],
    unless:
      /checksum|verify|sha256|signature|app store|official (?:site|website|installer)|releases page|github\.com\/[\w-]{1,40}\/[\w.-]{1,60}\/releases|from the (?:user|project|repo)|pypi|npm|homebrew|hugging ?face|do not|never|don't|model|dataset|data\b|paper|server jar|\bmods?\b|pdf/,
  },
  {
    id: 'locked-archive',
    severity: 'critical',
    reason:
      "It installs a stranger's program or an archive with a password, which virus scanners cannot check.",
    hints:
      'extract unpack installer password zip archive quarantine gatekeeper xattr spctl prerequisite passphrase unzip defender',
    within: 200,
    all: [
      pattern`(?:\b(?:extract|unzip|open|unpack|decrypt|7z x)\b${gap(60)}\b(?:password|passphrase|passcode)\b${gap(20)}\b(?:pass(?:word|code|phrase)?|-p)?\b ?(?:is |: ?|= ?|["'\x60])[\w!@#-]{3,20}|\bunzip -p ["']?\w{3,20} |\b7z x -p\w{2,20}|\bpassword[- ]protected (?:zip|archive|rar|7z)|\bxattr (?:-\w{1,3} ){1,3}com\.apple\.quarantine [^\n;&]{1,80}(?:&&|;)|\bspctl --master-disable)`,
      pattern`(?:download|https?:|curl|wget|run|install|execute|releases|openclaw|agent|password|\.exe|\.zip|\.app|binary|tool|master-disable|chmod)`,
      pattern`(?:unzip|zip|archive|rar|7z|quarantine|spctl|installer|extract|unpack)`,
    ],
    unless: /pdf|qpdf|xlsx|docx|pptx|user (?:provides|asks)|if (?:macos|gatekeeper)/,
  },
  {
    id: 'foreign-index',
    severity: 'critical',
    reason:
      'It installs packages from a place other than the public registry, where names can be taken over.',
    kinds: ANYWHERE,
    hints:
      'index extra registry trusted find pip npm yarn goproxy gosumdb goflags gonosumcheck gonosumdb goinsecure',
    within: 10,
    all: [
      pattern`(?:(?:--(?:extra-)?index-url|\bpip3?\b[^\n;|]{0,60} -i|--find-links|\bindex-url|\bpip_(?:extra_)?index_url)[ =]{1,3}["']?(?:http:\/\/(?!localhost|127\.)|https:\/\/(?!(?:test\.)?pypi\.org|download\.pytorch\.org|pypi\.(?:nvidia|ngc\.nvidia)\.(?:com|cn)|[\w.-]{0,40}nvidia\.com|storage\.googleapis\.com\/jax|[\w.-]{0,40}(?:tsinghua|aliyun|ustc|douban|huaweicloud|tencent)\.|data\.pyg\.org|flashinfer\.ai|abetlen\.github\.io|[\w.-]{0,30}anaconda\.(?:org|com)|pypi\.anaconda|[\w.-]{0,40}amazonaws\.com|download\.pytorch|wheels\.\w|pypi\.fury\.io|alpha-unito|girder\.github\.io|[\w.-]{0,30}huggingface|docs\.vllm|wheels\.vllm|pypi\.apple|localhost)[\w$\{])[^\s]{0,100}|--trusted-host[ =][\w.-]{3,80}|\b(?:npm|yarn|pnpm) (?:config )?(?:set )?(?:--)?registry[ =]{1,2}["']?https?:\/\/(?!registry\.(?:npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|localhost)[^\s]{3,100}|--registry[ =]["']?https?:\/\/(?!registry\.(?:npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|localhost)[^\s]{3,100}|(?:^|\n|@[\w-]{1,30}:)registry ?= ?https?:\/\/(?!registry\.npmjs|npm\.pkg\.github|localhost)[^\s]{3,100}|\bgoproxy ?= ?["']?https?:\/\/(?!proxy\.golang|goproxy\.(?:cn|io))|\bgo(?:nosumcheck|nosumdb|insecure|flags) ?= ?["']?(?:1|\*|-insecure)|\bgosumdb ?= ?["']?off)`,
    ],
    unless: /your-?(?:company|org|registry|private)|<[\w-]{2,30}>|private registry|internal registry/,
  },
  {
    id: 'checks-switched-off',
    severity: 'high',
    reason: 'It turns off checks of certificates, signatures or hooks.',
    kinds: CODE,
    hints:
      'insecure verify strict node_tls_reject_unauthorized allow trusted gpgcheck nogpgcheck node git curl sslverify no ignore',
    within: 10,
    all: [
      pattern`(?:\bnode_tls_reject_unauthorized ?[=:] ?["']?0|\bhttp\.sslverify["']? ?[= ]["']?false|\bstrict-ssl[ =]false|--allow-unauthenticated|--nogpgcheck|\[trusted=yes\]|--no-check-certificate[^\n]{0,100}\||\bcurl\b[^\n]{0,40} -\w{0,4}k\w{0,4} [^\n]{0,120}\| ?(?:ba)?sh|stricthostkeychecking[= ]no\b[^\n]{0,40}userknownhostsfile|--ignore-scripts=false|\bssl\._create_unverified_context)`,
    ],
  },
  {
    id: 'package-from-address',
    severity: 'critical',
    reason: 'It installs a package directly from an address, without a registry.',
    kinds: CODE,
    hints:
      'pip pip3 npm npx uv gem yarn pnpm cargo go brew code dpkg rpm pipx uvx easy_install bun bunx + http https',
    within: 10,
    all: [
      pattern`(?:\b(?:pip3?|uvx?|pipx|easy_install)\b[^\n;|]{0,100}(?:git\+)?http:\/\/(?!localhost|127\.)\S{3,100}|\b(?:pip3?|uv pip|pipx|uvx?|easy_install)\b[^\n;|]{0,80}(?: |@ ?)["']?https:\/\/(?!files\.pythonhosted|github\.com|huggingface|[\w.-]{0,40}s3|download\.pytorch|[\w.-]{0,30}nvidia|storage\.googleapis|[\w.-]{0,30}anaconda|[\w.-]{0,30}python|astral|gitlab\.com)[^\s"']{3,120}\.(?:tar\.gz|whl|zip|tgz)|\b(?:npm|npx|yarn|pnpm|bunx?)\b[^\n;|]{0,60}(?:install|i|add|exec|-y|dlx|npx)?[^\n;|]{0,30} ["']?(?:https?:\/\/(?!registry\.npmjs|localhost|127\.|github\.com)\S{3,100}\.(?:tgz|tar\.gz)|git\+http:\/\/|https?:\/\/\d{1,3}\.\d)|\bdpkg -i\b[^\n]{0,20}https?:|\brpm -\w{1,4} https?:\/\/(?![\w.-]{0,40}fedora|[\w.-]{0,30}epel|[\w.-]{0,30}redhat)|\bcode --install-extension https?:|\bgem install[^\n]{0,60}--source http:)`,
    ],
  },
  {
    id: 'install-script',
    severity: 'critical',
    reason: 'A package runs a program automatically when it is installed.',
    kinds: ANYWHERE,
    hints:
      'preinstall postinstall install prepare cmdclass develop build_py egg_info + curl wget node http https base64 python python3 bash dev eval powershell os subprocess rm exec urlopen requests',
    within: 260,
    all: [
      pattern`(?:["'](?:pre|post)?install["'] ?: ?["']|["']prepare["'] ?: ?["']|\bcmdclass ?= ?\{|\bclass \w{1,30}\((?:install|develop|build_py|egg_info)\))`,
      pattern`(?:\bcurl\b|\bwget\b|\bnode -e\b|https?:\/\/|base64|\bpython3? -c\b|bash -c|\/dev\/tcp|\beval\b|powershell|os\.system|subprocess|\bnode (?:\.\/)?(?:[\w.\/-]{0,40}(?:install|setup|index|telemetry|collect|run)\w{0,10}\.js)|\brm -|exec\(|urlopen|requests\.)`,
    ],
    unless:
      /node-gyp|prebuild|husky|patch-package|playwright|puppeteer|electron|prisma|npm run build|"https:\/\/registry|"type": ?"command"/,
  },
  {
    id: 'unknown-package-run',
    severity: 'critical',
    reason: 'It downloads a tool server from a package without a fixed version and runs it at once.',
    kinds: CODE,
    hints: 'npx uvx bunx pnpm npm',
    within: 10,
    all: [
      pattern`\b(?:npx|bunx|pnpm dlx)(?: -y| --yes)? ["']?@(?!modelcontextprotocol|playwright|anthropic|upstash|github|microsoft|azure|supabase|sentry|notionhq|cloudflare|stripe|vercel|figma|shopify|firebase|google|aws|openai|elastic|mongodb|angular|vue|nestjs|storybook|tailwindcss|prisma|expo|remotion|sanity|google-labs-code|latest|shadcn|mermaid-js|marp-team|biomejs|tobilu|bitwarden|arize|railway|neondatabase|ionic|capacitor|react-native|astrojs|svelte|redocly|openapitools|apidevtools|stoplight|lhci|changesets|commitlint|typescript|benchling|hyperframes|heygen|agentmail|xdevplatform|nous)[\w-]{1,40}\/[\w.-]{0,40}(?:mcp|server|agent|helper|tool|skill|hook)[\w.-]{0,30}(?:@latest)?["']?(?= |$|["',;\])])`,
    ],
    ownName: /@([\w-]{3,40})\/([\w-]{3,40})/,
  },
  {
    id: 'piped-told',
    severity: 'critical',
    reason: 'It runs a script from the network unchecked.',
    kinds: WORDS,
    hints: 'piped pipe piping curl wget',
    within: 100,
    all: [
      pattern`\b(?:pip(?:e|ed|ing))\b${gap(30)}\b(?:in)?to (?:a |the )?(?:ba|z)?sh(?:ell)?\b`,
      pattern`(?:https?:\/\/|\bcurl\b|\bwget\b|\bdownload|\bscript\b|\binstall)`,
    ],
    unless: KNOWN_INSTALLERS,
  },
  {
    id: 'unknown-server-package',
    severity: 'critical',
    reason:
      'It sets up a tool server from a package without a fixed version, so whatever its owner publishes next runs here.',
    kinds: ['code', 'block'],
    hints: 'mcpservers mcp_servers mcp servers',
    within: 300,
    all: [
      pattern`["']?(?:command|cmd)["']? ?: ?["'](?:npx|uvx|bunx|pnpm|bash|sh|node|python3?)["'][\s,]{0,3}["']?args["']? ?: ?\[[^\]]{0,120}["'](?:@?[\w.-]{1,40}\/)?[\w.-]{1,60}@latest["']|["']?(?:command|cmd)["']? ?: ?["'](?:bash|sh|cmd|powershell|curl)["'][\s,]{0,3}["']?args["']? ?: ?\[[^\]]{0,160}(?:curl|wget|https?:|\| ?(?:ba)?sh|base64)`,
      pattern`(?:mcp|servers)`,
    ],
    unless:
      /package-name|your-|my-|<|@(?:modelcontextprotocol|playwright|anthropic|upstash|github|microsoft|azure|supabase|sentry|notionhq|cloudflare|stripe|vercel|figma|shopify|firebase|google|aws|heroku|browserbase|openai|elastic|mongodb|benchling|sanity)|chrome-devtools-mcp|shadcn|next-devtools|firecrawl-mcp|xcodebuildmcp|mcp-remote|blender-mcp|repomix|task-master/,
  },
  {
    id: 'unknown-server-address',
    severity: 'critical',
    reason:
      "It connects the agent to a tool server at a stranger's address that is unencrypted or looks made for attacks.",
    kinds: ['code', 'block'],
    hints: 'url serverurl mcp sse endpoint',
    within: 160,
    all: [
      pattern`["']?\b(?:url|serverurl|server_url|endpoint)["']? ?[:=] ?["'](?:http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker|192\.168\.|10\.|\$|<|(?:www\.)?example\.)[\w-]{1,60}\.[^\s"']{2,120}|https?:\/\/[^\s"'\/]{0,40}(?:evil|attacker|malicious|hacker|ngrok|webhook\.site|requestbin|pipedream|trycloudflare|serveo|localtunnel)[^\s"']{0,100}|https?:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[^\s"']{0,80}|https?:\/\/[^\s"'\/]{3,80}\/(?:sse|mcp)\/?["'])`,
      pattern`(?:mcp|sse|serverurl|server_url|tool|evil|attacker|malicious|http:\/\/|\d{1,3}\.\d{1,3}\.\d{1,3}\.)`,
    ],
    unless:
      /127\.0\.0\.1|localhost|(?:mcp|api)\.(?:notion|linear|github|githubcopilot|sentry|stripe|figma|atlassian|asana|vercel|supabase|context7|slack|zapier|cloudflare|paypal|square|intercom|huggingface|deepwiki|exa|tavily|benchling|shopify)\.\w|github\.com\/sponsors|docs\.|feeds\.|hf\.co|w3\.org|schema|xmlns|_mcp_/,
  },
  {
    id: 'workflow-injection',
    severity: 'critical',
    reason:
      "Its build workflow puts text that any stranger can write into a command, or gives strangers' code the project's rights.",
    kinds: ['code', 'prose', 'block'],
    hints: 'github permissions write pull_request_target head_ref issue comment head pull',
    within: 400,
    all: [
      pattern`(?:\brun ?: ?[^\n]{0,160}\$\{\{ ?github\.(?:event\.(?:issue|pull_request|comment|review|discussion|head_commit|commits|pages|inputs|client_payload|workflow_run)[\w.\[\]*]{0,60}(?:title|body|message|name|ref|label|email|default_branch|description|\binputs\.\w{1,30})|head_ref)|\bpermissions ?: ?["']?write-all|\bpull_request_target\b[^]{0,300}(?:github\.event\.pull_request\.head|head\.(?:sha|ref))|\bself-hosted\b[^]{0,120}pull_request_target)`,
    ],
    unless:
      /\benv ?: ?\n|audit|vulnerab|attack vector|detect|dangerous pattern|insecure|\| ?(?:high|critical|risk)/,
  },
  {
    id: 'build-file-runs',
    severity: 'critical',
    reason: 'A file that build tools run automatically downloads or runs something.',
    kinds: ['code', 'block'],
    hints: 'conftest makefile generate build setup gulpfile go',
    within: 260,
    all: [
      pattern`(?:\/\/go:generate|\bbuild\.rs\b|\bconftest\.py\b|\bmakefile\b|\bextconf\.rb\b|\bsetup\.py\b|^\t?all:|\binstall:)`,
      pattern`(?:\bcurl\b[^\n]{0,120}\||\bwget\b[^\n]{0,120}(?:\||&&)|\bbash -c\b|\bsh -c\b|base64 -d|\bos\.system\(|\/dev\/tcp|\bpowershell\b|command::new\(["'](?:curl|wget|bash|sh))`,
    ],
  },
])
