/**
 * A name that Talaria reads in `.env`, or in the environment if `.env` lacks it. This is the only list of
 * them: `talaria config`, its check, the Settings page and its search show it.
 */
export type KnownKey = {
  name: string
  /** What the key is for. */
  help: string
  /** Where to get the key: an address, or a sentence. */
  where: string
  /** The features, or the tools by name, that use the key. */
  usedBy: readonly string[]
  /** Whether it is a secret, which is never shown. Addresses and model names are not. */
  masked: boolean
  /** Names for the same key in other programs. */
  otherNames?: readonly string[]
  /** The only host that gets the key: an address, or the name that holds one. */
  origin?: string
  base?: string
}

const SERVERS = ['models on servers', 'summaries and reviews (models.auxiliary: auto)']

/** A key of a model vendor. The environment's key is sent only to that vendor's own host. */
const ofVendor = (vendor: string, name: string, origin: string, where: string): KnownKey => ({
  name,
  help: `Key of ${vendor}. It is sent to ${new URL(origin).host} and nowhere else.`,
  where,
  usedBy: ['models on servers'],
  masked: true,
  origin,
})
const addressOf = (name: string, server: string, otherNames: readonly string[]): KnownKey => ({
  name,
  help: `Address of ${server}. Its key is then sent there.`,
  where: 'Whoever runs the server knows it.',
  usedBy: SERVERS,
  masked: false,
  otherNames,
})
const modelOf = (name: string, server: string): KnownKey => ({
  name,
  help: `Model of ${server} for summaries and reviews.`,
  where: 'The list of models of the server.',
  usedBy: ['summaries and reviews (models.auxiliary: auto)'],
  masked: false,
})

/** A key of a web search vendor. */
const ofSearch = (vendor: string, name: string, origin: string, where: string): KnownKey => ({
  ...ofVendor(vendor, name, origin, where),
  usedBy: ['web_search', 'searches with /web'],
})

/** Every name that Talaria knows. Servers and skills that the user adds bring further names. */
export const knownKeys: readonly KnownKey[] = [
  {
    ...ofVendor('OpenAI', 'OPENAI_API_KEY', 'https://api.openai.com', 'https://platform.openai.com/api-keys'),
    help: 'Key of OpenAI. It is sent to api.openai.com, or to OPENAI_BASE_URL, and nowhere else.',
    usedBy: SERVERS,
    base: 'OPENAI_BASE_URL',
  },
  addressOf('OPENAI_BASE_URL', 'a server with the OpenAI protocol', ['OPENAI_API_BASE']),
  modelOf('OPENAI_MODEL', 'OpenAI'),
  {
    ...ofVendor(
      'Anthropic',
      'ANTHROPIC_API_KEY',
      'https://api.anthropic.com',
      'https://console.anthropic.com/settings/keys',
    ),
    help: 'Key of Anthropic. It is sent to api.anthropic.com, or to ANTHROPIC_BASE_URL, and nowhere else.',
    usedBy: SERVERS,
    base: 'ANTHROPIC_BASE_URL',
  },
  addressOf('ANTHROPIC_BASE_URL', 'a server with the Anthropic protocol', ['ANTHROPIC_API_BASE']),
  modelOf('ANTHROPIC_MODEL', 'Anthropic'),
  {
    name: 'LITELLM_API_KEY',
    help: 'Key of a LiteLLM gateway. It is sent to LITELLM_BASE_URL and nowhere else.',
    where: 'Whoever runs the gateway gives it to you.',
    usedBy: SERVERS,
    masked: true,
    base: 'LITELLM_BASE_URL',
  },
  addressOf('LITELLM_BASE_URL', 'a LiteLLM gateway', ['LITELLM_API_BASE']),
  modelOf('LITELLM_MODEL', 'LiteLLM'),
  ofVendor(
    'OpenRouter',
    'OPENROUTER_API_KEY',
    'https://openrouter.ai',
    'https://openrouter.ai/settings/keys',
  ),
  ofVendor('Mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai', 'https://console.mistral.ai/api-keys'),
  ofVendor('Groq', 'GROQ_API_KEY', 'https://api.groq.com', 'https://console.groq.com/keys'),
  ofVendor(
    'DeepSeek',
    'DEEPSEEK_API_KEY',
    'https://api.deepseek.com',
    'https://platform.deepseek.com/api_keys',
  ),
  {
    ...ofVendor(
      'Google Gemini',
      'GEMINI_API_KEY',
      'https://generativelanguage.googleapis.com',
      'https://aistudio.google.com/apikey',
    ),
    otherNames: ['GOOGLE_API_KEY'],
  },
  ofVendor('xAI', 'XAI_API_KEY', 'https://api.x.ai', 'https://console.x.ai'),
  ofVendor(
    'Together AI',
    'TOGETHER_API_KEY',
    'https://api.together.xyz',
    'https://api.together.ai/settings/api-keys',
  ),
  ofSearch(
    'Brave Search',
    'BRAVE_API_KEY',
    'https://api.search.brave.com',
    'https://api-dashboard.search.brave.com',
  ),
  ofSearch('Tavily', 'TAVILY_API_KEY', 'https://api.tavily.com', 'https://app.tavily.com'),
  ofSearch('Exa', 'EXA_API_KEY', 'https://api.exa.ai', 'https://dashboard.exa.ai/api-keys'),
  ofSearch(
    'Firecrawl',
    'FIRECRAWL_API_KEY',
    'https://api.firecrawl.dev',
    'https://www.firecrawl.dev/app/api-keys',
  ),
  {
    name: 'SEARXNG_URL',
    help: 'Address of your own SearXNG, such as http://localhost:8888. It must give results as JSON (search.formats in its settings.yml).',
    where: 'Whoever runs the server knows it.',
    usedBy: ['web_search', 'searches with /web'],
    masked: false,
  },
  {
    name: 'TELEGRAM_BOT_TOKEN',
    help: 'Key of your bot on Telegram. It is sent to api.telegram.org, or to the server on this computer that gateway.telegram_address names, and nowhere else.',
    where: 'BotFather in Telegram gives it to you: write /newbot to https://t.me/BotFather.',
    usedBy: ['Telegram'],
    masked: true,
  },
  {
    name: 'TALARIA_API_KEY',
    help: 'Key with which other programs on this computer use your models. It is sent nowhere.',
    where: 'Talaria creates it when you switch the API on. “talaria api key --new” creates another one.',
    usedBy: ['the API for other programs'],
    masked: true,
  },
  {
    name: 'HF_TOKEN',
    help: 'Token of Hugging Face for models that ask for an account or a licence. It is sent to huggingface.co, or a mirror on this computer, and to no other host.',
    where: 'https://huggingface.co/settings/tokens',
    usedBy: ['downloads of models'],
    masked: true,
  },
  {
    name: 'HUGGING_FACE_HUB_TOKEN',
    help: 'The same key under its older name. HF_TOKEN takes precedence.',
    where: 'https://huggingface.co/settings/tokens',
    usedBy: ['downloads of models'],
    masked: true,
  },
  {
    name: 'HF_ENDPOINT',
    help: 'Address of a mirror to use instead of huggingface.co. The setting network.hub_mirror takes precedence.',
    where: 'Whoever runs the mirror knows it.',
    usedBy: ['downloads of models'],
    masked: false,
  },
]

/** Reads a key by name from the stored secrets, else from the environment. */
export type ReadKey = (name: string) => string | undefined

/** The environment's key for a server; undefined for every host but the one the key belongs to. */
export function environmentKey(baseUrl: string, read: ReadKey): string | undefined {
  // Check the host first: reading a key reads a file.
  const known = knownKeys.find(each => each.masked && isAt(baseUrl, each, read) && read(each.name)?.trim())
  return known && read(known.name)?.trim()
}

/** Return the known key for the host of an address; undefined for an unknown host. */
export const keyOfHost = (baseUrl: string, read: ReadKey): KnownKey | undefined =>
  knownKeys.find(each => each.masked && isAt(baseUrl, each, read))

/** Return whether an address belongs to a known host, or to the host that the environment names for it. */
export function isAt(
  address: string,
  { base, origin }: Pick<KnownKey, 'base' | 'origin'>,
  read: ReadKey,
): boolean {
  const home = URL.parse((base && read(base)?.trim()) || (origin ?? ''))?.origin
  return home !== undefined && URL.parse(address)?.origin === home
}

/** Return the name under which a server's key is stored. */
export const keyNameOf = (id: string): string => `TALARIA_SERVER_${id.toUpperCase().replace(/\W/g, '_')}_KEY`

/** Describe the key of one server of `models.servers`. */
export const serverKey = ({
  id,
  name,
  base_url,
}: {
  id: string
  name: string
  base_url: string
}): KnownKey => ({
  name: keyNameOf(id),
  help: `Key of the server “${name}”. It is sent to ${URL.parse(base_url)?.host ?? 'that server'} and nowhere else.`,
  where: keyOfHost(base_url, () => undefined)?.where ?? 'Whoever runs the server gives it to you.',
  usedBy: [`the server “${name}”`],
  masked: true,
})

/** A key that a skill asks for. */
export const OF_SKILL = /^SKILL_\w+__\w/
/**
 * Return whether a text can be this key: no spaces, because keys go into a header. Skills accept any text.
 */
export const isCleanKey = (name: string, value: string): boolean =>
  OF_SKILL.test(name) || /^[\x21-\x7e]*$/.test(value.trim())
/** The error for any other text, which follows its name. */
export const UNCLEAN = 'contains a space or another character that keys do not have. Copy it again.'
